import {
  judgeRepositories,
  type LagRules,
  type NewestDates,
  parseLagException,
  type RepositoryCopy,
  repositoryCopies,
} from '@plimsoll/advisories';
import type {
  CopyReason,
  HostId,
  Platform,
  RepositoriesState,
  Repository,
  RepositoryRefresh,
  SectionFailure,
} from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { rowTable } from '../../core/row-table.ts';

/** Parses the settings for how far a copy of a repository may be behind; drops exceptions that cannot be parsed. */
export function lagRulesOf(settings: {
  readonly 'hosts.repository_max_lag_days': number;
  readonly 'hosts.repository_max_lag_exceptions': readonly string[];
}): LagRules {
  return {
    defaultDays: settings['hosts.repository_max_lag_days'],
    exceptions: settings['hosts.repository_max_lag_exceptions'].flatMap(
      (text) => parseLagException(text) ?? [],
    ),
  };
}

/** The smallest number of days in these rules. */
export function leastLagDays({ defaultDays, exceptions }: LagRules): number {
  return Math.min(defaultDays, ...exceptions.map(({ days }) => days));
}

/** A text that is unique per settings: hosts judged under another one are judged again. */
export function lagFingerprint(lag: LagRules): string {
  return JSON.stringify(lag);
}

/**
 * SQL: a digest of everything besides reports that affects the judgement of a host in `hosts h`: the settings'
 * fingerprint and its tags.
 */
export function judgedBySql(fingerprint: string): string {
  return `md5(${fingerprint}::text || ' ' || array_to_string(h.tags, ' '))`;
}

/** The input for judging a host's copies of repositories. */
export interface HostToJudge {
  readonly tags: readonly string[];
  readonly platform: Platform;
  readonly repositories: readonly Repository[];
  /** Null if an older version of the service stored the facts without vendors. */
  readonly vendors: readonly string[] | null;
  readonly refreshed: readonly RepositoryRefresh[];
  readonly failures: readonly SectionFailure[];
}

/** A judged copy, as stored. */
export interface JudgedCopyRow {
  readonly source: string;
  readonly url: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly enabled: boolean;
  readonly used: boolean;
  readonly publishedAt: Date | null;
  readonly validUntil: Date | null;
  readonly error: string;
  readonly maxLagDays: number;
  readonly state: RepositoriesState;
  readonly reason: CopyReason;
  /** Null if no other host can have the same repository. */
  readonly identityKey: string | null;
}

/** The judged copies of a host and their overall state. */
interface JudgedCopies {
  readonly rows: readonly JudgedCopyRow[];
  readonly state: RepositoriesState;
  readonly validUntil: Date | null;
  /** What the host's tool says about a used repository that fails; empty if none is known to. */
  readonly error: string;
}

/** The copies of a stored host, by source. */
export function copiesOf({ vendors, ...host }: HostToJudge): readonly RepositoryCopy[] {
  return repositoryCopies({ ...host, vendors: vendors === null ? null : new Set(vendors) });
}

/**
 * Judges the copies of a stored host.
 * @param newest the newest dates of each repository, by identity key.
 */
export function judgeCopies(
  host: HostToJudge,
  lag: LagRules,
  newest: ReadonlyMap<string, NewestDates>,
  now: Date,
): JudgedCopies {
  const { copies, error, ...verdict } = judgeRepositories(copiesOf(host), {
    lag,
    tags: host.tags,
    failures: host.failures,
    newestOf: (key) => newest.get(key) ?? null,
    now,
  });
  const rows = copies.map(({ copy, maxLagDays, state, reason }) => ({
    ...rowOf(copy),
    maxLagDays,
    state,
    reason,
  }));
  return { rows, error: error.slice(0, longestError), ...verdict };
}

/** A list shows it in one line. */
const longestError = 300;

function rowOf(copy: RepositoryCopy): Omit<JudgedCopyRow, 'maxLagDays' | 'state' | 'reason'> {
  const { identity, isUsed, fetchedAt: _, ...said } = copy;
  return { ...said, used: isUsed, identityKey: identity?.key ?? null };
}

/** A host's judged copies, ready for storage. */
export interface JudgedHost {
  readonly hostId: HostId;
  readonly rows: readonly (JudgedCopyRow & {
    readonly repositoryId: number | null;
    readonly counted: boolean;
  })[];
  readonly state: RepositoriesState;
  readonly validUntil: Date | null;
  readonly error: string;
  /** The digest of the settings and tags under which it was judged. */
  readonly judgedBy: string;
}

/** Stores the judged copies of hosts; writes only rows that differ. The caller has locked the hosts' contacts. */
export async function writeJudged(tx: PgTransaction, hosts: readonly JudgedHost[]): Promise<void> {
  if (hosts.length === 0) return;
  const rows = hosts.flatMap(({ hostId, rows }) => rows.map((row) => ({ hostId, ...row })));
  await tx.query(
    // NOT IN is hashed; PostgreSQL plans an anti-join of two unnested arrays as a nested loop.
    `DELETE FROM host_repositories r WHERE r.host_id = ANY($1::uuid[])
       AND (r.host_id, r.source) NOT IN (SELECT * FROM unnest($2::uuid[], $3::text[]))`,
    [hosts.map(({ hostId }) => hostId), rows.map(({ hostId }) => hostId), rows.map(({ source }) => source)],
  );
  const copies = rowTable(
    `host_id uuid, source text, repository_id int?, url text, origin text, suite text, component text, enabled bool,
     used bool, counted bool, published_at timestamptz?, valid_until timestamptz?, error text, max_lag_days int, state text,
     reason text`,
    rows,
  );
  const written = copies.columns.split(', ').slice(1);
  const of = (alias: string) => written.map((name) => `${alias}.${name}`).join(', ');
  await tx.query(
    `INSERT INTO host_repositories (${copies.columns}) SELECT * FROM ${copies.table} n
     ON CONFLICT (host_id, source) DO UPDATE SET (${written.join(', ')}) = ROW (${of('excluded')})
       WHERE (${of('host_repositories')}) IS DISTINCT FROM (${of('excluded')})`,
    copies.values,
  );
  const judged = rowTable(
    'host_id uuid, state text, valid_until timestamptz?, error text, judged_by text',
    hosts,
  );
  await tx.query(
    `UPDATE host_contacts c SET repositories_state = n.state, repositories_valid_until = n.valid_until,
       repository_error = n.error
     FROM ${judged.table} n WHERE c.host_id = n.host_id
       AND (c.repositories_state, c.repositories_valid_until, c.repository_error)
         IS DISTINCT FROM (n.state, n.valid_until, n.error)`,
    judged.values,
  );
  await tx.query(
    `UPDATE host_refreshes r SET due = false, judged_by = n.judged_by FROM ${judged.table} n
     WHERE r.host_id = n.host_id AND (r.due OR r.judged_by <> n.judged_by)`,
    judged.values,
  );
}
