/** Build lines whose versions compare only within the line. */
const closedLines: ReadonlySet<string> = new Set(['fips', 'ksplice']);

/**
 * Whether only statements about the line itself cover its builds. A build without such a statement has no verdict,
 * because it is unknown whether every advisory was evaluated for the line.
 */
export function isClosedLine(line: string): boolean {
  return closedLines.has(line);
}

/** Whether versions of two lines can be ordered. */
export function areLinesComparable(a: string, b: string): boolean {
  return a === b || !(isClosedLine(a) || isClosedLine(b));
}

/** Upstream lines that share one name: `kernel-5.15`, `php-8.1`. All of them are rated. */
const upstreamLine = /^[a-z]+-\d/;

/** Whether statements about a release's main line never cover builds of this line. */
export function isApart(line: string): boolean {
  return isClosedLine(line) || upstreamLine.test(line);
}
