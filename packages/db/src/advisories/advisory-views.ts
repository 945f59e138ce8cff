import type { AdvisoryKey } from '@plimsoll/model';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { type StatedPackage, statedPackages } from './advisory-packages.ts';
import {
  type AffectedHostCounts,
  type AffectedHostPage,
  countAffectedHosts,
  findReach,
  listAffectedHosts,
} from './affected-hosts.ts';
import { readFleetReach } from './fleet-reach.ts';
import type { ListedHostCursor } from './host-page.ts';
import { keptAWhile } from './kept-a-while.ts';
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
    readonly filters: Omit<AdvisoryFilters, 'among'>;
    readonly order: AdvisoryOrder;
    /** Only those that are findings on some host, with the hosts as they were counted a while ago; every order but `published` needs it. */
    readonly affecting: boolean;
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
  /** The same, every host page by page. What the advisory affects is looked up once, each page is as of its reading. */
  everyHostOf(
    externalId: string,
    which: { readonly includeHidden: boolean },
  ): Promise<AsyncIterable<AffectedHostPage> | null>;
  /** The hosts that have a package; see PackageQuestion. */
  hostsWithPackage(question: PackageQuestion): Promise<HostsWithPackage>;
  /** Names of installed packages that hold a text, with the hosts that have them as they were counted a while ago. */
  packageNames(part: string, limit: number): Promise<readonly PackageName[]>;
  /** Counts what `affecting` and `packageNames` answer from, so that who asks soon does not wait for it. */
  countAhead(): Promise<void>;
  /** Disagreements of all approved hosts together. */
  countDisagreements(): Promise<number>;
}

/** Hosts read at a time where all of them are asked for. */
const streamedHosts = 500;

const nowhere: AffectedHostCounts = { total: 0, withFix: 0 };

/** The advisory views of one database. */
export function createAdvisoryViews({ pool }: Database): AdvisoryViews {
  /** Several statements that see the same rows. */
  const atOnce = <T>(read: (tx: Transaction) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return read(tx);
    });
  const reach = keptAWhile(() => atOnce(readFleetReach));
  return {
    async search({ filters, order, affecting, limit, after, countHosts }) {
      const among = affecting ? (await reach()).advisories : null;
      const all = among === null ? filters : { ...filters, among };
      return atOnce(async (tx) => {
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
      return rankPackageNames((await reach()).packages, part, limit);
    },
    async countAhead() {
      await reach();
    },
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
        const keys = records.map(({ key }) => key);
        return listAffectedHosts(tx, await findReach(tx, keys, page), page);
      }),
    async everyHostOf(externalId, { includeHidden }) {
      const reach = await atOnce(async (tx) => {
        const records = await findRecords(tx, { externalId });
        const keys = records.map(({ key }) => key);
        return records.length === 0 ? null : findReach(tx, keys, { includeHidden });
      });
      if (reach === null) return null;
      return pagesOf((after) =>
        atOnce((tx) => listAffectedHosts(tx, reach, { limit: streamedHosts, after })),
      );
    },
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
