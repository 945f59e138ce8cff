import { type AdvisoryKey, groupBy } from '@plimsoll/model';
import { cachedValue } from '../caching/cached-value.ts';
import { type Database, inPgTransaction, type PgTransaction } from '../database.ts';
import { type StatedPackage, statedPackages } from './advisory-packages.ts';
import {
  type AffectedHostCounts,
  type AffectedHostPage,
  countAffectedHosts,
  findReach,
  listAffectedHosts,
} from './affected-hosts.ts';
import { fleetReachFreshness, readFleetReach } from './fleet-reach.ts';
import type { ListedHostCursor } from './host-page.ts';
import { type HostsWithPackage, listHostsWithPackage, type PackageQuestion } from './package-hosts.ts';
import { type PackageName, rankPackageNames } from './rank-package-names.ts';
import {
  type AdvisoryCursor,
  type AdvisoryFilters,
  type AdvisoryOrder,
  type AdvisoryRecord,
  countAdvisories,
  findRecords,
  searchAdvisories,
} from './search.ts';

/** A record and, if they were counted, the hosts affected by advisories of its id. */
export interface ListedAdvisory extends AdvisoryRecord {
  readonly affected: AffectedHostCounts | null;
}

/** All records of feeds under one id, and the number of hosts on which it is a finding. */
export interface AdvisoryInFull {
  readonly records: readonly AdvisoryRecord[];
  readonly packages: readonly StatedPackage[];
  readonly affected: AffectedHostCounts;
}

/**
 * Queries over advisories and the hosts they affect. Each result is consistent as of one moment and contains approved
 * hosts only.
 */
export interface AdvisoryViews {
  /** Newest first. `countHosts` adds the hosts that each advisory affects, which reads every package set. */
  search(page: {
    readonly filters: Omit<AdvisoryFilters, 'among'>;
    readonly order: AdvisoryOrder;
    /**
     * Only advisories that are findings on a host, with host counts that may be minutes old. Required by every order
     * except `published`.
     */
    readonly affecting: boolean;
    readonly limit: number;
    readonly after: AdvisoryCursor | null;
    readonly countHosts: boolean;
  }): Promise<{ readonly total: number; readonly advisories: readonly ListedAdvisory[] }>;
  /** Null if no feed has an advisory of this id. */
  find(externalId: string): Promise<AdvisoryInFull | null>;
  /** The records about a CVE, newest first; empty if no feed has one. */
  aboutCve(
    cve: string,
  ): Promise<{ readonly records: readonly AdvisoryRecord[]; readonly affected: AffectedHostCounts }>;
  /** Null if no feed has an advisory of this id. */
  hostsOf(
    externalId: string,
    page: {
      readonly includeHidden: boolean;
      readonly limit: number;
      readonly after: ListedHostCursor | null;
    },
  ): Promise<AffectedHostPage | null>;
  /** All hosts of `hostsOf`, page by page. Finds the affected versions once; each page is as of the time it is read. */
  everyHostOf(
    externalId: string,
    which: { readonly includeHidden: boolean },
  ): Promise<AsyncIterable<AffectedHostPage> | null>;
  /** The hosts that have a package; see PackageQuestion. */
  hostsWithPackage(question: PackageQuestion): Promise<HostsWithPackage>;
  /** Names of installed packages that contain a text, with host counts that may be minutes old. */
  packageNames(part: string, limit: number): Promise<readonly PackageName[]>;
  /** Fills the cache behind `affecting` and `packageNames`, so that the next call does not wait. */
  countAhead(): Promise<void>;
  /** The number of disagreements on all approved hosts. */
  countDisagreements(): Promise<number>;
}

/** Hosts per page when all are read. */
const streamedHosts = 500;

const nowhere: AffectedHostCounts = { total: 0, withFix: 0 };

