/**
 * Whether an update can change one architecture to the other: a package can become architecture-independent, or the
 * reverse.
 */
export function isSameArchitecture(a: string, b: string): boolean {
  return a === b || a === 'all' || b === 'all' || a === 'noarch' || b === 'noarch' || a === '';
}
