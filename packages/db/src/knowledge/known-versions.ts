import {
  type AdvisoryKey,
  groupBy,
  type MatchCause,
  type PackageVersionId,
  type Statement,
} from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../core/transaction.ts';
import { everIn, holdsAt, spanOf, type TimeSpan } from './as-known-at.ts';
import { type ExploitedTimes, loadExploitedTimes } from './known-exploited.ts';
import { loadPackageVersions, type StoredPackageVersion } from './package-versions.ts';
import { shareEqualLists } from './side-statements.ts';
import { contentColumns, joinOverrides, type StatementRow, toStatement } from './statements.ts';
import { loadUnmatchedOf } from './version-arrivals.ts';

/** A time span in which an advisory was known to affect a package version. */
export interface MatchSpan {
  readonly advisory: AdvisoryKey;
  readonly since: Date;
  readonly sinceCause: MatchCause;
  /** Null: it still does. */
  readonly until: Date | null;
  /** Null if `until` is. */
  readonly untilCause: MatchCause | null;
  /** Since when the version is known, without a gap, to be affected by all CVEs of the advisory; see docs/decisions/history.md. */
  readonly knownAt: Date;
}

/** A package version with all matches that it has and had. */
export interface KnownVersion {
  readonly version: StoredPackageVersion;
  readonly history: MatchHistory;
}

/** What is kept: a version; its history, a match in it, and one of its CVEs. Estimated, so that the sum is that measured with Node 20. */
const mostBytes = 32 * 2 ** 20;
const bytesOf = { version: 1_000, history: 300, match: 1_220, cve: 40 } as const;

/** Package versions that were read, kept over changes of what is known that do not concern them. */
export class KeptVersions {
  readonly #kept: LRUCache<PackageVersionId, KnownVersion>;
  /** The number of times that some were dropped. */
  #drops = 0;

  /** @param maxSize how many bytes are kept. */
  constructor(maxSize = mostBytes) {
    // Versions can share a history, but each counts all of it: any of them may be the last that is kept.
    this.#kept = new LRUCache({
      maxSize,
      sizeCalculation: ({ history }) => bytesOf.version + history.bytes,
    });
  }

  /** Drops versions that a change concerns; null: all. What was read before can no longer be added. */
  drop(ids: readonly PackageVersionId[] | null): void {
    this.#drops += 1;
    if (ids === null) this.#kept.clear();
    else for (const id of ids) this.#kept.delete(id);
  }

  /** For a read that begins now. */
  begin(): Pick<LRUCache<PackageVersionId, KnownVersion>, 'get'> & { add(known: KnownVersion): void } {
    const begun = this.#drops;
    return {
      get: (id) => this.#kept.get(id),
      add: (known) => {
        if (this.#drops === begun) this.#kept.set(known.version.id, known);
      },
    };
  }
}

/**
 * Reads package versions with their matches, and keeps them: hosts of a release have most of them in common. Use it as long as
 * what is known does not change. A version that was not matched yet is read again each time, because it can be matched at any time.
 */
export class KnownVersions {
  readonly #reads: Statements;
  readonly #kept: ReturnType<KeptVersions['begin']>;
  #exploited: Promise<ExploitedTimes> | null = null;

  constructor(reads: Statements, kept = new KeptVersions()) {
    this.#reads = reads;
    this.#kept = kept.begin();
  }

