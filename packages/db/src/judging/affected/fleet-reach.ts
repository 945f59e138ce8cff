import {
  type AdvisoryKey,
  groupBy,
  type HostScope,
  type PackageVersionId,
  tagsOfScope,
} from '@plimsoll/model';
import type pg from 'pg';
import type { Freshness } from '../../core/cached-value.ts';
import { inScopeBySql } from '../../fleet/hosts/host-scope.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import type { AffectedHostCounts } from './affected-hosts.ts';
import type { Pacing } from './pacing.ts';
import { loadReachIndex, type ReachIndex } from './reach-index.ts';
import { createTally, type Tally } from './tally.ts';

/** Package sets per query: the process does other work after each, and lists are answered in milliseconds. */
const setsPerRead = 250;

/** At most one twentieth of the time goes into counting. */
const freshTimes = 20;
/** Callers wait for a count that takes less than this, instead of getting a stale one. */
const quickMs = 250;
/** Callers wait for a new count once the cached one is older than this. */
const oldestMs = 5 * 60_000;

/** A count without a host is used for this time. */
const emptyMs = 1_000;

/** How long a count of the whole fleet is used, in proportion to its duration. */
export const fleetReachFreshness: Freshness<FleetReach> = {
  freshMs: (reach) =>
    isEmpty(reach) ? Math.min(emptyMs, freshTimes * reach.workMs) : freshTimes * reach.workMs,
  staleMs: (reach) => (reach.workMs < quickMs || isEmpty(reach) ? 0 : oldestMs),
};

/** Whether no host was counted: after the first report, "no host has it" must not be said for minutes. */
function isEmpty({ packages }: FleetReach): boolean {
  return packages.size === 0;
}

/** The number of approved hosts of a scope per advisory and per package name. */
export interface FleetReach {
  /**
   * For every advisory that is a finding on a host, without hidden findings. Records of several feeds under one id
   * count together.
   */
  readonly advisories: ReadonlyMap<AdvisoryKey, AffectedHostCounts>;
  /** For every installed binary package, by name. */
  readonly packages: ReadonlyMap<string, number>;
  /** The time that counting took, without rests, in milliseconds. */
  readonly workMs: number;
}

/**
 * Counts the hosts of all advisories and all packages in one pass, with the same results as `countAffectedHosts` and
 * `listHostsWithPackage` give for one. Reads every set in use by the hosts of the scope, which takes seconds on the largest fleets.
 */
export async function readFleetReach(
  client: pg.PoolClient,
  scope: HostScope,
  pacing: Pacing,
): Promise<FleetReach> {
  const index = await loadReachIndex(client, pacing);
  const packages = createTally(index.names.length);
  const advisories = createTally(index.groups.length);
  let after = 0;
  for (;;) {
    const rows = await readSets(client, scope, after);
    for (const { ids, hosts } of rows) {
      if (hosts.length === 0) continue;
      const versions = decodePackageSet(ids);
      const all = hosts.reduce((sum, { n }) => sum + n, 0);
      packages.begin(all);
      advisories.begin(all);
      for (const id of versions) {
        packages.add(index.nameOf[id] ?? 0, false);
        if (index.isKernel[id] !== 1) addMatches(advisories, index, id);
      }
      for (const { kernelId, n } of hosts) {
        if (kernelId === null) continue;
        // Hosts already counted for an advisory by their packages are not counted again by their kernel.
        advisories.resume(n);
        addMatches(advisories, index, kernelId);
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) break;
    after = last.id;
    await pacing.pause();
  }
  const counts = { advisories: countsOf(index, advisories), packages: namesOf(index, packages) };
  await pacing.pause();
  return { ...counts, workMs: pacing.workMs };
}

interface SetInUse {
  readonly id: number;
  readonly ids: Uint8Array;
  /** The judged kernels of the set's approved hosts, and the number of hosts with each. */
  readonly hosts: readonly { readonly kernelId: PackageVersionId | null; readonly n: number }[];
}

async function readSets(
  client: pg.PoolClient,
  scope: HostScope,
  after: number,
): Promise<readonly SetInUse[]> {
  const tags = tagsOfScope(scope);
  // The range comes first, so that hosts are found by their index; a join would read all hosts for every piece.
  const { rows: sets } = await client.query<{ id: number; ids: Uint8Array }>(
    `SELECT id, ids FROM package_sets p WHERE id > $1 AND ($3::text[] IS NULL OR EXISTS (
       SELECT FROM host_state hs JOIN hosts h ON h.id = hs.host_id WHERE hs.set_id = p.id AND h.tags && $3::text[]))
     ORDER BY id LIMIT $2`,
    [after, setsPerRead, tags],
  );
  const { rows: hosts } = await client.query<{ setId: number; kernelId: PackageVersionId | null; n: number }>(
    `SELECT hs.set_id AS "setId", hs.judged_kernel_id AS "kernelId", count(*)::int AS n
     FROM host_state hs JOIN hosts h ON h.id = hs.host_id AND h.approval_status = 'approved'
     WHERE hs.set_id > $1 AND hs.set_id <= $2 AND ${inScopeBySql('h.tags', '$3')} GROUP BY 1, 2`,
    [after, sets.at(-1)?.id ?? after, tags],
  );
  const having = groupBy(hosts, ({ setId }) => setId);
  return sets.map((set) => ({ ...set, hosts: having.get(set.id) ?? [] }));
}

function addMatches(advisories: Tally, index: ReachIndex, versionId: PackageVersionId): void {
  for (const statement of index.statementsOf.get(versionId) ?? none) {
    const fixed = index.fixed[statement] === 1;
    for (const group of index.groupsOf[statement] ?? none) advisories.add(group, fixed);
  }
}

const none: readonly number[] = [];

function countsOf({ groupOf }: ReachIndex, tally: Tally): ReadonlyMap<AdvisoryKey, AffectedHostCounts> {
  const counts = new Map<AdvisoryKey, AffectedHostCounts>();
  for (const [key, group] of groupOf) {
    const total = tally.totals[group] ?? 0;
    if (total > 0) counts.set(key, { total, withFix: tally.fixed[group] ?? 0 });
  }
  return counts;
}

function namesOf({ names }: ReachIndex, tally: Tally): ReadonlyMap<string, number> {
  return new Map(
    names.flatMap((name, place) => {
      const total = tally.totals[place] ?? 0;
      return total > 0 ? [[name, total] as const] : [];
    }),
  );
}
