import type { AdvisoryKey, HostId, OsFamily, PackageVersionId } from '@plimsoll/model';
import { AppError, groupBy, osFamilies } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot } from '../../core/database.ts';
import { type AdvisoryDetails, describeAdvisories } from '../../knowledge/known-advisories.ts';
import type { StoredPackageVersion } from '../../knowledge/package-versions.ts';
import { stateTables } from '../assessments/stored-host.ts';
import { type HostPart, loadHostParts } from './partial-hosts.ts';

/** What of a host's platform its packages are named by. */
export interface HostPlatform {
  readonly osFamily: OsFamily;
  readonly osId: string;
  readonly osVersionId: string;
}

/** Hosts with equal findings. */
export interface AlikeHosts {
  readonly hostIds: readonly HostId[];
  /** findingsOf returns the findings of each of the hosts. */
  readonly part: HostPart;
  readonly platform: HostPlatform;
  /** The feed of their release; null: none. */
  readonly feedId: string | null;
}

/** Some of the hosts that were asked about, and what their findings refer to. */
export interface AlikeBatch {
  readonly hosts: readonly AlikeHosts[];
  readonly versions: ReadonlyMap<PackageVersionId, StoredPackageVersion>;
  readonly details: ReadonlyMap<AdvisoryKey, AdvisoryDetails>;
}

/** Reads all that the findings of many hosts depend on, of equal hosts once. */
export interface AlikeHostStore {
  /**
   * Calls `take` with all hosts, some at a time, as of one moment; hosts without a matched snapshot are in none. With a CVE only
   * the advisories that name it are loaded, and findings are those of these. Ends with an error when `signal` is aborted.
   */
  each(
    hostIds: readonly HostId[],
    question: { readonly cve: string | null; readonly signal: AbortSignal },
    take: (batch: AlikeBatch) => Promise<void>,
  ): Promise<void>;
}

/** Hosts whose rows are read at once. More share more rows, and take more memory. */
const hostsPerBatch = 400;

/** The store for one database. */
export function createAlikeHostStore({ pool }: Pick<Database, 'pool'>): AlikeHostStore {
  return {
    each: (hostIds, { cve, signal }, take) =>
      inPgSnapshot(pool, async (tx) => {
        const advisories = cve === null ? null : await advisoriesNaming(tx, cve);
        const sorted = await sortAlike(tx, hostIds);
        const details = new Map<AdvisoryKey, AdvisoryDetails>();
        for (let first = 0; first < sorted.length; first += hostsPerBatch) {
          if (signal.aborted) throw new AppError('unavailable', 'The client has disconnected.');
          const some = sorted.slice(first, first + hostsPerBatch);
          await take(await loadBatch(tx, some, { advisories, details }));
        }
      }),
  };
}

async function advisoriesNaming(client: pg.PoolClient, cve: string): Promise<readonly AdvisoryKey[]> {
  const { rows } = await client.query<{ id: AdvisoryKey }>(
    'SELECT id FROM advisories WHERE cves @> ARRAY[$1::text] OR external_id = $1',
    [cve],
  );
  return rows.map(({ id }) => id);
}

/** Hosts of one release and package set follow each other, so that most equal hosts are read together. */
async function sortAlike(client: pg.PoolClient, hostIds: readonly HostId[]): Promise<readonly HostId[]> {
  const { rows } = await client.query<{ id: HostId }>(
    `SELECT hs.host_id AS id FROM ${stateTables} WHERE hs.host_id = ANY($1::uuid[])
     ORDER BY s.release_id, s.set_id, hs.host_id`,
    [hostIds],
  );
  return rows.map(({ id }) => id);
}

interface PlatformRow {
  readonly id: HostId;
  readonly osFamily: unknown;
  readonly osId: string;
  readonly osVersionId: string;
  readonly feedId: string | null;
}

async function loadBatch(
  client: pg.PoolClient,
  hostIds: readonly HostId[],
  {
    advisories,
    details,
  }: {
    readonly advisories: readonly AdvisoryKey[] | null;
    readonly details: Map<AdvisoryKey, AdvisoryDetails>;
  },
): Promise<AlikeBatch> {
  const { parts, versions } = await loadHostParts(client, hostIds, {
    versionIds: null,
    advisories,
    withKernels: true,
  });
  const { rows } = await client.query<PlatformRow>(
    `SELECT hs.host_id AS id, s.facts #>> '{platform,osFamily}' AS "osFamily", s.facts #>> '{platform,osId}' AS "osId",
       s.facts #>> '{platform,osVersionId}' AS "osVersionId", r.feed_id AS "feedId"
     FROM ${stateTables} WHERE hs.host_id = ANY($1::uuid[]) ORDER BY hs.host_id`,
    [hostIds],
  );
  await addDetails(client, new Set(parts.values()), details);
  const numbers = new Map([...new Set(parts.values())].map((part, n) => [part, n]));
  const alike = groupBy(
    rows.flatMap(({ id, ...of }) => {
      const part = parts.get(id);
      return part === undefined ? [] : [{ id, part, of }];
    }),
    ({ part, of }) => JSON.stringify([numbers.get(part), of]),
  );
  return {
    hosts: [...alike.values()].flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const { osId, osVersionId, feedId } = first.of;
      const osFamily = osFamilies.find((family) => family === first.of.osFamily) ?? 'unknown';
      const hosts = some.map(({ id }) => id);
      return [{ hostIds: hosts, part: first.part, platform: { osFamily, osId, osVersionId }, feedId }];
    }),
    versions: new Map(versions.map((version) => [version.id, version])),
    details,
  };
}

/** Adds those that the statements of hosts are of and that are not known yet. */
async function addDetails(
  client: pg.PoolClient,
  parts: ReadonlySet<HostPart>,
  details: Map<AdvisoryKey, AdvisoryDetails>,
): Promise<void> {
  const missing = new Set<AdvisoryKey>();
  const packages = new Set(
    [...parts].flatMap((part) => [
      ...part.packages,
      ...(part.runningKernel === null ? [] : [part.runningKernel]),
    ]),
  );
  for (const { statements } of packages)
    for (const { advisory } of statements) if (!details.has(advisory)) missing.add(advisory);
  for (const [key, one] of await describeAdvisories(client, [...missing])) details.set(key, one);
}
