import type { ReleaseLifecycle } from '@plimsoll/advisories';
import type { Lifecycle, Release } from '@plimsoll/model';
import type pg from 'pg';
import { changeAdvisories } from '../../core/locks.ts';
import { rowTable } from '../../core/row-table.ts';
import type { Statements } from '../../core/transaction.ts';
import { noteVersionChange } from '../package-versions.ts';

/** A release's support period with the feed that states it. */
export interface ImportedLifecycle extends ReleaseLifecycle {
  readonly feedId: string;
}

/** The result of importing lifecycles. */
interface LifecycleOutcome {
  readonly changed: number;
  readonly removed: number;
}

/**
 * Stores lifecycles, removes those of `completeFeeds` that are missing from the import, and notes every release
 * whose lifecycle changed, so that its hosts are counted again. Runs in the caller's transaction.
 */
export async function applyLifecycles(
  client: pg.PoolClient,
  lifecycles: readonly ImportedLifecycle[],
  completeFeeds: readonly string[],
): Promise<LifecycleOutcome> {
  const names = lifecycles.map(({ release }) => release);
  const { table, columns, values } = rowTable(
    'release text, feed_id text, ends_at timestamptz, extended jsonb',
    lifecycles.map(({ release, feedId, lifecycle }) => ({ release, feedId, extended: [], ...lifecycle })),
  );
  const changed = await client.query<{ release: Release }>(
    `INSERT INTO release_lifecycles (${columns}) SELECT * FROM ${table} n ORDER BY release
     ON CONFLICT (release) DO UPDATE
       SET feed_id = excluded.feed_id, ends_at = excluded.ends_at, extended = excluded.extended
       WHERE (release_lifecycles.feed_id, release_lifecycles.ends_at, release_lifecycles.extended)
             IS DISTINCT FROM (excluded.feed_id, excluded.ends_at, excluded.extended)
     RETURNING release`,
    values,
  );
  const removed = await client.query<{ release: Release }>(
    'DELETE FROM release_lifecycles WHERE feed_id = ANY($1::text[]) AND release <> ALL($2::text[]) RETURNING release',
    [completeFeeds, names],
  );
  const touched = [...changed.rows, ...removed.rows].map(({ release }) => release);
  if (touched.length > 0) {
    await changeAdvisories(client);
    await noteVersionChange(client, { versions: [], releases: touched });
  }
  return { changed: changed.rows.length, removed: removed.rows.length };
}

/** The number of stored lifecycles of a feed, and of those among them that an import lacks. */
export async function lifecycleShrinkage(
  client: pg.PoolClient,
  feedId: string,
  releases: readonly string[],
): Promise<{ readonly stored: number; readonly lacking: number }> {
  const { rows } = await client.query<{ stored: number; lacking: number }>(
    `SELECT count(*)::int AS stored, count(*) FILTER (WHERE release <> ALL($2::text[]))::int AS lacking
     FROM release_lifecycles WHERE feed_id = $1`,
    [feedId, releases],
  );
  return rows[0] ?? { stored: 0, lacking: 0 };
}

/** The lifecycles of releases (null: of all), as stated by feeds; a release without one has no entry. */
export async function loadLifecycles(
  client: Statements,
  releases: readonly Release[] | null,
): Promise<ReadonlyMap<Release, Lifecycle>> {
  const { rows } = await client.query<{
    release: Release;
    endsAt: Date;
    extended: readonly { readonly service: string; readonly endsAt: string }[];
  }>(
    `SELECT release, ends_at AS "endsAt", extended FROM release_lifecycles
     WHERE $1::text[] IS NULL OR release = ANY($1::text[]) ORDER BY release`,
    [releases === null ? null : [...new Set(releases)]],
  );
  return new Map(
    rows.map(({ release, endsAt, extended }) => [
      release,
      { endsAt, extended: extended.map(({ service, endsAt: end }) => ({ service, endsAt: new Date(end) })) },
    ]),
  );
}
