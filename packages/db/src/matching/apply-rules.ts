import { createHash } from 'node:crypto';
import type { Platform, Release } from '@plimsoll/model';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { updateCoverage } from '../feeds/end-import.ts';
import type { ClassifiedPackageVersion, PackageVersionIdentity, ReleaseFacts } from '../interning.ts';
import { type CountableSnapshot, countableColumns, type HostCounter } from './host-counter.ts';
import { writeHostCounts } from './host-state.ts';
import { changeAdvisories, holdAdvisories } from './match-lock.ts';
import { type MatchRule, writeMatches } from './match-versions.ts';
import { resubmitSnapshots } from './resubmit-snapshots.ts';
import { packageVersionColumns, type StoredPackageVersion } from './statements.ts';

/** The rules as they are now, to be applied to what earlier ones stored. Pure; see @plimsoll/posture. */
export interface CurrentRules {
  readonly version: number;
  classify(identity: PackageVersionIdentity, release: Release): ClassifiedPackageVersion;
  releaseFacts(release: Release): ReleaseFacts;
  /** Whether a host of a platform runs a release that a distribution of ours owns. */
  isKnown(platform: Platform): boolean;
  /** Every feed that can speak for a release. */
  feedsOf(release: Release): readonly string[];
}

/** What applying rules changed. */
export interface AppliedRules {
  readonly versions: number;
  readonly hosts: number;
  /** Snapshots of releases that were unknown, to be parsed and matched again. */
  readonly resubmitted: number;
}

/** Pieces that are changed in one transaction each, so that uploads can be matched in between. */
const versionsPerPiece = 2_000;
const hostsPerPiece = 500;

const lock = createHash('sha256').update('plimsoll current rules').digest().readBigInt64BE(0).toString();

/**
 * Judges again what rules of an older version judged: classifies and matches package versions, counts the hosts of their
 * releases, and lets hosts of releases that nobody knew begin anew. One process at a time does; others wait and find
 * nothing to do. Goes on where it was interrupted, and stops between two pieces when `signal` aborts.
 */
export async function applyCurrentRules(
  db: Database,
  rules: CurrentRules,
  work: { readonly match: MatchRule; readonly counter: HostCounter; readonly signal: AbortSignal },
): Promise<AppliedRules> {
  const client = await db.pool.connect();
  let sound = false;
  try {
    while (!(await tryLock(client))) {
      work.signal.throwIfAborted();
      await pause(work.signal);
    }
    const applied = await applyAll(db, rules, work);
    await client.query('SELECT pg_advisory_unlock($1)', [lock]);
    sound = true;
    return applied;
  } finally {
    // A connection left in the middle still holds the lock: close it.
    client.release(!sound);
  }
}

async function tryLock(client: Transaction): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
  return rows[0]?.taken === true;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, 1_000);
    signal.addEventListener('abort', wake, { once: true });
  });
}

interface OutdatedRelease {
  readonly id: number;
  readonly name: Release;
  /** Null: nobody could say anything of it. */
  readonly feedId: string | null;
}

async function applyAll(
  db: Database,
  rules: CurrentRules,
  work: { readonly match: MatchRule; readonly counter: HostCounter; readonly signal: AbortSignal },
): Promise<AppliedRules> {
  const { rows: releases } = await db.pool.query<OutdatedRelease>(
    `SELECT id, name, feed_id AS "feedId" FROM releases r
     WHERE rules < $1 OR EXISTS (SELECT FROM package_versions v WHERE v.release_id = r.id AND v.rules < $1)
     ORDER BY id`,
    [rules.version],
  );
  const applied = { versions: 0, hosts: 0, resubmitted: 0 };
  for (const release of releases) {
    await updateRelease(db, release, rules);
    for (;;) {
      work.signal.throwIfAborted();
      const versions = await reclassifyPiece(db, release, rules, work.match);
      applied.versions += versions;
      if (versions < versionsPerPiece) break;
    }
    applied.hosts += await recountRelease(db, release, work);
    if (release.feedId === null)
      applied.resubmitted += await resubmitSnapshots(db, release.id, rules.isKnown, work.signal);
    // Last, so that what was interrupted begins again.
    await db.pool.query('UPDATE releases SET rules = $2 WHERE id = $1', [release.id, rules.version]);
  }
  return applied;
}

