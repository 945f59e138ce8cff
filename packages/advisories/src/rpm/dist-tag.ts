/** The release that a package was built for, as marked in its rpm release. */
export interface DistTag {
  /** `el`, `fc` or `amzn`. */
  readonly family: string;
  /** `8`, `42`, `2023`. */
  readonly number: string;
  /** The minor release: `4` of `el9_4`; empty if absent. */
  readonly minor: string;
  /** Letters after the number: `uek` of `el8uek`, `sat` of `el8sat`; empty if absent. */
  readonly suffix: string;
}

/** A module's tag is followed by a hash that can look like a tag: `module+el8.4.0+646+fc1a61b2`. */
const tag = /\.(?:module[_+])?(el|fc|amzn)(\d{1,4})(?:_(\d{1,2}))?([a-z]*)(?![A-Za-z0-9])/g;

/** The dist tag of an rpm release, the last of several; null without one. */
export function distTagOf(release: string): DistTag | null {
  const [, family, number, minor = '', suffix = ''] = [...release.matchAll(tag)].at(-1) ?? [];
  return family === undefined || number === undefined ? null : { family, number, minor, suffix };
}
