import { groupBy, type HistoryResolution, type PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import { decodePackageSet, encodePackageSet } from '../../ingest/package-set.ts';
import { changedIdsIn } from './package-changes.ts';

/** What a snapshot says of a time at which one counted that was folded into it. */
export interface FoldedAt {
  readonly resolution: HistoryResolution;
  /** The last time until then at which the host is known to have been in contact, to six hours. */
  readonly contactAt: Date;
  /** Ids in `upgrades` of what was offered until then, the newest last. */
  readonly offers: readonly number[];
}

/**
 * SQL: the sequence of the snapshot of host $1 that counted at the time $2, or into which that one was folded; null without
 * one. Of a time whose snapshot was folded, packages, kernel and release are known exactly, everything else as of the snapshot
 * that is kept. Read the snapshot in the same statement: folding can replace it at any time.
 */
export const sequenceAtBySql = `coalesce(
  (SELECT n.sequence FROM snapshots n JOIN folded_snapshots f ON f.snapshot_id = n.id
   WHERE n.host_id = $1 AND f.first_at <= $2 AND n.received_at > $2 ORDER BY n.sequence LIMIT 1),
  (SELECT n.sequence FROM snapshots n
   WHERE n.host_id = $1 AND n.sequence <= (SELECT sequence FROM host_state WHERE host_id = $1) AND n.received_at <= $2
   ORDER BY n.sequence DESC LIMIT 1))`;

/**
 * SQL: the columns of FoldedAt, all null if the snapshot itself counted at the time $2. `s`: the snapshot by
 * sequenceAtBySql, `fold`: its row of folded_snapshots.
 */
export const foldedAtBySql = Object.entries({
  resolution: 'fold.resolution',
  contactAt: `coalesce((SELECT max(u.since) FROM unnest(fold.silent_from, fold.silent_until) AS u (since, until)
    WHERE u.since <= $2 AND u.until > $2), $2)`,
  offers: `coalesce((SELECT p.upgrade_ids FROM snapshots p WHERE p.host_id = s.host_id AND p.sequence < s.sequence
      ORDER BY p.sequence DESC LIMIT 1), '{}')
    || ARRAY(SELECT u.id FROM unnest(fold.offer_ids, fold.offered_at) AS u (id, at) WHERE u.at <= $2 ORDER BY u.at)`,
} satisfies Record<keyof FoldedAt, string>)
  .map(([column, value]) => `CASE WHEN s.received_at > $2 THEN ${value} END AS "${column}"`)
  .join(', ');

/** The part of a host's row that is known of a time between snapshots. */
export interface ContentAt {
  /** An encoded package set. */
  readonly ids: Uint8Array;
  readonly upgradeIds: readonly number[];
}

/** What a host had installed, and was offered, at a time. @param kept the snapshot into which the one of the time was folded */
export async function contentAt(
  client: Statements,
  {
    hostId,
    at,
    kept,
    offers,
  }: {
    readonly hostId: string;
    readonly at: Date;
    readonly kept: { readonly sequence: string; readonly ids: Uint8Array };
    readonly offers: FoldedAt['offers'];
  },
): Promise<ContentAt> {
  const { rows } = await client.query<{ fromId: PackageVersionId | null; toId: PackageVersionId | null }>(
    `SELECT nullif(c.from_id, 0) AS "fromId", nullif(c.to_id, 0) AS "toId"
     FROM package_changes p CROSS JOIN LATERAL ${changedIdsIn('p')}
     WHERE p.host_id = $1 AND p.sequence <= $2 AND p.at > $3 ORDER BY p.sequence DESC, c.n DESC`,
    [hostId, kept.sequence, at],
  );
  const installed = new Set(decodePackageSet(kept.ids));
  for (const { fromId, toId } of rows) {
    if (toId !== null) installed.delete(toId);
    if (fromId !== null) installed.add(fromId);
  }
  const ids = [...installed];
  return { ids: encodePackageSet(ids).ids, upgradeIds: await offersOf(client, ids, offers) };
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
