import { type FeedOverride, overrideKeys } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../../core/database.ts';
import { changeAdvisories } from '../../core/locks.ts';
import { rowTable } from '../../core/row-table.ts';
import { linkOverrides } from '../../knowledge/feeds/link-overrides.ts';
import type { OverrideOrigin } from '../../knowledge/feeds/override-store.ts';
import { beginKnowledgeChange } from '../../knowledge/knowledge-change.ts';
import { rematchVersions } from '../../knowledge/match-versions.ts';
import {
  noteVersionChange,
  packageVersionColumns,
  queryPackageVersions,
} from '../../knowledge/package-versions.ts';
import { unmatchedIds } from '../../knowledge/version-arrivals.ts';
import type { HostCounter } from '../counting/host-counter.ts';
import { recountAndEndWaivers } from './recount-and-end-waivers.ts';

/** The list of known feed errors in use. */
export interface OverrideList {
  readonly origin: OverrideOrigin;
  readonly overrides: readonly FeedOverride[];
}

/** Counts of what a changed list changed. */
export interface AppliedOverrides {
  readonly isChanged: boolean;
  readonly versions: number;
  readonly hosts: number;
}

/**
 * Activates a list of overrides: replaces the stored one and matches the package versions that the old or the new list
 * names, in one transaction; then counts their hosts again. Does nothing if the stored list is the same.
 */
export async function applyOverrides(
  db: Database,
  list: OverrideList,
  counter: HostCounter,
): Promise<AppliedOverrides> {
  const versions = await replaceOverrides(db, list);
  if (versions === null) return { isChanged: false, versions: 0, hosts: 0 };
  return { isChanged: true, versions: versions.length, hosts: await recountAndEndWaivers(db, { counter }) };
}

/** Returns the versions that were matched again; null if the stored list is the same. */
async function replaceOverrides(
  { pool }: Database,
  list: OverrideList,
): Promise<readonly PackageVersionId[] | null> {
  return inPgTransaction(pool, async (tx) => {
    await changeAdvisories(tx);
    const stored = await tx.query<{ digest: string }>('SELECT digest FROM feed_overrides');
    const wanted = new Set(list.overrides.map((override) => digestOf(override, list.origin)));
    if (stored.rows.length === wanted.size && stored.rows.every(({ digest }) => wanted.has(digest)))
      return null;
    const before = await namedVersions(tx);
    await replaceStored(tx, list);
    const versions = [...new Set([...before, ...(await namedVersions(tx))])].sort((a, b) => a - b);
    const change = await beginKnowledgeChange(tx, 'corrections');
    await rematchVersions(
      tx,
      await queryPackageVersions(
        tx,
        `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
         WHERE v.id = ANY($1::int[]) ORDER BY v.id`,
        [versions],
      ),
      change,
    );
    await change.ledger.write(tx, change.id);
    await noteVersionChange(tx, { versions });
    return versions;
  });
}

/** A text that is equal for equal entries. */
function digestOf(override: FeedOverride, origin: OverrideOrigin): string {
  const { feed, release, package: name, cve, affectedFrom, affectedBefore, reason, source } = override;
  return JSON.stringify([origin, feed, release, name, cve, affectedFrom, affectedBefore, reason, source]);
}

/** The matched package versions that stored overrides name. */
async function namedVersions(tx: PgTransaction): Promise<readonly PackageVersionId[]> {
  const { rows } = await tx.query<{ id: PackageVersionId }>(
    `SELECT DISTINCT v.id FROM feed_overrides o JOIN releases r ON r.name = o.release
     JOIN package_versions v ON v.release_id = r.id AND v.match_name = o.package
     WHERE v.id NOT IN (${unmatchedIds})`,
  );
  return rows.map(({ id }) => id);
}

async function replaceStored(tx: PgTransaction, { origin, overrides }: OverrideList): Promise<void> {
  await tx.query('UPDATE advisory_packages SET override_id = NULL WHERE override_id IS NOT NULL');
  await tx.query('DELETE FROM feed_overrides');
  const { table, columns, values } = rowTable(
    `digest text, origin text, feed_id text, release text, package text, cve text, affected_from text?, from_key bytea?,
     affected_before text?, before_key bytea?, reason text, source text`,
    overrides.map((override) => ({
      digest: digestOf(override, origin),
      origin,
      feedId: override.feed,
      ...overrideKeys(override),
      ...override,
    })),
  );
  await tx.query(`INSERT INTO feed_overrides (${columns}) SELECT * FROM ${table} n`, values);
  await linkOverrides(tx);
}