  /** Package versions by id; one that is not stored has no entry. */
  async read(ids: Iterable<PackageVersionId>): Promise<ReadonlyMap<PackageVersionId, KnownVersion>> {
    const found = new Map<PackageVersionId, KnownVersion>();
    const missing = new Set<PackageVersionId>();
    for (const id of ids) {
      const known = this.#kept.get(id);
      if (known === undefined) missing.add(id);
      else found.set(id, known);
    }
    if (missing.size === 0) return found;
    // Before the matches: a version that is matched in between counts as not matched.
    const unmatched = await loadUnmatchedOf(this.#reads, [...missing]);
    const [versions, histories] = await Promise.all([
      loadPackageVersions(this.#reads, [...missing]),
      loadMatchHistories(this.#reads, [...missing]),
    ]);
    for (const version of versions) {
      const known = {
        version: { ...version, matchKey: copyOf(version.matchKey) },
        history: histories.of(version.id),
      };
      found.set(version.id, known);
      if (!unmatched.has(version.id)) this.#kept.add(known);
    }
    return found;
  }

  /** When CVEs were known to be exploited. */
  exploited(): Promise<ExploitedTimes> {
    this.#exploited ??= loadExploitedTimes(this.#reads).catch((error: unknown) => {
      this.#exploited = null;
      throw error;
    });
    return this.#exploited;
  }
}

/** The statements that affect some versions, as they were known at a time; null: as they are. A version without any has no entry. */
export function statementsAt(
  versions: ReadonlyMap<PackageVersionId, KnownVersion>,
  knownAt: Date | null,
  exploited: ExploitedTimes,
): ReadonlyMap<PackageVersionId, readonly Statement[]> {
  const ofHistory = new Map<MatchHistory, readonly Statement[]>();
  const found = new Map<PackageVersionId, readonly Statement[]>();
  for (const [id, { history }] of versions) {
    const statements = ofHistory.get(history) ?? history.at(knownAt, exploited);
    ofHistory.set(history, statements);
    if (statements.length > 0) found.set(id, statements);
  }
  return found;
}

/** The matches that a package version has and had. */
interface MatchHistory {
  /**
   * The statements that affected it by what was known at a time, ordered by id; null: that affect it. Corrections of known feed errors
   * are not among those of a past time; its matches follow them.
   */
  at(knownAt: Date | null, exploited: ExploitedTimes): readonly Statement[];
  /** The spans in which an advisory was known to affect it. */
  spansOf(advisory: AdvisoryKey): readonly MatchSpan[];
  /** The advisories that were known to affect it at a time, with the CVEs that were open on it. */
  openAt(at: Date): readonly { readonly advisory: AdvisoryKey; readonly cves: readonly string[] }[];
  /** How much memory it takes, about. */
  readonly bytes: number;
}

/** A statement that affects a version, and when it did with this content. */
interface TimedStatement extends TimeSpan {
  readonly statement: Statement;
}

interface MatchRow extends Omit<StatementRow, 'known_exploited'> {
  readonly owners: readonly PackageVersionId[];
  /** Of the match, as long as statement and advisory had this content. */
  readonly since: Date;
  readonly until: Date | null;
  readonly match_since: Date;
  readonly match_cause: MatchCause;
  readonly match_until: Date | null;
  readonly match_until_cause: MatchCause | null;
}

const statementContent = `id, advisory_id, severity, severity_source, fixed_version, fixed_key, fixed_service, unfixed_reason, unfixed_detail,
  architectures, module, line, names, cves, since`;
const advisoryContent = 'id, feed_id, external_id, kind, cves, withdrawn_at, since';
const matchContent = 'advisory_package_id, open_cves, severity, known_at, since, since_cause';

/** SQL: the matches that versions have and had. Equal ones of versions, as of one source, are one row with all owners. */
const matchesEver = `SELECT ${matchContent}, nullif(until, 'infinity') AS until, until_cause, array_agg(package_version_id) AS owners
  FROM matches_ever WHERE package_version_id = ANY($1::int[]) GROUP BY ${matchContent}, until, until_cause`;

/** The histories of package versions. */
interface MatchHistories {
  /** Empty for a version without matches. */
  of(id: PackageVersionId): MatchHistory;
}

/** Loads all matches that package versions have and had, with what statements and advisories said meanwhile. */
async function loadMatchHistories(
  client: Statements,
  ids: readonly PackageVersionId[],
): Promise<MatchHistories> {
  const { rows } = await client.query<MatchRow>(
    `SELECT m.owners, ${contentColumns}, m.open_cves, m.severity AS open_severity, m.known_at AS known_since,
            greatest(m.since, ap.since, a.since) AS since, least(m.until, ap.until, a.until) AS until,
            m.since AS match_since, m.since_cause AS match_cause, m.until AS match_until, m.until_cause AS match_until_cause
     FROM (${matchesEver}) m
     CROSS JOIN LATERAL (${everIn('advisory_packages', `${statementContent}, override_id`, 'id = m.advisory_package_id', 'past')}) ap
     CROSS JOIN LATERAL (${everIn('advisories', advisoryContent, 'id = ap.advisory_id', 'past')}) a
     ${joinOverrides}
     WHERE greatest(m.since, ap.since, a.since) < coalesce(least(m.until, ap.until, a.until), 'infinity')
     ORDER BY ap.id`,
    [ids],
  );
  const places = new Map<PackageVersionId, number[]>();
  for (const [place, { owners }] of rows.entries())
    for (const owner of owners) {
      const known = places.get(owner);
      if (known === undefined) places.set(owner, [place]);
      else known.push(place);
    }
  const same = shareEqualLists();
  const matches = rows.map((row) => matchOf(row, same));
  // Versions of one source mostly have all their matches in common.
  const histories = new Map<PackageVersionId, MatchHistory>();
  for (const group of groupBy([...places], ([, some]) => some.join(' ')).values()) {
    const own = (group[0]?.[1] ?? []).flatMap((place) => matches[place] ?? []);
    const history = historyOf(own);
    for (const [owner] of group) histories.set(owner, history);
  }
  return { of: (id) => histories.get(id) ?? noMatches };
}

interface Match extends TimedStatement {
  readonly span: Omit<MatchSpan, 'versionId'>;
}

function matchOf(row: MatchRow, same: (list: readonly string[]) => readonly string[]): Match {
  const cves = same(row.cves);
  const statement = toStatement({
    ...row,
    cves,
    architectures: row.architectures && same(row.architectures),
    fixed_key: copyOf(row.fixed_key),
    override_from: copyOf(row.override_from),
    override_before: copyOf(row.override_before),
    // It can change while the match does not: see exploitedAt.
    known_exploited: false,
  });
  return {
    statement,
    ...spanOf(row),
    span: {
      advisory: statement.advisory,
      since: row.match_since,
      sinceCause: row.match_cause,
      until: row.match_until,
      untilCause: row.match_until_cause,
      knownAt: row.known_since,
    },
  };
}

function historyOf(matches: readonly Match[]): MatchHistory {
  const present = matches.filter((match) => holdsAt(match, null)).map(({ statement }) => statement);
  // A match is one row for each content that its statement had meanwhile.
  const spans = new Map(
    matches.map(({ statement: { statementId }, span }) => [`${statementId} ${span.since.getTime()}`, span]),
  );
  const ofAdvisory = groupBy(spans.values(), ({ advisory }) => advisory);
  return {
    at: (knownAt, exploited) =>
      (knownAt === null ? present : matches.filter((match) => holdsAt(match, knownAt)).map(pastOf)).map(
        (statement) => exploitedAt(statement, knownAt, exploited),
      ),
    spansOf: (advisory) => ofAdvisory.get(advisory) ?? [],
    openAt: (at) =>
      matches
        .filter((match) => holdsAt(match, at))
        .map(({ statement: { advisory, openCves, cves } }) => ({ advisory, cves: openCves ?? cves })),
    bytes: matches.reduce<number>((sum, { statement }) => sum + bytesOfMatch(statement), bytesOf.history),
  };
}

function pastOf({ statement }: Match): Statement {
  if (statement.override === undefined) return statement;
  const { override: _present, ...content } = statement;
  return content;
}

function exploitedAt(statement: Statement, knownAt: Date | null, exploited: ExploitedTimes): Statement {
  return exploited.anyOf(statement.cves, knownAt) ? { ...statement, knownExploited: true } : statement;
}

function bytesOfMatch({ cves, openCves = [] }: Statement): number {
  return bytesOf.match + bytesOf.cve * (cves.length + openCves.length);
}

const noMatches = historyOf([]);

/** A copy of bytes of a row, which are a part of all bytes that came with it. */
function copyOf(bytes: Uint8Array | null): Uint8Array | null {
  return bytes && Uint8Array.from(bytes);
}
