import { livePatchPrefixes } from '@plimsoll/advisories';
import type { AdvisoryKey, HostId, PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import {
  type HostToAssess,
  now,
  type StateRow,
  stateColumns,
  stateTables,
  toHost,
} from '../assessments/stored-host.ts';
import { decodePackageSet, heldOf, highestOf } from '../interning/package-set.ts';
import { loadLivePatchCves, loadUpgrades } from '../matching/host-facts.ts';
import { HostTermsReader } from '../matching/host-terms.ts';
import { packageVersionColumns, queryPackageVersions } from '../matching/package-versions.ts';
import { loadMatchedStatements } from '../matching/statements.ts';
import { readFacts } from '../snapshots/stored-facts.ts';

/** The part of each host to load. */
interface PartOfHosts {
  /** The package versions in question. */
  readonly versionIds: readonly PackageVersionId[];
  /** Only statements of these advisories are loaded. */
  readonly advisories: readonly AdvisoryKey[];
  /** Whether a kernel is in question. If so, all kernels and all updates of a host are loaded. */
  readonly withKernels: boolean;
}

/**
 * Loads hosts with only the packages that the findings of the given package versions and advisories depend on: these
 * versions, every kernel and live patch, and held packages. Assessing such a host gives the same of these findings as assessing the
 * whole host. By host id; hosts without a matched snapshot have no entry.
 */
export async function loadPartialHosts(
  client: pg.PoolClient,
  hostIds: readonly HostId[],
  { versionIds, advisories, withKernels }: PartOfHosts,
): Promise<ReadonlyMap<HostId, HostToAssess>> {
  if (hostIds.length === 0) return new Map();
  const { rows } = await client.query<StateRow>(
    `SELECT ${stateColumns} FROM ${stateTables} WHERE hs.host_id = ANY($1::uuid[])`,
    [hostIds],
  );
  const asked = new Set([...versionIds, ...rows.flatMap(({ heldIds }) => heldIds)]);
  const highestAsked = highestOf(asked);
  const all = new Set<PackageVersionId>();
  for (const { ids, runningKernelId } of rows) {
    // Which versions are kernels is only known after they are loaded.
    for (const id of withKernels ? decodePackageSet(ids) : heldOf(ids, asked, highestAsked)) all.add(id);
    if (runningKernelId !== null) all.add(runningKernelId);
  }
  const versions = await queryPackageVersions(
    client,
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) AND (v.id = ANY($2::int[]) OR v.id = ANY($3::int[])
       OR ($4 AND (jsonb_typeof(v.verdict -> 'kernel') = 'object' OR EXISTS (SELECT FROM unnest($5::text[]) AS prefix WHERE starts_with(v.name, prefix)))))
     ORDER BY v.id`,
    [[...all], versionIds, rows.flatMap(({ heldIds }) => heldIds), withKernels, livePatchPrefixes],
  );
  const byId = new Map(versions.map((version) => [version.id, version]));
  const loaded = new Set(byId.keys());
  const highest = highestOf(loaded);
  const statements = await loadMatchedStatements(client, [...byId.keys()], advisories);
  const closes = await loadLivePatchCves(client, withKernels ? versions : []);
  const names = withKernels ? null : [...new Set(versions.map(({ name }) => name))];
  const upgrades = await loadUpgrades(
    client,
    [...new Set(rows.flatMap(({ upgradeIds }) => upgradeIds))],
    names,
  );
  const terms = await new HostTermsReader().load(client, hostIds);
  return new Map(
    rows.map((row) => {
      const kept = heldOf(row.ids, loaded, highest).flatMap((id) => byId.get(id) ?? []);
      const kernel = row.runningKernelId === null ? undefined : byId.get(row.runningKernelId);
      const offered = row.upgradeIds.flatMap((id) => upgrades.get(id) ?? []);
      return [
        row.hostId,
        toHost(row, {
          moment: now,
          facts: readFacts(row.storedFacts),
          installed: kept,
          kernel,
          statements,
          closes,
          upgrades: offered,
          coreHistory: null,
          lifecycle: null,
          waivers: terms.of(row.hostId).waivers,
        }),
      ];
    }),
  );
}
