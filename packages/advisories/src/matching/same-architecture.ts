/** An architecture-independent package may become one for an architecture, and the other way round. */
export function isSameArchitecture(a: string, b: string): boolean {
  return a === b || a === 'all' || b === 'all' || a === 'noarch' || b === 'noarch' || a === '';
}
