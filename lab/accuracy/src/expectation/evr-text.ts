/** An EVR without an epoch of 0, in dnf's format. */
export function evrText(version: string): string {
  return version.startsWith('0:') ? version.slice('0:'.length) : version;
}
