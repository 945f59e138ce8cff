/** The parts of an rpm package's version text. */
export interface Evr {
  readonly epoch: string;
  readonly version: string;
  /** Empty if absent. */
  readonly release: string;
}

/** Splits `[epoch:]version[-release]`; a missing epoch, or `(none)`, is 0. */
export function splitEvr(text: string): Evr {
  const colon = text.indexOf(':');
  const stated = colon < 0 ? '' : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  const hyphen = rest.lastIndexOf('-');
  return {
    epoch: stated === '' || stated === '(none)' ? '0' : stated,
    version: hyphen < 0 ? rest : rest.slice(0, hyphen),
    release: hyphen < 0 ? '' : rest.slice(hyphen + 1),
  };
}

/** `version-release` without the epoch, which `uname` never contains. */
export function withoutEpoch(text: string): string {
  const { version, release } = splitEvr(text);
  return release === '' ? version : `${version}-${release}`;
}
