import { rulesVersion } from '@plimsoll/advisories';
import { changeAdvisories } from '../connection/match-lock.ts';
import { inPgTransaction } from '../connection/pg-transaction.ts';
import type { Database } from '../database.ts';
import { classifyVersion } from '../interning/classify-version.ts';
import { writeMatches } from './match-versions.ts';
import type { OutdatedRelease } from './outdated-release.ts';
import type { StoredPackageVersion } from './package-versions.ts';

/** Versions changed per transaction. Uploads can be matched between two transactions. */
const versionsPerPiece = 2_000;

/**
 * Classifies and matches the versions of a release that older rules judged; returns their number. Stops between two
 * pieces when `signal` aborts.
 */
export async function reclassifyVersions(
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
              v.source_name AS "sourceName", v.source_version AS "sourceVersion", v.vendor, v.suite, v.module, v.matched
       FROM package_versions v JOIN releases r ON r.id = v.release_id
       WHERE v.release_id = $1 AND v.rules < $2 ORDER BY v.id LIMIT $3 FOR UPDATE OF v`,
      [release.id, rulesVersion, versionsPerPiece],
    );
    if (rows.length === 0) return 0;
    const versions = rows.map((row) => ({ ...row, ...classifyVersion(row, release.name) }));
    await tx.query(
      `UPDATE package_versions v SET match_name = n.match_name, match_key = n.match_key, verdict = n.verdict, rules = $5
       FROM unnest($1::int[], $2::text[], $3::bytea[], $4::jsonb[]) AS n (id, match_name, match_key, verdict)
       WHERE v.id = n.id`,
      [
        versions.map(({ id }) => id),
        versions.map(({ matchName }) => matchName),
        versions.map(({ matchKey }) => (matchKey === null ? null : Buffer.from(matchKey))),
        versions.map(({ verdict }) => JSON.stringify(verdict)),
        rulesVersion,
      ],
    );
    await writeMatches(
      tx,
      versions.filter(({ matched }) => matched),
    );
    // Any feed will do: a change of one epoch empties the caches of all counters.
    await tx.query('UPDATE feeds SET epoch = epoch + 1 WHERE id = (SELECT min(id) FROM feeds)');
    return rows.length;
  });
}
