/** Lines of builds whose versions compare with no other line's. */
const closedLines: ReadonlySet<string> = new Set(['fips', 'ksplice']);

/**
 * Whether only statements about a line itself speak of its builds. Where none affects such a build it has no verdict,
 * because nothing says that all advisories were looked at for it.
 */
export function isClosedLine(line: string): boolean {
  return closedLines.has(line);
}

/** Whether versions of two lines have one order. */
export function areLinesComparable(a: string, b: string): boolean {
  return a === b || !(isClosedLine(a) || isClosedLine(b));
}

/** Upstream lines that one name comes in: `kernel-5.15`, `php-8.1`. All of them are rated. */
const upstreamLine = /^[a-z]+-\d/;

/** Whether no statement about a release's main line speaks for builds of this one. */
export function isApart(line: string): boolean {
  return isClosedLine(line) || upstreamLine.test(line);
}
