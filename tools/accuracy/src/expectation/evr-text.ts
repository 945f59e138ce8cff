/** An EVR without an epoch of 0, as dnf prints it. */
export function evrText(version: string): string {
  return version.startsWith('0:') ? version.slice('0:'.length) : version;
}
