import { type AssessedPackage, assessedPackage, assessHost, type KernelPosture } from '@plimsoll/advisories';
import type { HostId, PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import { readFacts } from '../../ingest/stored-facts.ts';
import { loadPackageVersions } from '../../knowledge/package-versions.ts';
import { coreQuestion, loadCoreHistories, toHostFacts } from '../counting/host-facts.ts';
import { type StateRow, stateColumns, stateTables } from './stored-host.ts';

/**
 * Why a host needs a reboot or why that is not known, since when it runs, and which of its services need a restart, as in
 * its kernel posture.
 */
export type DueReasons = Pick<
  KernelPosture,
  'rebootReasons' | 'rebootUnknown' | 'bootedAt' | 'servicesToRestart'
>;

/** Hosts whose rows are read at once. */
const hostsPerRead = 500;

/**
 * The reasons of hosts by their newest matched snapshot. Of their packages only the kernels are read, so that many hosts
 * take a few statements. Agrees with assessHost.
 */
export async function loadDueReasons(
  client: Statements,
  hosts: readonly HostId[],
): Promise<ReadonlyMap<HostId, DueReasons>> {
  const found = new Map<HostId, DueReasons>();
  for (let first = 0; first < hosts.length; first += hostsPerRead) {
    const some = hosts.slice(first, first + hostsPerRead);
    for (const [id, reasons] of await readSome(client, some)) found.set(id, reasons);
  }
  return found;
}

async function readSome(
  client: Statements,
  hosts: readonly HostId[],
): Promise<readonly (readonly [HostId, DueReasons])[]> {
  const { rows } = await client.query<StateRow>(
    `SELECT ${stateColumns} FROM ${stateTables} WHERE hs.host_id = ANY($1::uuid[])`,
    [hosts],
  );
  const read = rows.map((row) => ({
    row,
    ids: decodePackageSet(row.ids),
    facts: readFacts(row.storedFacts),
  }));
  const kernels = await readKernels(
    client,
    new Set(read.flatMap(({ ids }) => ids)),
    rows.flatMap(({ runningKernelId }) => runningKernelId ?? []),
  );
  const questions = read.flatMap(({ row, facts }) =>
    row.bootedAt === null ? [] : (coreQuestion(row.hostId, facts) ?? []),
  );
  const histories = await loadCoreHistories(client, questions);
  return read.map(({ row, ids, facts }) => {
    const own = toHostFacts({
      release: row.release,
      lifecycle: null,
      facts,
      bootedAt: row.bootedAt,
      coreHistory: histories.get(row.hostId) ?? null,
      upgrades: [],
      held: new Set(),
    });
    const packages = ids.flatMap((id) => kernels.get(id) ?? []);
    const runningKernel = row.runningKernelId === null ? null : (kernels.get(row.runningKernelId) ?? null);
    const { kernelPosture } = assessHost({ packages, runningKernel, facts: own });
    const { rebootReasons, rebootUnknown, bootedAt, servicesToRestart } = kernelPosture;
    return [row.hostId, { rebootReasons, rebootUnknown, bootedAt, servicesToRestart }];
  });
}

/** The kernels among package versions, and the versions of kernels that run without being installed. */
async function readKernels(
  client: Statements,
  installed: ReadonlySet<PackageVersionId>,
  running: readonly PackageVersionId[],
): Promise<ReadonlyMap<PackageVersionId, AssessedPackage>> {
  const { rows } = await client.query<{ id: PackageVersionId }>(
    `SELECT id FROM package_versions WHERE id = ANY($1::int[]) AND verdict #>> '{kernel,role}' = 'image'`,
    [[...installed]],
  );
  const wanted = new Set([...rows.map(({ id }) => id), ...running]);
  const versions = await loadPackageVersions(client, [...wanted]);
  return new Map(versions.map((version) => [version.id, assessedPackage(version, [])]));
}
