import type { Builds, SourceNaming, Statement, StatementFix } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';

/** Whether a build has the fix of a statement: its version is at or above the fixed, or the pending, version. */
export function hasFix(buildKey: Uint8Array, fix: StatementFix): boolean {
  const key = fix.kind === 'fixed' ? fix.key : fix.pendingKey;
  return key !== undefined && compareKeys(buildKey, key) >= 0;
}

/** Build lines whose versions compare only within the line. */
const closedLines: ReadonlySet<string> = new Set(['fips', 'ksplice', 'epel', 'package-hub']);

/** Closed lines of another publisher's packages: no advisory of the distribution covers them. */
const addOnLines: ReadonlySet<string> = new Set(['epel', 'package-hub']);

/**
 * Whether only statements about the line itself cover its builds. A build without such a statement has no verdict,
 * because it is unknown whether every advisory was evaluated for the line.
 */
export function isClosedLine(line: string): boolean {
  return closedLines.has(line);
}

/**
 * Whether a line is an add-on's, such as EPEL's. Statements and silence of the distribution about a CVE do
 * not cover an add-on's packages, and the reverse.
 */
export function isAddOnLine(line: string | null): boolean {
  return line !== null && addOnLines.has(line);
}

/** Upstream lines that share one name: `kernel-5.15`, `php-8.1`. All of them are rated. */
const upstreamLine = /^[a-z]+-\d/;

/** Whether statements about a release's main line never cover builds of this line. */
export function isApart(line: string): boolean {
  return isClosedLine(line) || upstreamLine.test(line);
}

/**
 * Whether versions of two lines can be ordered, so that an offer of one can contain the fix of the other: a
 * kernel of line 5.15 sorts above every fix in line 5.10, which proves nothing about it.
 */
export function areLinesComparable(a: string, b: string): boolean {
  return a === b || !(isApart(a) || isApart(b));
}

/**
 * The line of builds for subscribers, such as `+esm` builds of Ubuntu Pro. Users of the main line can change
 * to it, so it offers fixes to their builds, but does not judge them.
 */
export const subscriptionLine = 'esm';

/** Whether statements about a line (null: the main line) cover a build. */
function coversLine(line: string | null, build: Omit<LinedBuild, 'key'>): boolean {
  if (line === null) return !isApart(build.line);
  return line === build.line || line === build.follows || (line === subscriptionLine && build.line === '');
}

/** A build's own line and the line of its host's repositories; see Verdict. */
interface LinedBuild {
  readonly key: Uint8Array;
  readonly line: string;
  readonly follows?: string;
}

/** The line whose statements about a CVE apply: null is the main line; undefined: lines are irrelevant. */
export type LineOfCve = (cve: string) => string | null | undefined;

/** Name of the line of repositories that follow no other line. */
export const mainLine = 'main';

/** Statements about one line, for one build and CVE. */
interface LineState {
  readonly isOpen: boolean;
  /** Whether the build lacks a fix that is published. */
  readonly lacksFix: boolean;
}

/**
 * Selects, among several lines with statements about a CVE, the one that applies to a build. Its own line decides
 * whether it has the fix, because their versions compare; else the line its host follows; else the main line. If the
 * build lacks the fix, the fix is that of the line its host follows, because the host can get that one; a line without
 * a fix gives way to the subscription line, and that to the main line.
 * @param statements about the build, without withdrawn ones.
 */
export function linesOfCves(build: LinedBuild, statements: readonly Statement[]): LineOfCve {
  const hasSubscriptions = statements.some(({ builds }) => builds.line === subscriptionLine);
  if (build.line === '' && build.follows === undefined && !hasSubscriptions) return () => undefined;
  const states = lineStates(build.key, statements);
  const followed = build.follows === mainLine ? null : build.follows;
  const order = [...(build.line === '' ? [] : [build.line]), followed, null, subscriptionLine];
  return (cve) => {
    const lines = states.get(cve);
    if (lines === undefined) return undefined;
    const telling = order.find((line) => line !== undefined && lines.has(line));
    const state = lines.get(telling ?? null);
    if (state?.isOpen !== true) return telling;
    if (followed !== undefined && lines.get(followed)?.isOpen === true) return followed;
    const other = telling === null ? subscriptionLine : telling === subscriptionLine ? null : undefined;
    return !state.lacksFix && other !== undefined && lines.get(other)?.lacksFix === true ? other : telling;
  };
}

