import { compareSeverity, type Severity } from '@plimsoll/model';
import { afterChange, isExploited, matchesOf, type NaiveKnowledge, nothingKnown } from './naive-knowledge.ts';
import {
  compareSimpleVersions,
  type NaiveEvent,
  type NaiveReport,
  type NaiveVersion,
  versionKey,
} from './naive-model.ts';

/** Which host, as of when, by what was known when. */
export interface NaiveQuestion {
  readonly host: string;
  readonly at: Date;
  readonly known: Date;
}

/** A finding in one line: package, rating, then its advisories. */
export function findingsOf(
  events: readonly NaiveEvent[],
  { host, at, known }: NaiveQuestion,
): readonly string[] {
  const report = reportAt(events, host, at);
  if (report === null) return [];
  const knowledge = knowledgeAt(events, known);
  const incomparable = incomparableAt(events, known);
  return countingOf(report)
    .filter((version) => !incomparable.has(versionKey(version)))
    .flatMap((version) => findingOf(version, knowledge))
    .sort();
}

/** What a host had reported by a time. */
export function reportAt(events: readonly NaiveEvent[], host: string, at: Date): NaiveReport | null {
  const uploads = events.filter((event) => event.kind === 'upload' && event.host === host && event.at <= at);
  const newest = uploads.at(-1);
  return newest?.kind === 'upload' ? newest.report : null;
}

/** What was known after each change. */
const knownAfter = new WeakMap<NaiveEvent, NaiveKnowledge>();

/** What was known at a time. */
export function knowledgeAt(events: readonly NaiveEvent[], at: Date): NaiveKnowledge {
  let knowledge = nothingKnown;
  for (const event of events) {
    if (!('change' in event) || event.at > at) continue;
    knowledge = knownAfter.get(event) ?? afterChange(knowledge, event);
    knownAfter.set(event, knowledge);
  }
  return knowledge;
}

/** The versions that the rules could not compare at a time. */
function incomparableAt(events: readonly NaiveEvent[], at: Date): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const event of events) {
    if (event.at > at) continue;
    if (event.kind === 'matched') for (const key of event.incomparable) keys.add(key);
    if (event.kind === 'rules') for (const key of event.versions) keys.delete(key);
  }
  return keys;
}

/** Whether a version is a kernel. */
export const isKernel = ({ matchName }: NaiveVersion): boolean =>
  matchName === 'linux' || matchName === 'kernel-core';

/** The packages that findings can be of: of kernels the running one, installed or not. */
export function countingOf({ packages, running }: NaiveReport): readonly NaiveVersion[] {
  return [...packages.filter((version) => !isKernel(version)), ...(running === null ? [] : [running])];
}

/** The packages that exposures go on of: a machine that does not say what it runs has not booted another kernel. */
export function exposedOf(report: NaiveReport): readonly NaiveVersion[] {
  return countingOf({ ...report, running: report.lastRunning });
}

function findingOf(version: NaiveVersion, knowledge: NaiveKnowledge): readonly string[] {
  const open = matchesOf(version, knowledge).map((match) => ({
    id: match.record.id,
    severity: match.statement.severity,
    fixed: match.statement.fixed,
    exploited: isExploited(match, knowledge),
  }));
  if (open.length === 0) return [];
  const visible = open.filter(({ severity }) => severity !== 'none');
  const decisive = visible.length > 0 ? visible : open;
  const fixable = decisive.filter(({ fixed }) => fixed !== null);
  const rated = fixable.length > 0 ? fixable : decisive;
  const fixes = fixable.map(({ fixed }) => fixed ?? '').sort(compareSimpleVersions);
  return [
    findingLine({
      name: version.name,
      version: version.version,
      severity: rated.map(({ severity }) => severity).sort(compareSeverity)[0] ?? 'none',
      fixed: fixes.at(-1) ?? null,
      exploited: visible.some(({ exploited }) => exploited),
      advisories: open,
    }),
  ];
}

/** A finding as the test compares it. */
export interface FindingToCompare {
  readonly name: string;
  readonly version: string;
  readonly severity: Severity;
  /** The version that closes everything that has a fix. */
  readonly fixed: string | null;
  readonly exploited: boolean;
  readonly advisories: readonly {
    readonly id: string;
    readonly severity: Severity;
    readonly fixed: string | null;
    readonly exploited: boolean;
  }[];
}

/** A finding in one line. */
export function findingLine({
  name,
  version,
  severity,
  fixed,
  exploited,
  advisories,
}: FindingToCompare): string {
  const listed = advisories
    .map((each) => `${each.id} ${each.severity} ${each.fixed} ${each.exploited}`)
    .sort();
  return `${name} ${version} ${severity} ${fixed} ${exploited}: ${listed.join(', ')}`;
}
