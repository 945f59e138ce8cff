import type { Statement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';

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

/** A build's own line and the line of its host's repositories; see Verdict. */
export interface LinedBuild {
  readonly key: Uint8Array;
  readonly line: string;
  readonly follows?: string;
}

/** The line whose statements about a CVE apply: null is the main line; undefined: lines are irrelevant. */
export type LineOfCve = (cve: string) => string | null | undefined;

/** Name of the line of repositories that follow no other line. */
export const mainLine = 'main';

/**
 * Selects, among several lines with statements about a CVE, the one that applies to a build. Its own line decides
 * whether it has the fix, because their versions compare; else the line its host follows; else the main line. If the
 * build lacks the fix, the fix is that of the line its host follows, because the host can get that one.
 * @param statements about the build, without withdrawn ones.
 */
export function linesOfCves(build: LinedBuild, statements: readonly Statement[]): LineOfCve {
  if (build.line === '' && build.follows === undefined) return () => undefined;
  const open = new Map<string, Map<string | null, boolean>>();
  for (const { builds, cves, fix } of statements) {
    const isOpen = fix.kind === 'unfixed' || compareKeys(build.key, fix.key) < 0;
    for (const cve of cves) {
      const lines = open.get(cve) ?? new Map<string | null, boolean>();
      open.set(cve, lines.set(builds.line, isOpen || lines.get(builds.line) === true));
    }
  }
  const followed = build.follows === mainLine ? null : build.follows;
  return (cve) => {
    const lines = open.get(cve);
    if (lines === undefined) return undefined;
    const telling = [...(build.line === '' ? [] : [build.line]), followed, null].find(
      (line) => line !== undefined && lines.has(line),
    );
    const reachable = followed !== undefined && lines.get(followed) === true;
    return lines.get(telling ?? null) === true && reachable ? followed : telling;
  };
}
