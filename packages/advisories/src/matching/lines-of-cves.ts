import type { Statement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';

/** What a build's own line and its host's repositories say of which lines count for it; see Verdict. */
export interface LinedBuild {
  readonly key: Uint8Array;
  readonly line: string;
  readonly follows?: string;
}

/** The line whose statements about a CVE count: null is the main one; undefined: nothing tells lines apart. */
export type LineOfCve = (cve: string) => string | null | undefined;

/** What repositories are called that follow no line of their own. */
export const mainLine = 'main';

/**
 * Of several lines that speak of a CVE, which counts for a build. Whether it has the fix is told by its own line, whose
 * versions it compares with; failing that by the line its host follows, failing that by the main one. Where it has none,
 * the fix is the one of the line its host follows: that is what it can get.
 * @param statements about the build, none of them withdrawn.
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