async function updateRelease(
  db: Database,
  { id, name }: OutdatedRelease,
  rules: CurrentRules,
): Promise<void> {
  const { feedId, endsAt } = rules.releaseFacts(name);
  await inTransaction(db.pool, async (tx) => {
    await tx.query(
      'INSERT INTO feeds (id) SELECT $1::text WHERE $1::text IS NOT NULL ON CONFLICT DO NOTHING',
      [feedId],
    );
    await tx.query(
      `UPDATE releases SET ends_at = $2, feed_id = CASE WHEN feed_id = ANY($4::text[]) THEN feed_id ELSE $3 END
       WHERE id = $1`,
      [id, endsAt, feedId, rules.feedsOf(name)],
    );
    await updateCoverage(tx);
  });
}

/** Classifies and matches the next versions of a release; answers how many. */
async function reclassifyPiece(
  db: Database,
  release: OutdatedRelease,
  rules: CurrentRules,
  match: MatchRule,
): Promise<number> {
  return inTransaction(db.pool, async (tx) => {
    await changeAdvisories(tx);
    const { rows } = await tx.query<StoredPackageVersion & { matched: boolean }>(
      `SELECT ${packageVersionColumns}, v.matched FROM package_versions v JOIN releases r ON r.id = v.release_id
       WHERE v.release_id = $1 AND v.rules < $2 ORDER BY v.id LIMIT $3 FOR UPDATE OF v`,
      [release.id, rules.version, versionsPerPiece],
    );
    if (rows.length === 0) return 0;
    const versions = rows.map((row) => ({ ...row, ...rules.classify(row, release.name) }));
    await tx.query(
      `UPDATE package_versions v SET match_name = n.match_name, match_key = n.match_key, verdict = n.verdict, rules = $5
       FROM unnest($1::int[], $2::text[], $3::bytea[], $4::jsonb[]) AS n (id, match_name, match_key, verdict)
       WHERE v.id = n.id`,
      [
        versions.map(({ id }) => id),
        versions.map(({ matchName }) => matchName),
        versions.map(({ matchKey }) => (matchKey === null ? null : Buffer.from(matchKey))),
        versions.map(({ verdict }) => JSON.stringify(verdict)),
        rules.version,
      ],
    );
    await writeMatches(
      tx,
      versions.filter(({ matched }) => matched),
      match,
    );
    // Any feed will do: what is kept between counts is void when their sum has moved.
    await tx.query('UPDATE feeds SET epoch = epoch + 1 WHERE id = (SELECT min(id) FROM feeds)');
    return rows.length;
  });
}

async function recountRelease(
  db: Database,
  release: OutdatedRelease,
  { counter, signal }: { readonly counter: HostCounter; readonly signal: AbortSignal },
): Promise<number> {
  let hosts = 0;
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const counted: readonly CountableSnapshot[] = await inTransaction(db.pool, async (tx) => {
      await holdAdvisories(tx);
      const { rows } = await tx.query<CountableSnapshot>(
        `SELECT ${countableColumns}
         FROM host_state hs JOIN snapshots s ON s.id = hs.snapshot_id JOIN package_sets ps ON ps.id = s.set_id
         JOIN releases r ON r.id = s.release_id
         WHERE ($1::uuid IS NULL OR hs.host_id > $1) AND hs.release_id = $2
         ORDER BY hs.host_id LIMIT $3 FOR UPDATE OF hs`,
        [after, release.id, hostsPerPiece],
      );
      await writeHostCounts(tx, rows, await counter.count(tx, rows));
      return rows;
    });
    hosts += counted.length;
    const last = counted.at(-1);
    if (last === undefined || counted.length < hostsPerPiece) return hosts;
    after = last.hostId;
  }
}
