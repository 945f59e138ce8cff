import type { MatchCause } from '@plimsoll/model';
import {
  afterChange,
  isExploited,
  matchesOf,
  type NaiveKnowledge,
  type NaiveMatch,
  nothingKnown,
  statementKey,
} from './naive-knowledge.ts';
import {
  type NaiveChange,
  type NaiveEvent,
  type NaiveInterval,
  type NaiveRecord,
  type NaiveVersion,
  recordKey,
  versionKey,
} from './naive-model.ts';
import { NaiveNamings, type Open, type OpenInterval } from './naive-namings.ts';

/** What was found on a version, and what each change did to it. */
export interface NaiveHistory {
  readonly intervals: readonly NaiveInterval[];
  /** `change advisory event cause`. */
  readonly ledger: readonly string[];
  /** From when to when each CVE was open on it, by record. */
  readonly byCve: ReadonlyMap<string, readonly NaiveInterval[]>;
}

/** Everything that happened to the matches of a version since it was first matched. */
export function historyOf(version: NaiveVersion, events: readonly NaiveEvent[]): NaiveHistory {
  const key = versionKey(version);
  const ended: NaiveInterval[] = [];
  const ledger: string[] = [];
  let knowledge = nothingKnown;
  let isMatched = false;
  let isComparable = true;
  let open: Open = new Map();
  const naming = new NaiveNamings();
  for (const event of events) {
    if (event.kind === 'upload') continue;
    if (event.kind === 'matched') {
      if (!event.versions.some((each) => versionKey(each) === key)) continue;
      isMatched = true;
      isComparable = !event.incomparable.includes(key);
      if (isComparable) open = firstMatches(version, knowledge);
      naming.start(open);
      continue;
    }
    const before = knowledge;
    knowledge = afterChange(before, event);
    naming.said(before, knowledge, event.at);
    if (event.kind === 'rules' && event.versions.includes(key)) isComparable = true;
    if (!isMatched || !isComparable) continue;
    const step = { key, event, before, after: knowledge };
    const next = changed(step, open, matchesOf(version, knowledge), ended);
    ledger.push(...ledgerOf(step, open, next, ended));
    open = next;
    naming.go(open, ended, event.at);
  }
  const current = [...open.values()].map(({ match: _, ...each }) => ({
    ...each,
    until: null,
    untilCause: null,
  }));
  return { intervals: [...ended, ...current], ledger, byCve: naming.intervals() };
}

/** A version that comes later is affected since the import of what affects it. */
function firstMatches(version: NaiveVersion, knowledge: NaiveKnowledge): Open {
  return new Map(
    matchesOf(version, knowledge).map((match) => {
      const key = statementKey(match.record, match.statement);
      const since = knowledge.stated.get(key) as Date; // Each statement has its first import.
      return [
        key,
        begin(versionKey(version), match, { at: since, cause: 'advisory_published', knownAt: since }),
      ];
    }),
  );
}

function begin(
  version: string,
  match: NaiveMatch,
  { at, cause, knownAt }: { readonly at: Date; readonly cause: MatchCause; readonly knownAt: Date },
): OpenInterval {
  const openCves = namedCves(match);
  return { version, record: recordKey(match.record), since: at, sinceCause: cause, knownAt, openCves, match };
}

/** The open CVEs of a match; null: all of its record, whichever these are. */
function namedCves({ open, cves }: NaiveMatch): string | null {
  return open.length === cves.length ? null : open.join(' ');
}

interface Step {
  readonly key: string;
  readonly event: NaiveChange;
  readonly before: NaiveKnowledge;
  readonly after: NaiveKnowledge;
}

