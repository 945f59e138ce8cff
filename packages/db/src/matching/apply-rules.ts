import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { rulesVersion } from '@plimsoll/advisories';
import { inPgTransaction, type PgTransaction } from '../connection/pg-transaction.ts';
import type { Database } from '../database.ts';
import { feedsOfRelease, releaseFacts } from '../interning/classify-version.ts';
import { updateCoverage } from './coverage.ts';
import type { HostCounter } from './host-counter.ts';
import type { OutdatedRelease } from './outdated-release.ts';
import { reclassifyVersions } from './reclassify-versions.ts';
import { recountRelease } from './recount-release.ts';
import { resubmitSnapshots } from './resubmit-snapshots.ts';

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
  for (const release of releases) {
    await updateRelease(db, release);
    applied.versions += await reclassifyVersions(db, release, work.signal);
    applied.hosts += await recountRelease(db, release, work);
    if (release.feedId === null) applied.resubmitted += await resubmitSnapshots(db, release.id, work.signal);
    // Last, so that an interrupted release is repeated.
    await db.pool.query('UPDATE releases SET rules = $2 WHERE id = $1', [release.id, rulesVersion]);
  }
  return applied;
}

async function updateRelease(db: Database, { id, name }: OutdatedRelease): Promise<void> {
  const { feedId, endsAt } = releaseFacts(name);
  await inPgTransaction(db.pool, async (tx) => {
    await tx.query(
      'INSERT INTO feeds (id) SELECT $1::text WHERE $1::text IS NOT NULL ON CONFLICT DO NOTHING',
      [feedId],
    );
    await tx.query(
      `UPDATE releases SET ends_at = $2, feed_id = CASE WHEN feed_id = ANY($4::text[]) THEN feed_id ELSE $3 END
       WHERE id = $1`,
      [id, endsAt, feedId, feedsOfRelease(name)],
    );
    await updateCoverage(tx);
  });
}
