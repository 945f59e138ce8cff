import type { LagRules, RepositoryIdentity } from '@plimsoll/advisories';
import type { HostId } from '@plimsoll/model';
import type { PgTransaction } from '../connection/pg-transaction.ts';
import { readRepositoryFacts, repositoryFactsColumn } from '../snapshots/stored-facts.ts';
import {
  copiesOf,
  type HostToJudge,
  type JudgedCopyRow,
  type JudgedHost,
  judgeCopies,
  writeJudged,
} from './judged-copies.ts';
import { internRepositories, type KnownRepository } from './known-repositories.ts';
import { judgedBySql, lagFingerprint } from './lag-rules.ts';
import { readRefreshes, type StoredRefresh } from './stored-refreshes.ts';

interface LoadedHost extends HostToJudge {
  readonly hostId: HostId;
  readonly judgedBy: string;
}

type HostRow = Pick<LoadedHost, 'hostId' | 'judgedBy' | 'tags'> & {
  /** Parsed by readRepositoryFacts. */
  readonly storedFacts: unknown;
  readonly refreshes: readonly StoredRefresh[];
};

/**
 * Judges the hosts' copies of their repositories, from their newest matched snapshot and newest observation. Skips
 * hosts without a report. The caller has locked the hosts against deletion. Returns the repositories of the copies,
 * because their newest known dates may have to move.
 */
export async function judgeHosts(
  tx: PgTransaction,
  hostIds: readonly HostId[],
  lag: LagRules,
): Promise<readonly number[]> {
  if (hostIds.length === 0) return [];
  // Lock order: new repositories, which other transactions wait for, before contacts.
  await internRepositories(tx, identitiesOf(await load(tx, hostIds, lag)));
  await tx.query(
    'SELECT FROM host_contacts WHERE host_id = ANY($1::uuid[]) ORDER BY host_id FOR NO KEY UPDATE',
    [hostIds],
  );
  const hosts = await load(tx, hostIds, lag);
  const known = await internRepositories(tx, identitiesOf(hosts));
  const now = new Date();
  const judged = hosts.map((host): JudgedHost => {
    const { rows, ...verdict } = judgeCopies(host, lag, known, now);
    return { hostId: host.hostId, judgedBy: host.judgedBy, rows: counted(rows, known), ...verdict };
  });
  await writeJudged(tx, judged);
  return [...new Set([...known.values()].map(({ id }) => id))];
}

async function load(tx: PgTransaction, hostIds: readonly HostId[], lag: LagRules): Promise<LoadedHost[]> {
  const { rows } = await tx.query<HostRow>(
    `SELECT h.id AS "hostId", h.tags, ${judgedBySql('$2')} AS "judgedBy",
       ${repositoryFactsColumn} AS "storedFacts",
       coalesce(r.refreshes, '[]') AS refreshes
     FROM hosts h JOIN host_state hs ON hs.host_id = h.id JOIN snapshots s ON s.id = hs.snapshot_id
     LEFT JOIN host_refreshes r ON r.host_id = h.id
     WHERE h.id = ANY($1::uuid[]) ORDER BY h.id`,
    [hostIds, lagFingerprint(lag)],
  );
  return rows.map(({ refreshes, storedFacts, ...host }) => {
    const { platform, repositories, vendors = null } = readRepositoryFacts(storedFacts);
    return { ...host, platform, repositories, vendors, refreshed: readRefreshes(refreshes) };
  });
}

function identitiesOf(hosts: readonly LoadedHost[]): readonly RepositoryIdentity[] {
  return hosts.flatMap((host) =>
    copiesOf(host).flatMap(({ identity }) => (identity === null ? [] : [identity])),
  );
}

/** Of several copies of one repository, only the newest counts for the host. */
function counted(
  rows: readonly JudgedCopyRow[],
  known: ReadonlyMap<string, KnownRepository>,
): JudgedHost['rows'] {
  const newest = new Map<string, JudgedCopyRow>();
  for (const row of rows) {
    if (row.identityKey === null || !row.enabled || row.publishedAt === null) continue;
    const other = newest.get(row.identityKey)?.publishedAt ?? null;
    if (other === null || row.publishedAt > other) newest.set(row.identityKey, row);
  }
  return rows.map((row) => ({
    ...row,
    repositoryId: row.identityKey === null ? null : (known.get(row.identityKey)?.id ?? null),
    counted: row.identityKey !== null && newest.get(row.identityKey) === row,
  }));
}
