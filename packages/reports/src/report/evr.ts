/** An rpm package by name, `[epoch:]version-release` and architecture. */
export interface Nevra {
  readonly name: string;
  readonly evr: string;
  readonly architecture: string;
}

/** `[epoch:]version[-release]`; omits an epoch of 0 and an empty release. */
export function evrOf(epoch: string, version: string, release: string): string {
  const withRelease = release === '' ? version : `${version}-${release}`;
  return epoch === '' || /^0+$/.test(epoch) ? withRelease : `${epoch}:${withRelease}`;
}

/** Converts `[epoch:]version-release` to the form of `evrOf`. */
export function normalizeEvr(evr: string): string {
  return evr.replace(/^0+:/, '');
}

/** Splits `java-17-openjdk.x86_64` at its last dot; null if one side is empty. */
export function splitArchitecture(
  text: string,
): { readonly name: string; readonly architecture: string } | null {
  const dot = text.lastIndexOf('.');
  if (dot <= 0 || dot === text.length - 1) return null;
  return { name: text.slice(0, dot), architecture: text.slice(dot + 1) };
}

/**
 * Splits `bind-libs-32:9.11.36-11.el8.x86_64`, or yum's form `32:bind-libs-9.11.36-11.el8.x86_64`; null for other
 * text. Names can contain dashes and digits, versions and releases no dashes.
 */
export function parseNevra(text: string): Nevra | null {
  const split = splitArchitecture(text);
  if (split === null) return null;
  const release = split.name.lastIndexOf('-');
  const version = split.name.lastIndexOf('-', release - 1);
  if (version <= 0 || release <= version + 1 || release === split.name.length - 1) return null;
  const name = split.name.slice(0, version);
  const versionRelease = split.name.slice(version + 1);
  const [, epoch, bareName] = /^(\d+):(.+)$/.exec(name) ?? [];
  const evr = epoch === undefined ? versionRelease : `${epoch}:${versionRelease}`;
  return { name: bareName ?? name, evr: normalizeEvr(evr), architecture: split.architecture };
}
