const maxCharacters = 2_000;
const rpmType = 'pkg:rpm/';
const encoded = /%[0-9A-Fa-f]{2}/;

/** The parts of a purl. */
export interface PackageUrl extends RpmPackageUrl {
  readonly type: string;
  /** Empty if absent. */
  readonly namespace: string;
}

/** The parts of an rpm package's purl that statements need. */
export interface RpmPackageUrl {
  readonly name: string;
  /** `version-release`; null if absent. */
  readonly version: string | null;
  /** Qualifiers such as `arch`, `epoch` and `rpmmod`. */
  readonly qualifiers: ReadonlyMap<string, string>;
}

/**
 * Reads a purl of the type rpm, `pkg:rpm/redhat/openssl@3.0.7-27.el9?arch=src&epoch=1` (package-url/purl-spec). Null
 * for other types and for malformed text. Of a repeated qualifier the first counts.
 */
export function readRpmPackageUrl(text: string): RpmPackageUrl | null {
  return text.startsWith(rpmType) ? readPackageUrl(text) : null;
}

/**
 * Reads a purl of any type (package-url/purl-spec); the namespace as it is written, without the subpath. Null for
 * malformed text. Of a repeated qualifier the first counts.
 */
export function readPackageUrl(text: string): PackageUrl | null {
  if (text.length > maxCharacters || !text.startsWith('pkg:')) return null;
  const [path = '', query = ''] = split(split(text.slice('pkg:'.length), '#')[0], '?');
  const [full = '', stated] = split(path, '@');
  const [type = '', place] = split(full, '/');
  const last = place === undefined ? -1 : place.lastIndexOf('/');
  const name = place === undefined ? null : decoded(place.slice(last + 1));
  const namespace = last === -1 ? '' : decoded((place ?? '').slice(0, last));
  const version = stated === undefined ? '' : decoded(stated);
  if (name === null || name === '' || version === null || namespace === null) return null;
  const qualifiers = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [key = '', raw] = split(pair, '=');
    const value = raw === undefined ? null : decoded(raw);
    if (value !== null && !qualifiers.has(key)) qualifiers.set(key, value);
  }
  return { type: type.toLowerCase(), namespace, name, version: version === '' ? null : version, qualifiers };
}

function split(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string | null {
  if (!encoded.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
