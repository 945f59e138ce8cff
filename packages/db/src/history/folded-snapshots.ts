import { groupBy, type HistoryResolution, type PackageVersionId, type UploadId } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';
import { decodePackageSet, encodePackageSet } from '../interning/package-set.ts';
import { changedIdsIn } from './package-changes.ts';

/** A snapshot into which the one that counted at a time was folded. */
export interface FoldedAt {
  readonly id: UploadId;
  readonly sequence: string;
  readonly resolution: HistoryResolution;
  /** The last time until then at which the host is known to have been in contact, to six hours. */
  readonly contactAt: Date;
  /** Ids in `upgrades` of what was offered until then, the newest last. */
  readonly offers: readonly number[];
}

/**
 * The snapshot into which the one that counted at a time was folded; null: the newest one received by then is stored. Of
 * such a time packages, kernel and release are known exactly, everything else as of the snapshot that is kept.
 */
export async function findFoldedAt(client: Statements, hostId: string, at: Date): Promise<FoldedAt | null> {
  const { rows } = await client.query<FoldedAt>(
    `SELECT s.id, s.sequence, f.resolution,
       coalesce((SELECT max(u.since) FROM unnest(f.silent_from, f.silent_until) AS u (since, until)
                 WHERE u.since <= $2 AND u.until > $2), $2) AS "contactAt",
       coalesce((SELECT p.upgrade_ids FROM snapshots p WHERE p.host_id = s.host_id AND p.sequence < s.sequence
                 ORDER BY p.sequence DESC LIMIT 1), '{}')
         || ARRAY(SELECT u.id FROM unnest(f.offer_ids, f.offered_at) AS u (id, at) WHERE u.at <= $2 ORDER BY u.at) AS offers
     FROM snapshots s JOIN folded_snapshots f ON f.snapshot_id = s.id
     WHERE s.host_id = $1 AND f.first_at <= $2 AND s.received_at > $2 ORDER BY s.sequence LIMIT 1`,
    [hostId, at],
  );
  return rows[0] ?? null;
}

/** When the oldest snapshot that was folded into the host's first stored one was received; null: none was. */
export async function findFirstFolded(client: Statements, hostId: string): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    `SELECT f.first_at AS at FROM snapshots s LEFT JOIN folded_snapshots f ON f.snapshot_id = s.id
     WHERE s.host_id = $1 ORDER BY s.sequence LIMIT 1`,
    [hostId],
  );
  return rows[0]?.at ?? null;
}

/** The part of a host's row that is known of a time between snapshots. */
export interface ContentAt {
  /** An encoded package set. */
  readonly ids: Uint8Array;
  readonly upgradeIds: readonly number[];
}

/** What a host had installed, and was offered, at a time. @param kept the package set of the folded snapshot */
export async function contentAt(
  client: Statements,
  {
    hostId,
    at,
    folded,
    kept,
  }: {
    readonly hostId: string;
    readonly at: Date;
    readonly folded: FoldedAt;
    readonly kept: Uint8Array;
  },
): Promise<ContentAt> {
  const { rows } = await client.query<{ fromId: PackageVersionId | null; toId: PackageVersionId | null }>(
    `SELECT nullif(c.from_id, 0) AS "fromId", nullif(c.to_id, 0) AS "toId"
     FROM package_changes p CROSS JOIN LATERAL ${changedIdsIn('p')}
     WHERE p.host_id = $1 AND p.sequence <= $2 AND p.at > $3 ORDER BY p.sequence DESC, c.n DESC`,
    [hostId, folded.sequence, at],
  );
  const installed = new Set(decodePackageSet(kept));
  for (const { fromId, toId } of rows) {
    if (toId !== null) installed.delete(toId);
    if (fromId !== null) installed.add(fromId);
  }
  const ids = [...installed];
  return { ids: encodePackageSet(ids).ids, upgradeIds: await offersOf(client, ids, folded.offers) };
}

/** Of the offers those for an installed version or of a new package; of several for one package the last. */
async function offersOf(
  client: Statements,
  installed: readonly PackageVersionId[],
  offers: readonly number[],
): Promise<readonly number[]> {
  if (offers.length === 0) return [];
  const { rows } = await client.query<{ id: number; package: string }>(
    `SELECT u.id, u.name || ' ' || u.architecture AS package
     FROM unnest($1::int[]) WITH ORDINALITY AS o (id, place) JOIN upgrades u USING (id)
     WHERE u.installed_version = '' OR EXISTS (
       SELECT FROM package_versions v WHERE v.id = ANY ($2::int[]) AND v.name = u.name
         AND v.architecture = u.architecture AND v.version = u.installed_version)
     ORDER BY o.place`,
    [offers, installed],
  );
  return [...groupBy(rows, (row) => row.package).values()].flatMap((some) => some.at(-1)?.id ?? []);
}