/** The matches after a change; what ends goes to `ended`. */
function changed(step: Step, open: Open, found: readonly NaiveMatch[], ended: NaiveInterval[]): Open {
  const { key: version, event } = step;
  const next = new Map<string, OpenInterval>();
  const after = new Map(found.map((match) => [statementKey(match.record, match.statement), match]));
  const stillOpen = new Set(found.flatMap((match) => match.open));
  const gone = [...open].filter(([key]) => !after.has(key)).map(([, interval]) => interval);
  for (const { match, ...interval } of gone) {
    const cause = causeOf(step, match);
    const isReplaced = cause !== 'rules_changed' && match.open.every((cve) => stillOpen.has(cve));
    ended.push({ ...interval, until: event.at, untilCause: isReplaced ? 'source_changed' : cause });
  }
  for (const [key, match] of after) {
    const known = open.get(key);
    const cause = causeOf(step, match);
    if (known === undefined) {
      const age = ageOf(match, cause, { gone, open: [...open.values()] });
      const continued = age !== null && cause !== 'rules_changed' ? 'source_changed' : cause;
      next.set(key, begin(version, match, { at: event.at, cause: continued, knownAt: age ?? event.at }));
    } else if (isSame(known, match)) next.set(key, { ...known, match });
    else {
      const { match: _, ...interval } = known;
      ended.push({ ...interval, until: event.at, untilCause: cause });
      next.set(key, begin(version, match, { at: event.at, cause, knownAt: known.knownAt }));
    }
  }
  return next;
}

/** Whether a match has the same open CVEs and severity as before. If only some were open, and these are all that its record has now, it changed. */
const isSame = (known: OpenInterval, match: NaiveMatch): boolean =>
  known.match.rated === match.rated && known.openCves === namedCves(match);

/**
 * Since when all open CVEs of a match that begins were known without a gap; null: since now. Matches that end now pass
 * their age on; a match whose record says nothing new takes that of any match.
 */
function ageOf(
  match: NaiveMatch,
  cause: MatchCause,
  { gone, open }: Readonly<Record<'gone' | 'open', readonly OpenInterval[]>>,
): Date | null {
  const earlier = cause === 'source_changed' ? open : gone;
  const times = match.open.map((cve) =>
    Math.min(
      ...earlier
        .filter((interval) => interval.match.open.includes(cve))
        .map(({ knownAt }) => knownAt.getTime()),
    ),
  );
  const since = Math.max(...times);
  return Number.isFinite(since) ? new Date(since) : null;
}

/** Why a statement counts, or counts no longer, after a change. */
function causeOf({ event, before, after }: Step, { record, statement }: NaiveMatch): MatchCause {
  if (event.kind !== 'import') return 'rules_changed';
  const [old, fresh] = [before.records.get(recordKey(record)), after.records.get(recordKey(record))];
  if (fresh === undefined) return 'advisory_withdrawn';
  if (old === undefined) return 'advisory_published';
  if (fresh.withdrawn && !old.withdrawn) return 'advisory_withdrawn';
  const [said, says] = [old, fresh].map(({ statements }) =>
    statements.find(({ release, name }) => release === statement.release && name === statement.name),
  );
  return contentOf(old) === contentOf(fresh) && JSON.stringify(said) === JSON.stringify(says)
    ? 'source_changed'
    : 'advisory_changed';
}

/** What a record says besides its statements; a new export says nothing new. */
const contentOf = ({ statements: _, edition: __, ...content }: NaiveRecord): string =>
  JSON.stringify(content);

/** Why a record is about an exploited CVE now, or no longer: the list of these changed, or the record did. */
const causeOfTurn = (step: Step, match: NaiveMatch): MatchCause =>
  step.event.kind === 'exploited' ? 'source_changed' : causeOf(step, match);

function ledgerOf(step: Step, open: Open, next: Open, ended: readonly NaiveInterval[]): readonly string[] {
  const { event, before, after } = step;
  const line = (record: string, what: string) => `${event.change} ${record} ${what}`;
  const had = new Set([...open.values()].map(({ record }) => record));
  const has = new Set([...next.values()].map(({ record }) => record));
  const opened = [...next.values()].filter(({ record }) => !had.has(record));
  const closed = ended.filter(({ until, record }) => until === event.at && !has.has(record));
  const turned = [...next.values()].filter(({ match, record }) => {
    const old = [...open.values()].find((each) => each.record === record);
    return old !== undefined && isExploited(old.match, before) !== isExploited(match, after);
  });
  return [
    ...new Set([
      ...opened.map(({ record, sinceCause }) => line(record, `opened ${sinceCause}`)),
      ...closed.map(({ record, untilCause }) => line(record, `closed ${untilCause}`)),
      ...turned.map(({ record, match }) =>
        line(
          record,
          `${isExploited(match, after) ? 'exploited' : 'no_longer_exploited'} ${causeOfTurn(step, match)}`,
        ),
      ),
    ]),
  ];
}