/** The advisory views of one database. */
export function createAdvisoryViews({ pool }: Database): AdvisoryViews {
  /** Runs several statements on one snapshot of the database. */
  const inOneSnapshot = <T>(read: (tx: PgTransaction) => Promise<T>): Promise<T> =>
    inPgTransaction(pool, async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return read(tx);
    });
  const reach = cachedValue(() => inOneSnapshot(readFleetReach), fleetReachFreshness);
  return {
    async search({ filters, order, affecting, limit, after, countHosts }) {
      const among = affecting ? (await reach.get()).advisories : null;
      const all = among === null ? filters : { ...filters, among };
      return inOneSnapshot(async (tx) => {
        const records = await searchAdvisories(tx, { filters: all, order, limit, after });
        const counts = countHosts && among === null ? await countById(tx, records) : null;
        return {
          total: await countAdvisories(tx, all),
          advisories: records.map((record) => ({
            ...record,
            affected:
              among !== null
                ? (among.get(record.key) ?? nowhere)
                : counts === null
                  ? null
                  : (counts.get(record.externalId) ?? nowhere),
          })),
        };
      });
    },
    async packageNames(part, limit) {
      return rankPackageNames((await reach.get()).packages, part, limit);
    },
    async countAhead() {
      await reach.get();
    },
    find: (externalId) =>
      inOneSnapshot(async (tx) => {
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
      inOneSnapshot(async (tx) => {
        const records = await findRecords(tx, { cve });
        const keys = records.map(({ key }) => key);
        // `includeFolded` is only for errata, whose findings are folded into the records of their CVEs. The CVE's own
        // records are counted directly.
        const counts = await countAffectedHosts(tx, new Map([[cve, keys]]), { includeFolded: false });
        return { records, affected: counts.get(cve) ?? nowhere };
      }),
    hostsOf: (externalId, page) =>
      inOneSnapshot(async (tx) => {
        const records = await findRecords(tx, { externalId });
        if (records.length === 0) return null;
        const keys = records.map(({ key }) => key);
        return listAffectedHosts(tx, await findReach(tx, keys, page), page);
      }),
    async everyHostOf(externalId, { includeHidden }) {
      const reach = await inOneSnapshot(async (tx) => {
        const records = await findRecords(tx, { externalId });
        const keys = records.map(({ key }) => key);
        return records.length === 0 ? null : findReach(tx, keys, { includeHidden });
      });
      if (reach === null) return null;
      return pagesOf((after) =>
        inOneSnapshot((tx) => listAffectedHosts(tx, reach, { limit: streamedHosts, after })),
      );
    },
    hostsWithPackage: (question) => inOneSnapshot((tx) => listHostsWithPackage(tx, question)),
    async countDisagreements() {
      const { rows } = await pool.query<{ n: number }>(
        `SELECT coalesce(sum(hs.disagreements), 0)::float8 AS n FROM host_state hs
         JOIN hosts h ON h.id = hs.host_id WHERE h.approval_status = 'approved'`,
      );
      return rows[0]?.n ?? 0;
    },
  };
}

async function* pagesOf(
  read: (after: ListedHostCursor | null) => Promise<AffectedHostPage>,
): AsyncIterable<AffectedHostPage> {
  let after: ListedHostCursor | null = null;
  for (;;) {
    const page: AffectedHostPage = await read(after);
    yield page;
    const last = page.hosts.at(-1);
    if (last === undefined || page.hosts.length < streamedHosts) return;
    after = last.listed;
  }
}

async function countById(
  tx: PgTransaction,
  records: readonly AdvisoryRecord[],
): Promise<ReadonlyMap<string, AffectedHostCounts>> {
  const { rows } = await tx.query<{ key: AdvisoryKey; externalId: string }>(
    'SELECT id AS key, external_id AS "externalId" FROM advisories WHERE external_id = ANY($1::text[])',
    [records.map(({ externalId }) => externalId)],
  );
  const groups = [...groupBy(rows, ({ externalId }) => externalId)].map(
    ([externalId, own]) => [externalId, own.map(({ key }) => key)] as const,
  );
  return countAffectedHosts(tx, new Map(groups), { includeFolded: true });
}
