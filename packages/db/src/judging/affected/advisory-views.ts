import { type AdvisoryKey, groupBy, type HostScope, scopeKey, wholeFleet } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import { afterImports } from '../../core/after-imports.ts';
import { type CachedValue, cachedValue } from '../../core/cached-value.ts';
import { type Database, inPgSnapshot, type PgTransaction, preparing } from '../../core/database.ts';
import { judgeDue } from '../../fleet/hosts/judge-due.ts';
import { type StatedPackage, statedPackages } from './advisory-packages.ts';
import {
  type AffectedHostCounts,
  type AffectedHostPage,
  countAffectedHosts,
  findAffectedHosts,
  showAffectedHosts,
} from './affected-hosts.ts';
import { type FleetReach, fleetReachFreshness, readFleetReach } from './fleet-reach.ts';
import type { ListedHostCursor } from './hosts-at-sets.ts';
import { Pacing } from './pacing.ts';
import {
  findPackageHosts,
  type HostsWithPackage,
  type PackageQuestion,
  showPackageHosts,
} from './package-hosts.ts';
import { type PackageName, rankPackageNames } from './rank-package-names.ts';
import {
  type AdvisoryCursor,
  type AdvisoryFilters,
  type AdvisoryOrder,
  type AdvisoryRecord,
  countAdvisories,
  findRecords,
  findWorkarounds,
  searchAdvisories,
} from './search.ts';
import { listUnjudgedHosts, type UnjudgedHostPage } from './unjudged-hosts.ts';

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
 * Queries over advisories and the hosts of a scope that they affect. Each result is consistent as of one moment and
 * contains approved hosts only.
 */
