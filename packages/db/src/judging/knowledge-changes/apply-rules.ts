import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { rulesVersion } from '@plimsoll/advisories';
import type { Release } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../../core/database.ts';
import { changeAdvisories } from '../../core/locks.ts';
import { rowTable } from '../../core/row-table.ts';
import { classifyVersion } from '../../ingest/interned-rows.ts';
import { feedsOfRelease, releaseFacts } from '../../ingest/releases.ts';
import { resubmitSnapshots } from '../../ingest/resubmit-snapshots.ts';
import { letFreshestSpeak, updateCoverage } from '../../knowledge/coverage.ts';
import { beginKnowledgeChange } from '../../knowledge/knowledge-change.ts';
import { rematchVersions } from '../../knowledge/match-versions.ts';
import { noteVersionChange, type StoredPackageVersion } from '../../knowledge/package-versions.ts';
import { unmatchedIds } from '../../knowledge/version-arrivals.ts';
import type { HostCounter } from '../counting/host-counter.ts';
import { recountChangedHosts } from '../counting/recount-hosts.ts';

/** Counts of what applying the current rules changed. */
export interface AppliedRules {
  readonly versions: number;
  readonly hosts: number;
  /** Snapshots of releases without a feed, submitted for parsing and matching again. */
  readonly resubmitted: number;
}

/** The pause between two attempts to take the lock. */
const lockRetryMs = 1_000;

const lock = createHash('sha256').update('plimsoll current rules').digest().readBigInt64BE(0).toString();

/**
 * Brings everything that older rules judged up to the current rules: classifies and matches package versions, counts
 * the hosts of their releases, and resubmits the snapshots of releases without a feed. One process at a time does this;
 * others wait for the lock and find nothing to do. Resumes after an interruption, and stops between two pieces when
 * `signal` aborts.
 */
export async function applyCurrentRules(
  db: Database,
  work: { readonly counter: HostCounter; readonly signal: AbortSignal },
): Promise<AppliedRules> {
  const client = await db.pool.connect();
  let sound = false;
  try {
    while (!(await tryLock(client))) await setTimeout(lockRetryMs, undefined, { signal: work.signal });
    const applied = await applyAll(db, work);
    await client.query('SELECT pg_advisory_unlock($1)', [lock]);
    sound = true;
    return applied;
  } finally {
    // After an error the connection may still hold the lock: close it.
    client.release(!sound);
  }
}

async function tryLock(client: PgTransaction): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
  return rows[0]?.taken === true;
}

async function applyAll(
  db: Database,
  work: { readonly counter: HostCounter; readonly signal: AbortSignal },
): Promise<AppliedRules> {
  const { rows: releases } = await db.pool.query<OutdatedRelease>(
    `SELECT id, name, feed_id AS "feedId" FROM releases r
     WHERE rules < $1 OR EXISTS (SELECT FROM package_versions v WHERE v.release_id = r.id AND v.rules < $1)
     ORDER BY id`,
    [rulesVersion],
  );
  const applied = { versions: 0, hosts: 0, resubmitted: 0 };
  if (releases.length > 0) await updateReleases(db, releases);
  for (const release of releases) {
    applied.versions += await reclassifyVersions(db, release, work.signal);
    if (release.feedId === null) applied.resubmitted += await resubmitSnapshots(db, release.id, work.signal);
    await endRelease(db, release);
  }
  await noteHostsWithoutList(db);
  applied.hosts = await recountChangedHosts(db, work);
  return applied;
}

/** Notes the releases of hosts that a version of the service without finding lists counted, so that they are counted. */
async function noteHostsWithoutList(db: Database): Promise<void> {
  const { rows } = await db.pool.query<{ name: Release }>(
    `SELECT DISTINCT r.name FROM host_state hs JOIN releases r ON r.id = hs.release_id
     WHERE hs.snapshot_id IS NOT NULL AND hs.finding_list_id IS NULL ORDER BY r.name`,
  );
  if (rows.length === 0) return;
  await inPgTransaction(db.pool, async (tx) => {
    await changeAdvisories(tx);
    await noteVersionChange(tx, { versions: [], releases: rows.map(({ name }) => name) });
  });
}

