/** The mark of the release that a package was built for. */
export interface DistTag {
  /** `el`, `fc` or `amzn`. */
  readonly family: string;
  /** `8`, `42`, `2023`. */
  readonly number: string;
  /** The minor release: `4` of `el9_4`; empty if none is named. */
  readonly minor: string;
  /** Letters behind the number: `uek` of `el8uek`, `sat` of `el8sat`; empty if none. */
  readonly suffix: string;
}

/** Behind a module's tag stands a hash, which may begin like one: `module+el8.4.0+646+fc1a61b2`. */
const tag = /\.(?:module[_+])?(el|fc|amzn)(\d{1,4})(?:_(\d{1,2}))?([a-z]*)(?![A-Za-z0-9])/g;

/** The dist tag of a release, the last where it carries several; null where it carries none. */
export function distTagOf(release: string): DistTag | null {
  const [, family, number, minor = '', suffix = ''] = [...release.matchAll(tag)].at(-1) ?? [];
  return family === undefined || number === undefined ? null : { family, number, minor, suffix };
}
