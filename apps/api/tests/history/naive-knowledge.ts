import {
  compareSimpleVersions,
  type NaiveChange,
  type NaiveCorrection,
  type NaiveRecord,
  type NaiveStatement,
  type NaiveVersion,
  recordKey,
} from './naive-model.ts';

/** Everything that is known at one time. */
export interface NaiveKnowledge {
  readonly records: ReadonlyMap<string, NaiveRecord>;
  /** When each statement was first imported, since its record last came. */
  readonly stated: ReadonlyMap<string, Date>;
  readonly exploited: ReadonlySet<string>;
  readonly corrections: readonly NaiveCorrection[];
}

/** What is known before anything is imported. */
export const nothingKnown: NaiveKnowledge = {
  records: new Map(),
  stated: new Map(),
  exploited: new Set(),
  corrections: [],
};

/** What is known after a change. */
export function afterChange(before: NaiveKnowledge, change: NaiveChange): NaiveKnowledge {
  switch (change.kind) {
    case 'import':
      return afterImport(before, change);
    case 'exploited':
      return { ...before, exploited: new Set(change.cves) };
    case 'corrections':
      return { ...before, corrections: change.corrections };
    case 'rules':
      return before;
    default:
      return change satisfies never;
  }
}

function afterImport(
  before: NaiveKnowledge,
  { at, records: imported, complete }: Extract<NaiveChange, { kind: 'import' }>,
): NaiveKnowledge {
  const records = new Map(before.records);
  const ids = new Set(imported.map(recordKey));
  for (const [key, { feed }] of before.records)
    if (complete.includes(feed) && !ids.has(key)) records.delete(key);
  for (const record of imported) {
    for (const [key, other] of before.records)
      if (!ids.has(key) && isRenamed(other, record)) records.delete(key);
    records.set(recordKey(record), record);
  }
  const stated = new Map<string, Date>();
  for (const record of records.values())
    for (const statement of record.statements) {
      const key = statementKey(record, statement);
      stated.set(key, before.stated.get(key) ?? at);
    }
  return { ...before, records, stated };
}

/** A feed has one record of a vulnerability: one with a new id replaces the old one. */
function isRenamed(old: NaiveRecord, record: NaiveRecord): boolean {
  const [cve] = record.cves;
  const isAlike =
    old.feed === record.feed && old.id !== record.id && old.cves.length === 1 && old.cves[0] === cve;
  return (
    isAlike && record.cves.length === 1 && old.kind === 'vulnerability' && record.kind === 'vulnerability'
  );
}

/** A key of a statement among all statements that are stored at one time. */
export const statementKey = (record: NaiveRecord, { release, name }: NaiveStatement): string =>
  `${recordKey(record)} ${release} ${name}`;

/** A statement with its record. */
export interface NaiveMatch {
  readonly record: NaiveRecord;
  readonly statement: NaiveStatement;
  readonly cves: readonly string[];
  /** Those of them that are open. */
  readonly open: readonly string[];
  /** The severity that the open ones give the statement; null: its own. */
  readonly rated: string | null;
}

/** What affects a version, by all that is known. */
export function matchesOf(version: NaiveVersion, knowledge: NaiveKnowledge): readonly NaiveMatch[] {
  const said: NaiveMatch[] = [];
  for (const record of knowledge.records.values())
    for (const statement of record.statements) {
      if (record.withdrawn || statement.release !== version.release || statement.name !== version.matchName)
        continue;
      const cves = statement.cves ?? record.cves;
      said.push({ record, statement, cves, open: cves, rated: null });
    }
  const counting = said.filter((one) => !said.some((other) => outranks(other, one)));
  const isOpen = (one: NaiveMatch) =>
    !hasFix(version, one) && !isCorrected(version, one, knowledge.corrections);
  const affecting = counting.filter((one) => isOpen(one) && !isFolded(one, knowledge));
  return affecting.map((one) => {
    const narrowed = { ...one, open: openCves(version, one, { said, counting, affecting }) };
    const rated = ratingOf(narrowed, said, knowledge);
    return rated === null
      ? narrowed
      : { ...narrowed, rated, statement: { ...one.statement, severity: rated } };
  });
}

const worstFirst = ['critical', 'important', 'moderate', 'low', 'unrated', 'none'] as const;

