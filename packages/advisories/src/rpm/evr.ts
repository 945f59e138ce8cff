/** What stands in the version text of an rpm package. */
export interface Evr {
  readonly epoch: string;
  readonly version: string;
  /** Empty where the text has none. */
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

/** `version-release` without the epoch, which no `uname` has. */
export function withoutEpoch(text: string): string {
  const { version, release } = splitEvr(text);
  return release === '' ? version : `${version}-${release}`;
}
