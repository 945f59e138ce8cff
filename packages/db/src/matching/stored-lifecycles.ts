import type { Lifecycle, Release } from '@plimsoll/model';
import type pg from 'pg';

/** The lifecycles of releases, as stated by feeds; a release without one has no entry. */
export async function loadLifecycles(
  client: pg.Pool | pg.PoolClient,
  releases: readonly Release[],
): Promise<ReadonlyMap<Release, Lifecycle>> {
  const { rows } = await client.query<{
    release: Release;
    endsAt: Date;
    extended: readonly { readonly service: string; readonly endsAt: string }[];
  }>(
    'SELECT release, ends_at AS "endsAt", extended FROM release_lifecycles WHERE release = ANY($1::text[])',
    [[...new Set(releases)]],
  );
  return new Map(
    rows.map(({ release, endsAt, extended }) => [
      release,
      { endsAt, extended: extended.map(({ service, endsAt: end }) => ({ service, endsAt: new Date(end) })) },
    ]),
  );
}