/** Last, so that an interrupted release is repeated. Its hosts are counted with those of the other releases. */
async function endRelease(db: Database, { id, name }: OutdatedRelease): Promise<void> {
  await inPgTransaction(db.pool, async (tx) => {
    await changeAdvisories(tx);
    await tx.query('UPDATE releases SET rules = $2 WHERE id = $1', [id, rulesVersion]);
    await noteVersionChange(tx, { versions: [], releases: [name] });
  });
}

/** All at once, because what feeds cover is read for all releases together. */
async function updateReleases(db: Database, releases: readonly OutdatedRelease[]): Promise<void> {
  await inPgTransaction(db.pool, async (tx) => {
    for (const { id, name } of releases) {
      const { feedId, endsAt } = releaseFacts(name);
      await tx.query(
        'INSERT INTO feeds (id) SELECT $1::text WHERE $1::text IS NOT NULL ON CONFLICT DO NOTHING',
        [feedId],
      );
      await tx.query(
        `UPDATE releases SET ends_at = $2, feed_id = CASE WHEN feed_id = ANY($4::text[]) THEN feed_id ELSE $3 END
         WHERE id = $1`,
        [id, endsAt, feedId, feedsOfRelease(name)],
      );
    }
    await letFreshestSpeak(tx, null);
    await updateCoverage(tx, null);
  });
}

/** A release with data that older rules judged. */
interface OutdatedRelease {
  readonly id: number;
  readonly name: Release;
  /** Null: no feed was assigned to the release. */
  readonly feedId: string | null;
}

/** Versions changed per transaction. Uploads can be matched between two transactions. */
const versionsPerPiece = 2_000;

/**
 * Classifies and matches the versions of a release that older rules judged; returns their number. Stops between two
 * pieces when `signal` aborts.
 */
async function reclassifyVersions(
  db: Database,
  release: OutdatedRelease,
  signal: AbortSignal,
): Promise<number> {
  let versions = 0;
  for (;;) {
    signal.throwIfAborted();
    const piece = await reclassifyPiece(db, release);
    versions += piece;
    if (piece < versionsPerPiece) return versions;
  }
}

type OutdatedVersion = Omit<StoredPackageVersion, 'matchName' | 'matchKey' | 'verdict'> & {
  readonly matched: boolean;
};

/** Classifies and matches the next piece of a release's versions; returns its size. */
async function reclassifyPiece(db: Database, release: OutdatedRelease): Promise<number> {
  return inPgTransaction(db.pool, async (tx) => {
    await changeAdvisories(tx);
    // Without the stored verdict, match name and key: classifying replaces them.
    const { rows } = await tx.query<OutdatedVersion>(
      `SELECT v.id, v.release_id AS "releaseId", r.name AS release, v.name, v.architecture, v.version,
              v.source_name AS "sourceName", v.source_version AS "sourceVersion", v.vendor, v.suite, v.module, v.unfinished,
              v.id NOT IN (${unmatchedIds}) AS matched
       FROM package_versions v JOIN releases r ON r.id = v.release_id
       WHERE v.release_id = $1 AND v.rules < $2 ORDER BY v.id LIMIT $3 FOR UPDATE OF v`,
      [release.id, rulesVersion, versionsPerPiece],
    );
    if (rows.length === 0) return 0;
    const versions = rows.map((row) => ({ ...row, ...classifyVersion(row, release.name) }));
    const { table, values } = rowTable(
      'id int, match_name text?, match_key bytea?, verdict jsonb, rules int',
      versions,
    );
    await tx.query(
      `UPDATE package_versions v SET match_name = n.match_name, match_key = n.match_key, verdict = n.verdict, rules = n.rules
       FROM ${table} n WHERE v.id = n.id`,
      values,
    );
    const change = await beginKnowledgeChange(tx, 'rules');
    await rematchVersions(
      tx,
      versions.filter(({ matched }) => matched),
      change,
    );
    await change.ledger.write(tx, change.id);
    // The hosts of the whole release are counted afterwards.
    await noteVersionChange(tx, { versions: versions.map(({ id }) => id) }, { counted: true });
    return rows.length;
  });
}