export interface AdvisoryViews {
  /** Newest first. `countHosts` adds the hosts that each advisory affects, which reads every package set. */
  search(page: {
    readonly scope: HostScope;
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
  find(scope: HostScope, externalId: string): Promise<AdvisoryInFull | null>;
  /** The records about a CVE, newest first; empty if no feed has one. */
  aboutCve(
    scope: HostScope,
    cve: string,
  ): Promise<{ readonly records: readonly AdvisoryRecord[]; readonly affected: AffectedHostCounts }>;
  /** See findWorkarounds. */
  workarounds(by: 'advisory' | 'cve', keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Null if no feed has an advisory of this id. */
  hostsOf(
    scope: HostScope,
    externalId: string,
    page: {
      readonly includeHidden: boolean;
      readonly limit: number;
      readonly after: ListedHostCursor | null;
    },
  ): Promise<AffectedHostPage | null>;
  /** All hosts of `hostsOf`, page by page. As of the call, except what is read of each host. */
  everyHostOf(
    scope: HostScope,
    externalId: string,
    which: { readonly includeHidden: boolean },
  ): Promise<AsyncIterable<AffectedHostPage> | null>;
  /** The hosts that the advisory could affect and that cannot be judged. Null if no feed has an advisory of this id. */
  unjudgedHostsOf(
    scope: HostScope,
    externalId: string,
    page: { readonly limit: number; readonly after: ListedHostCursor | null },
  ): Promise<UnjudgedHostPage | null>;
  /** The hosts that have a package; see PackageQuestion. */
  hostsWithPackage(scope: HostScope, question: PackageQuestion): Promise<HostsWithPackage>;
  /**
   * All of them, page by page, then the hosts without reported packages, with nothing installed. The hosts are those of
   * one moment.
   */
  everyHostWithPackage(
    scope: HostScope,
    question: Omit<PackageQuestion, 'limit' | 'after'>,
  ): AsyncIterable<HostsWithPackage['hosts']>;
  /** Names of packages installed on hosts of a scope, with host counts that may be minutes old; see rankPackageNames. */
  packageNames(scope: HostScope, wanted: WantedNames, limit: number): Promise<readonly PackageName[]>;
  /** Fills the cache behind `affecting` and `packageNames` for the whole fleet, so that the next call does not wait. */
  countAhead(): Promise<void>;
  /** The number of disagreements on all approved hosts of the whole fleet. */
  countDisagreements(): Promise<number>;
}

/** Which package names are wanted. */
export interface WantedNames {
  /** A text that they contain. */
  readonly q?: string | undefined;
  /** The source package from which they are built. */
  readonly source?: string | undefined;
}

/** Scopes whose reach is kept: each takes a few megabytes. */
const mostReaches = 20;

/** How long a count for which no request waits gives way to imports before it begins: less than a minute, so that no caller waits for it. */
const longestYieldMs = 30_000;

/** Hosts per page when all are read. */
const streamedHosts = 500;

const nowhere: AffectedHostCounts = { total: 0, withFix: 0 };

/** The advisory views of one database. */
export function createAdvisoryViews(database: Database): AdvisoryViews {
  const { pool } = database;
  /** Runs several statements on one snapshot of the database. */
  const inOneSnapshot = async <T>(read: (tx: PgTransaction) => Promise<T>): Promise<T> => {
    await judgeDue(database);
    return inPgSnapshot(pool, read);
  };
  /** The same for lists of hosts: planning the statements that show a page takes longer than running them. */
  const inPreparedSnapshot: typeof inOneSnapshot = (read) => inOneSnapshot((tx) => read(preparing(tx)));
  const reaches = new LRUCache<string, CachedValue<FleetReach>>({ max: mostReaches });
  /** How many hosts of a scope each advisory and package reaches; counted for each scope apart. */
  const reachOf = (scope: HostScope): Promise<FleetReach> => {
    const key = scopeKey(scope);
    const known = reaches.get(key);
    const count = async () => {
      // Before the snapshot: one that waits would hold a connection, and keep deleted rows, for as long.
      await afterImports(pool, { mostMs: longestYieldMs, isAwaited })();
      return inOneSnapshot((tx) => readFleetReach(tx, scope, new Pacing(isAwaited)));
    };
    const reach = known ?? cachedValue(count, fleetReachFreshness);
    if (known === undefined) reaches.set(key, reach);
    return reach.get();
  };
  /** Requests that wait for a reach. */
  let awaiting = 0;
  const isAwaited = (): boolean => awaiting > 0;
  const awaitReach = async (scope: HostScope): Promise<FleetReach> => {
    awaiting += 1;
    try {
      return await reachOf(scope);
    } finally {
      awaiting -= 1;
    }
  };
  return {
    async search({ scope, filters, order, affecting, limit, after, countHosts }) {
      const among = affecting ? (await awaitReach(scope)).advisories : null;
      const all = among === null ? filters : { ...filters, among };
      return inOneSnapshot(async (tx) => {
        const records = await searchAdvisories(tx, { filters: all, order, limit, after });
        const counts = countHosts && among === null ? await countById(tx, scope, records) : null;
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
    async packageNames(scope, { q = '', source }, limit) {
      const { packages } = await awaitReach(scope);
      if (source === undefined) return rankPackageNames(packages, q, limit);
      const built = new Set(await namesBuiltFrom(pool, source));
      return rankPackageNames(
        [...packages].filter(([name]) => built.has(name)),
        q,
        limit,
      );
    },
    async countAhead() {
      await reachOf(wholeFleet);
    },
    find: (scope, externalId) =>
      inOneSnapshot(async (tx) => {
        const records = await findRecords(tx, { externalId });
        if (records.length === 0) return null;
        const keys = records.map(({ key }) => key);
        const counts = await countAffectedHosts(tx, scope, new Map([[externalId, keys]]), {
          includeFolded: true,
        });
        return {
          records,
          packages: await statedPackages(tx, keys),
          affected: counts.get(externalId) ?? nowhere,
        };
      }),
    aboutCve: (scope, cve) =>
      inOneSnapshot(async (tx) => {
        const records = await findRecords(tx, { cve });
        const keys = records.map(({ key }) => key);
        // `includeFolded` is only for errata, whose findings are folded into the records of their CVEs. The CVE's own
        // records are counted directly.
        const counts = await countAffectedHosts(tx, scope, new Map([[cve, keys]]), {
          includeFolded: false,
        });
        return { records, affected: counts.get(cve) ?? nowhere };
      }),
    workarounds: (by, keys) => findWorkarounds(pool, by, keys),
    hostsOf: (scope, externalId, page) =>
      inPreparedSnapshot(async (tx) => {
        const keys = await keysOf(tx, externalId);
        if (keys.length === 0) return null;
        return showAffectedHosts(tx, await findAffectedHosts(tx, scope, keys, page));
      }),
    async everyHostOf(scope, externalId, { includeHidden }) {
      const found = await inOneSnapshot(async (tx) => {
        const keys = await keysOf(tx, externalId);
        return keys.length === 0 ? null : findAffectedHosts(tx, scope, keys, { includeHidden });
      });
      if (found === null) return null;
      return pagesOf(found.hosts, (hosts) =>
        inPreparedSnapshot((tx) => showAffectedHosts(tx, { ...found, hosts })),
      );
    },
    async unjudgedHostsOf(scope, externalId, page) {
      return inOneSnapshot(async (tx) => {
        const records = await findRecords(tx, { externalId });
        return records.length === 0 ? null : listUnjudgedHosts(tx, scope, records, page);
      });
    },
    hostsWithPackage: (scope, { limit, after, ...question }) =>
      inPreparedSnapshot(async (tx) => {
        const found = await findPackageHosts(tx, scope, question, { limit, after });
        return { ...found, hosts: await showPackageHosts(tx, found.hosts) };
      }),
    async *everyHostWithPackage(scope, question) {
      const { hosts } = await inOneSnapshot((tx) => findPackageHosts(tx, scope, question, null));
      yield* pagesOf(hosts, (some) => inPreparedSnapshot((tx) => showPackageHosts(tx, some)));
    },
    async countDisagreements() {
      const { rows } = await pool.query<{ n: number }>(
        `SELECT coalesce(sum(hs.disagreements), 0)::float8 AS n FROM host_state hs
         JOIN hosts h ON h.id = hs.host_id WHERE h.approval_status = 'approved'`,
      );
      return rows[0]?.n ?? 0;
    },
  };
}

async function* pagesOf<Host, Page>(
  hosts: readonly Host[],
  show: (some: readonly Host[]) => Promise<Page>,
): AsyncIterable<Page> {
  for (let first = 0; first < hosts.length; first += streamedHosts)
    yield await show(hosts.slice(first, first + streamedHosts));
}

/** The advisories with an id. */
async function keysOf(tx: PgTransaction, externalId: string): Promise<readonly AdvisoryKey[]> {
  const { rows } = await tx.query<{ key: AdvisoryKey }>(
    'SELECT id AS key FROM advisories WHERE external_id = $1 ORDER BY id',
    [externalId],
  );
  return rows.map(({ key }) => key);
}

async function countById(
  tx: PgTransaction,
  scope: HostScope,
  records: readonly AdvisoryRecord[],
): Promise<ReadonlyMap<string, AffectedHostCounts>> {
  const { rows } = await tx.query<{ key: AdvisoryKey; externalId: string }>(
    'SELECT id AS key, external_id AS "externalId" FROM advisories WHERE external_id = ANY($1::text[])',
    [records.map(({ externalId }) => externalId)],
  );
  const groups = [...groupBy(rows, ({ externalId }) => externalId)].map(
    ([externalId, own]) => [externalId, own.map(({ key }) => key)] as const,
  );
  return countAffectedHosts(tx, scope, new Map(groups), { includeFolded: true });
}

/** The names of all stored packages that are built from a source package. */
async function namesBuiltFrom(pool: Database['pool'], source: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT v.name FROM releases r JOIN package_versions v ON v.release_id = r.id AND v.source_name = $1`,
    [source],
  );
  return rows.map(({ name }) => name);
}
