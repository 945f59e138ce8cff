import { type AssessedHost, assessedPackage, livePatchPrefixes, readOffer } from '@plimsoll/advisories';
import type { AdvisoryKey, HostId, PackageVersionId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { decodePackageSet, heldOf, highestOf } from '../../ingest/package-set.ts';
import { findingFactsColumn, readFindingFacts } from '../../ingest/stored-facts.ts';
import { loadLivePatchCves } from '../../knowledge/load-subjects.ts';
import {
  packageVersionColumns,
  queryPackageVersions,
  type StoredPackageVersion,
} from '../../knowledge/package-versions.ts';
import { loadMatchedStatements } from '../../knowledge/statements.ts';
import { loadUpgrades, toHostFacts } from '../counting/host-facts.ts';
import { HostTermsReader } from '../counting/host-terms.ts';

/** The part of each host to load. */
interface PartOfHosts {
  /** The package versions in question; null: all with a match. */
  readonly versionIds: readonly PackageVersionId[] | null;
  /** Only statements of these advisories are loaded; null: all. */
  readonly advisories: readonly AdvisoryKey[] | null;
  /** Whether a kernel is in question. If so, all kernels and all updates of a host are loaded. */
  readonly withKernels: boolean;
}

/**
 * The part of a host that some of its findings depend on: findingsOf returns the same of these findings as of the whole
 * host. Hosts with equal parts share one object, so their findings are made once.
 */
export type HostPart = AssessedHost;

interface PartRow {
  readonly hostId: HostId;
  readonly release: Release;
  /** Parsed by readFindingFacts. */
  readonly facts: string;
  readonly setId: number;
  readonly ids: Uint8Array;
  readonly upgradeIds: readonly number[];
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
}

/**
 * Loads the part of hosts that the findings of the given package versions and advisories depend on: these versions,
 * every kernel and live patch, and held packages. By host id; hosts without a matched snapshot have no entry.
 */
export async function loadPartialHosts(
  client: pg.PoolClient,
  hostIds: readonly HostId[],
  question: PartOfHosts,
): Promise<ReadonlyMap<HostId, HostPart>> {
  return (await loadHostParts(client, hostIds, question)).parts;
}

/** The same, with the package versions of all parts. */
export async function loadHostParts(
  client: pg.PoolClient,
  hostIds: readonly HostId[],
  { versionIds: asked, advisories, withKernels }: PartOfHosts,
): Promise<{
  readonly parts: ReadonlyMap<HostId, HostPart>;
  readonly versions: readonly StoredPackageVersion[];
}> {
  if (hostIds.length === 0) return { parts: new Map(), versions: [] };
  const { rows } = await client.query<PartRow>(
    `SELECT hs.host_id AS "hostId", r.name AS release, ${findingFactsColumn} AS facts, ps.id AS "setId", ps.ids,
            s.upgrade_ids AS "upgradeIds", s.held_ids AS "heldIds", s.running_kernel_id AS "runningKernelId"
     FROM host_state hs JOIN snapshots s ON s.id = hs.snapshot_id
     JOIN package_sets ps ON ps.id = s.set_id JOIN releases r ON r.id = s.release_id WHERE hs.host_id = ANY($1::uuid[])`,
    [hostIds],
  );
  const sets = [...new Map(rows.map((row) => [row.setId, row.ids]))];
  const heldIds = [...new Set(rows.flatMap((row) => row.heldIds))];
  const versionIds = asked ?? (await matchedOf(client, sets, rows));
  const wanted = new Set([...versionIds, ...heldIds]);
  const highestWanted = highestOf(wanted);
  const all = new Set<PackageVersionId>();
  // Which versions are kernels is only known after they are loaded.
  for (const [, ids] of sets)
    for (const id of withKernels ? decodePackageSet(ids) : heldOf(ids, wanted, highestWanted)) all.add(id);
  for (const { runningKernelId } of rows) if (runningKernelId !== null) all.add(runningKernelId);
  const versions = await queryPackageVersions(
    client,
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) AND (v.id = ANY($2::int[]) OR v.id = ANY($3::int[])
       OR ($4 AND (jsonb_typeof(v.verdict -> 'kernel') = 'object' OR EXISTS (SELECT FROM unnest($5::text[]) AS prefix WHERE starts_with(v.name, prefix)))))
     ORDER BY v.id`,
    [[...all], versionIds, heldIds, withKernels, livePatchPrefixes],
  );
  const statements = await loadMatchedStatements(
    client,
    versions.map(({ id }) => id),
    advisories,
  );
  const closes = await loadLivePatchCves(client, withKernels ? versions : []);
  const names = withKernels ? null : [...new Set(versions.map(({ name }) => name))];
  const upgrades = await loadUpgrades(
    client,
    [...new Set(rows.flatMap(({ upgradeIds }) => upgradeIds))],
    names,
  );
  const terms = await new HostTermsReader().load(client, hostIds);
  const packages = new Map(
    versions.map((version) => [
      version.id,
      assessedPackage(version, statements.get(version.id) ?? [], closes.get(version.id)),
    ]),
  );
  const loaded = new Set(packages.keys());
  const highest = highestOf(loaded);
  const keptOf = new Map(sets.map(([id, ids]) => [id, heldOf(ids, loaded, highest)]));
  const parts = new Map<string, HostPart>();
  const partOf = new Map(
    rows.map(({ hostId, release, facts, setId, upgradeIds, heldIds: heldBack, runningKernelId }) => {
      const { digest, waivers } = terms.of(hostId);
      const kept = keptOf.get(setId) ?? [];
      const held = kept.filter((id) => heldBack.includes(id));
      const offered = upgradeIds.filter((id) => upgrades.has(id));
      const key = JSON.stringify([release, facts, kept, held, offered, runningKernelId, digest]);
      const part = parts.get(key) ?? {
        packages: kept.flatMap((id) => packages.get(id) ?? []),
        runningKernel: runningKernelId === null ? null : (packages.get(runningKernelId) ?? null),
        facts: {
          ...toHostFacts({
            release,
            lifecycle: null,
            facts: readFindingFacts(facts),
            bootedAt: null,
            coreHistory: null,
            upgrades: offered.flatMap((id) => {
              const upgrade = upgrades.get(id);
              return upgrade === undefined ? [] : [readOffer(upgrade, release)];
            }),
            held: new Set(held),
          }),
          ...(waivers === undefined ? {} : { waivers }),
        },
      };
      parts.set(key, part);
      return [hostId, part];
    }),
  );
  return { parts: partOf, versions };
}

/** The package versions of hosts that have a match. */
async function matchedOf(
  client: pg.PoolClient,
  sets: readonly (readonly [id: number, ids: Uint8Array])[],
  hosts: readonly Pick<PartRow, 'runningKernelId'>[],
): Promise<readonly PackageVersionId[]> {
  const all = new Set(hosts.flatMap(({ runningKernelId }) => runningKernelId ?? []));
  for (const [, ids] of sets) for (const id of decodePackageSet(ids)) all.add(id);
  const { rows } = await client.query<{ id: PackageVersionId }>(
    `SELECT id FROM unnest($1::int[]) AS id
     WHERE EXISTS (SELECT FROM package_version_advisories m WHERE m.package_version_id = id)`,
    [[...all]],
  );
  return rows.map(({ id }) => id);
}