/** The worst severity that records about single CVEs give the open ones, if not all are open and each has one. */
function ratingOf(
  { statement, cves, open }: NaiveMatch,
  said: readonly NaiveMatch[],
  { records }: NaiveKnowledge,
): (typeof worstFirst)[number] | null {
  if (open.length === cves.length || statement.severity === 'none') return null;
  const family = (release: string) => release.split(':')[0];
  const ratings = open.map((cve) => {
    const isAbout = (record: NaiveRecord, named: readonly string[]) =>
      record.kind === 'vulnerability' && !record.withdrawn && named.length === 1 && named[0] === cve;
    const own = said.filter((one) => isAbout(one.record, one.cves)).map((one) => one.statement.severity);
    const anywhere = [...records.values()]
      .filter((record) => isAbout(record, record.cves))
      .flatMap((record) => record.statements)
      .filter(({ release }) => family(release) === family(statement.release))
      .map(({ severity }) => severity);
    return worstFirst.find((severity) => (own.length > 0 ? own : anywhere).includes(severity));
  });
  if (ratings.includes(undefined)) return null;
  const worst = worstFirst.find((severity) => ratings.includes(severity)) ?? 'none';
  const rated = worst === 'none' ? 'low' : worst;
  return rated === statement.severity ? null : rated;
}

const hasFix = ({ matchVersion }: NaiveVersion, { statement: { fixed } }: NaiveMatch): boolean =>
  fixed !== null && compareSimpleVersions(matchVersion, fixed) >= 0;

function isCorrected(
  { release, matchVersion }: NaiveVersion,
  { record, statement }: NaiveMatch,
  corrections: readonly NaiveCorrection[],
): boolean {
  return corrections.some(({ feed, cve, from, before, ...correction }) => {
    if (feed !== record.feed || correction.release !== release || correction.name !== statement.name)
      return false;
    if (record.cves.length !== 1 || record.cves[0] !== cve) return false;
    if (from === null && before === null) return true;
    if (from !== null && compareSimpleVersions(matchVersion, from) < 0) return true;
    return before !== null && compareSimpleVersions(matchVersion, before) >= 0;
  });
}

/** Of two records of one vulnerability the tracker's counts, unless the other one is worse. */
function outranks(other: NaiveMatch, one: NaiveMatch): boolean {
  if (other === one || other.record.kind !== 'vulnerability' || one.record.kind !== 'vulnerability')
    return false;
  if (!one.cves.some((cve) => other.cves.includes(cve))) return false;
  if (other.record.feed === 'debian-tracker') return !isWorse(one.statement, other.statement);
  return one.record.feed === 'debian-tracker' && isWorse(other.statement, one.statement);
}

function isWorse(one: NaiveStatement, tracked: NaiveStatement): boolean {
  if ((one.fixed === null) !== (tracked.fixed === null)) return one.fixed !== null;
  const order =
    one.fixed === null || tracked.fixed === null ? 0 : compareSimpleVersions(one.fixed, tracked.fixed);
  if (order !== 0) return order > 0;
  if ((one.severity === 'none') !== (tracked.severity === 'none')) return tracked.severity === 'none';
  return one.fixed === null && one.reason === 'will_not_fix' && tracked.reason === 'under_investigation';
}

/** An update counts only while a CVE of it has no record of its own from the distribution. */
function isFolded({ record, statement, cves }: NaiveMatch, { records }: NaiveKnowledge): boolean {
  if (record.kind !== 'erratum') return false;
  const family = (release: string) => release.split(':')[0];
  return cves.every((cve) =>
    [...records.values()].some(
      (other) =>
        other.kind === 'vulnerability' &&
        !other.withdrawn &&
        other.cves.includes(cve) &&
        other.statements.some(({ release }) => family(release) === family(statement.release)),
    ),
  );
}

/** The CVEs of an update that no other advisory states as fixed in the version; all of them if none is left. */
function openCves(
  version: NaiveVersion,
  one: NaiveMatch,
  { said, counting, affecting }: Readonly<Record<'said' | 'counting' | 'affecting', readonly NaiveMatch[]>>,
): readonly string[] {
  if (one.record.kind !== 'erratum' || one.cves.length < 2) return one.cves;
  const isAlone = (cve: string) =>
    said.some(
      (other) =>
        other.cves.length === 1 &&
        other.cves[0] === cve &&
        (affecting.includes(other) || (!counting.includes(other) && !hasFix(version, other))),
    );
  const isFixed = (cve: string) =>
    counting.some(
      (other) => other.record.id !== one.record.id && other.cves.includes(cve) && hasFix(version, other),
    );
  const open = one.cves.filter((cve) => isAlone(cve) || !isFixed(cve));
  return open.length === 0 ? one.cves : open;
}

/** Whether a CVE of a match is known to be exploited. */
export function isExploited({ cves }: NaiveMatch, { exploited }: NaiveKnowledge): boolean {
  return cves.some((cve) => exploited.has(cve));
}
