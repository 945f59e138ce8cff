import type { AdvisoryKey } from '@plimsoll/model';
import { type StatedPackage, statedPackages } from './advisories/advisory-packages.ts';
import {
  type AffectedHostCounts,
  type AffectedHostPage,
  countAffectedHosts,
  listAffectedHosts,
} from './advisories/affected-hosts.ts';
import type { ListedHostCursor } from './advisories/host-page.ts';
import {
  type HostsWithPackage,
  listHostsWithPackage,
  type PackageQuestion,
} from './advisories/package-hosts.ts';
import {
  type AdvisoryCursor,
  type AdvisoryFilters,
  type AdvisoryRecord,
  countAdvisories,
  findRecords,
  searchAdvisories,
} from './advisories/search.ts';
import { type Database, inTransaction, type Transaction } from './database.ts';

/** A record, with the hosts that advisories of its id affect where they were counted. */
export interface ListedAdvisory extends AdvisoryRecord {
  readonly affected: AffectedHostCounts | null;
}

/** Everything that feeds say under one id, and on how many hosts it is a finding. */
export interface AdvisoryInFull {
  readonly records: readonly AdvisoryRecord[];
  readonly packages: readonly StatedPackage[];
  readonly affected: AffectedHostCounts;
}

/**
 * What advisories say and which hosts have what, for people who ask. Each answer is of one moment; hosts that are not
 * approved are in none.
 */
export interface AdvisoryViews {
  /** Newest first. `countHosts`: with the hosts they affect, which costs a look at every package set. */
  search(page: {
    readonly filters: AdvisoryFilters;
    readonly limit: number;
    readonly after: AdvisoryCursor | null;
    readonly countHosts: boolean;
  }): Promise<{ readonly total: number; readonly advisories: readonly ListedAdvisory[] }>;
  /** Null where no feed has an advisory of this id. */
  find(externalId: string): Promise<AdvisoryInFull | null>;
  /** The records about a CVE, newest first; none where no feed has one. */
  aboutCve(
    cve: string,
  ): Promise<{ readonly records: readonly AdvisoryRecord[]; readonly affected: AffectedHostCounts }>;
  /** Null where no feed has an advisory of this id. */
  hostsOf(
    externalId: string,
    page: {
      readonly includeHidden: boolean;
      readonly limit: number;
      readonly after: ListedHostCursor | null;
    },
  ): Promise<AffectedHostPage | null>;
  /** The hosts that have a package; see PackageQuestion. */
  hostsWithPackage(question: PackageQuestion): Promise<HostsWithPackage>;
  /** Disagreements of all approved hosts together. */
  countDisagreements(): Promise<number>;
}

const nowhere: AffectedHostCounts = { total: 0, withFix: 0 };

/** The advisory views of one database. */
export function createAdvisoryViews({ pool }: Database): AdvisoryViews {
  /** Several statements that see the same rows. */
  const atOnce = <T>(read: (tx: Transaction) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return read(tx);
    });
  return {
    search: ({ filters, limit, after, countHosts }) =>
      atOnce(async (tx) => {
        const records = await searchAdvisories(tx, { filters, limit, after });
        const counts = countHosts ? await countById(tx, records) : null;
        return {
          total: await countAdvisories(tx, filters),
          advisories: records.map((record) => ({
            ...record,
            affected: counts === null ? null : (counts.get(record.externalId) ?? nowhere),
          })),
        };
      }),
    find: (externalId) =>
      atOnce(async (tx) => {
        const records = await findRecords(tx, { externalId });
        if (records.length === 0) return null;
        const keys = records.map(({ key }) => key);
        const counts = await countAffectedHosts(tx, new Map([[externalId, keys]]), { includeFolded: true });
        return {
          records,
          packages: await statedPackages(tx, keys),
          affected: counts.get(externalId) ?? nowhere,
        };
      }),
    aboutCve: (cve) =>
      atOnce(async (tx) => {
        const records = await findRecords(tx, { cve });
        const keys = records.map(({ key }) => key);
        // What an erratum is folded into may be another CVE's record; this one's is among the records anyway.
        const counts = await countAffectedHosts(tx, new Map([[cve, keys]]), { includeFolded: false });
        return { records, affected: counts.get(cve) ?? nowhere };
      }),
    hostsOf: (externalId, page) =>
      atOnce(async (tx) => {
        const records = await findRecords(tx, { externalId });
        if (records.length === 0) return null;
        return listAffectedHosts(
          tx,
          records.map(({ key }) => key),
          page,
        );
      }),
    hostsWithPackage: (question) => atOnce((tx) => listHostsWithPackage(tx, question)),
    async countDisagreements() {
      const { rows } = await pool.query<{ n: number }>(
        `SELECT coalesce(sum(hs.disagreements), 0)::float8 AS n FROM host_state hs
         JOIN hosts h ON h.id = hs.host_id WHERE h.approval_status = 'approved'`,
      );
      return rows[0]?.n ?? 0;
    },
  };
}

async function countById(
  tx: Transaction,
  records: readonly AdvisoryRecord[],
): Promise<ReadonlyMap<string, AffectedHostCounts>> {
  const { rows } = await tx.query<{ key: AdvisoryKey; externalId: string }>(
    'SELECT id AS key, external_id AS "externalId" FROM advisories WHERE external_id = ANY($1::text[])',
    [records.map(({ externalId }) => externalId)],
  );
  const groups = new Map<string, AdvisoryKey[]>();
  for (const { key, externalId } of rows) groups.set(externalId, [...(groups.get(externalId) ?? []), key]);
  return countAffectedHosts(tx, groups, { includeFolded: true });
}