/** By CVE and line. A build is open to a line if one of the line's statements calls it affected. */
function lineStates(
  key: Uint8Array,
  statements: readonly Statement[],
): ReadonlyMap<string, ReadonlyMap<string | null, LineState>> {
  const states = new Map<string, Map<string | null, LineState>>();
  for (const { builds, cves, fix } of statements) {
    const isOpen = !hasFix(key, fix);
    for (const cve of cves) {
      const lines = states.get(cve) ?? new Map<string | null, LineState>();
      const known = lines.get(builds.line);
      states.set(
        cve,
        lines.set(builds.line, {
          isOpen: isOpen || known?.isOpen === true,
          lacksFix: (isOpen && fix.kind === 'fixed') || known?.lacksFix === true,
        }),
      );
    }
  }
  return states;
}

/**
 * Whether an update can change one architecture to the other: a package can become architecture-independent, or the
 * reverse.
 */
export function isSameArchitecture(a: string, b: string): boolean {
  return a === b || a === 'all' || b === 'all' || a === 'noarch' || b === 'noarch' || a === '';
}

/** One text for equal builds; distinguishes an advisory's statements about the same name. */
export function buildsKey(
  { architectures, module, line }: Builds,
  names: SourceNaming | null = null,
): string {
  if (architectures.length === 0 && module === null && line === null && names === null) return '';
  return [architectures.join(','), module ?? '*', line ?? '*', ...(names === null ? [] : [names])].join('|');
}

/** A comparable package version as input of matching, with its architecture. */
export interface Matchable {
  readonly key: Uint8Array;
  readonly architecture: string;
  readonly module: string;
  readonly line: string;
  /** See Verdict. */
  readonly follows?: string;
  /** Present: an erratum gives way to the record of any of its CVEs; see Distribution.noticesNamePackages. */
  readonly foldsByAny?: true;
}

/**
 * Whether a statement covers the build of a package version. A statement about a source covers exactly its
 * architectures, because it does not name a package that can change to another architecture.
 */
export function coversBuild(
  { builds: { architectures, module, line }, names }: Pick<Statement, 'builds' | 'names'>,
  subject: Matchable,
): boolean {
  if (module !== null && module !== subject.module) return false;
  if (!coversLine(line, subject)) return false;
  if (architectures.length === 0) return true;
  if (names !== undefined) return architectures.includes(subject.architecture);
  return namesArchitecture({ architectures }, subject);
}

/** Whether a statement names the architecture of a package version; one without architectures names none. */
export function namesArchitecture(
  { architectures }: Pick<Statement['builds'], 'architectures'>,
  { architecture: own }: Pick<Matchable, 'architecture'>,
): boolean {
  return architectures.some((architecture) => isSameArchitecture(architecture, own));
}

/** Whether a host that read all its package lists has a version from none of them: apt calls the archive of such `now`. */
export function isInNoRepository({
  vendor,
  suite,
}: {
  readonly vendor: string;
  readonly suite: string;
}): boolean {
  return vendor.trim() === '' && suite.trim().toLowerCase() === 'now';
}

const rebuildSuffix = /\+b\d+$/;

/**
 * Returns a binary package version without its rebuild suffix, which source versions lack: `5.2.15-2` for
 * `5.2.15-2+b8` (Debian developer's reference, binary-only uploads).
 */
export function withoutRebuildSuffix(version: string): string {
  return version.replace(rebuildSuffix, '');
}
