import type { CoreHistory } from '@plimsoll/advisories';
import type {
  AdvisoryKey,
  CvssScore,
  HostId,
  Lifecycle,
  PackageVersionId,
  Release,
  Statement,
  Upgrade,
  UploadId,
} from '@plimsoll/model';
import type pg from 'pg';
import type { Database } from './database.ts';
import { decodePackageSet } from './interning/package-set.ts';
import { coreQuestion, loadCoreHistories } from './matching/core-history.ts';
import { type FindingOrigin, firstSeenAt, type PackageChangeRow } from './matching/first-seen.ts';
import { upgradeColumns } from './matching/host-counter.ts';
import { loadPackageVersions, type StoredPackageVersion } from './matching/package-versions.ts';
import { readFacts } from './matching/read-facts.ts';
import { loadMatchedStatements } from './matching/statements.ts';
import type { StoredFacts } from './matching/stored-facts.ts';
import { loadLifecycles } from './matching/stored-lifecycles.ts';
import { isUuid } from './uuid.ts';

/** An installed package with what matches it. */
export interface InstalledVersion {
  readonly version: StoredPackageVersion;
  readonly held: boolean;
  /** By statement id. */
  readonly statements: readonly Statement[];
}

/** Everything an assessment of one host rests on, all of it as of its newest matched snapshot. */
export interface HostToAssess {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  readonly release: Release;
  /** How long a feed says that the release is supported; null where none says. */
  readonly lifecycle: Lifecycle | null;
  /** The feed that speaks for the release; null if none does. `covered`: it says anything of the release at all. */
  readonly feed: { readonly id: string; readonly updatedAt: Date | null; readonly covered: boolean } | null;
  readonly facts: StoredFacts;
  readonly bootedAt: Date | null;
  readonly firstSnapshotAt: Date;
  /** Null where nothing about reboots depends on it. */
  readonly coreHistory: CoreHistory | null;
  /** By name, architecture and version. */
  readonly packages: readonly InstalledVersion[];
  /** The package version that really runs as the kernel, where it is not what is installed. */
  readonly runningKernel: InstalledVersion | null;
  readonly upgrades: readonly Upgrade[];
}

/** What an advisory is, beside its statements. */
export interface AdvisoryDetails {
  readonly key: AdvisoryKey;
  readonly externalId: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly title: string;
  readonly url: string;
  readonly publishedAt: Date | null;
  /** Sorted. */
  readonly aliases: readonly string[];
  /** Sorted. */
  readonly cves: readonly string[];
  readonly cvss: CvssScore | null;
}

/** An erratum that ships a fix of a package in a release: more evidence for the CVEs it names. */
export interface ErratumOf {
  readonly name: string;
  readonly externalId: string;
  readonly url: string;
  readonly cves: readonly string[];
}

/** Reads what assessments of single hosts need. */
export interface AssessmentStore {
  /** Null when there is no such host or nothing of it was matched yet. */
  load(hostId: string): Promise<HostToAssess | null>;
  /** Advisories by key. */
  describe(keys: readonly AdvisoryKey[]): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>>;
  /** The errata of packages (as advisories name them) of a release, by id. */
  errataOf(release: Release, names: readonly string[]): Promise<readonly ErratumOf[]>;
  /** When findings of a host were first seen, in the order of `origins`. */
  firstSeen(
    host: Pick<HostToAssess, 'hostId' | 'firstSnapshotAt'>,
    origins: readonly FindingOrigin[],
  ): Promise<readonly Date[]>;
}

/** The assessments of one database. */
export function createAssessmentStore(db: Database): AssessmentStore {
  return {
    load: (hostId) => (isUuid(hostId) ? loadHost(db, hostId) : Promise.resolve(null)),
    describe: (keys) => describeAdvisories(db, keys),
    async errataOf(release, names) {
      const { rows } = await db.pool.query<ErratumOf>(
        `SELECT DISTINCT ap.name, a.external_id AS "externalId", a.url, a.cves
         FROM advisory_packages ap JOIN releases r ON r.id = ap.release_id JOIN advisories a ON a.id = ap.advisory_id
         WHERE r.name = $1 AND ap.name = ANY($2::text[]) AND a.kind = 'erratum' AND a.withdrawn_at IS NULL
         ORDER BY a.external_id, ap.name`,
        [release, names],
      );
      return rows;
    },
    async firstSeen({ hostId, firstSnapshotAt }, origins) {
      const { rows } = await db.pool.query<PackageChangeRow>(
        `SELECT name, architecture, at, from_id AS "fromId", to_id AS "toId" FROM package_changes
         WHERE host_id = $1 AND name = ANY($2::text[]) ORDER BY sequence, n`,
        [hostId, [...new Set(origins.map(({ name }) => name))]],
      );
      const earlier = rows.flatMap(({ fromId }) => (fromId === null ? [] : [fromId]));
      const statements = await loadMatchedStatements(db.pool, [...new Set(earlier)]);
      const affects = (version: PackageVersionId, advisory: AdvisoryKey) =>
        statements.get(version)?.some((statement) => statement.advisory === advisory) ?? false;
      return origins.map((origin) => firstSeenAt(origin, firstSnapshotAt, rows, affects));
    },
  };
}

/** What is stored of a host, as `stateColumns` selects it. */
export interface StateRow {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  readonly release: Release;
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  readonly covered: boolean;
  /** Read by readFacts. */
  readonly storedFacts: unknown;
  readonly bootedAt: Date | null;
  readonly firstSnapshotAt: Date;
  readonly ids: Uint8Array;
  readonly upgradeIds: readonly number[];
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
}

/** The select list of a `StateRow`, of `stateTables`. */
export const stateColumns = `hs.host_id AS "hostId", s.id AS "snapshotId", r.name AS release, r.feed_id AS "feedId",
  f.updated_at AS "feedUpdatedAt", r.covered, s.facts AS "storedFacts", c.booted_at AS "bootedAt", hs.first_snapshot_at AS "firstSnapshotAt", ps.ids,
  s.upgrade_ids AS "upgradeIds", s.held_ids AS "heldIds", s.running_kernel_id AS "runningKernelId"`;

/** Where the newest matched snapshot of a host stands. */
export const stateTables = `host_state hs JOIN host_contacts c USING (host_id) JOIN snapshots s ON s.id = hs.snapshot_id
  JOIN package_sets ps ON ps.id = s.set_id JOIN releases r ON r.id = s.release_id LEFT JOIN feeds f ON f.id = r.feed_id`;

async function loadHost({ pool }: Database, hostId: string): Promise<HostToAssess | null> {
  const { rows } = await pool.query<StateRow>(
    `SELECT ${stateColumns} FROM ${stateTables} WHERE hs.host_id = $1`,
    [hostId],
  );
  const row = rows[0];
  return row === undefined ? null : completeHost(pool, row);
}

/** A host with everything its row refers to. */
export async function completeHost(pool: pg.Pool, row: StateRow): Promise<HostToAssess> {
  const ids = decodePackageSet(row.ids);
  const wanted = row.runningKernelId === null ? ids : [...ids, row.runningKernelId];
  const facts = readFacts(row.storedFacts);
  const question = coreQuestion(row.hostId, facts);
  const [versions, statements, upgrades, histories, lifecycles] = await Promise.all([
    loadPackageVersions(pool, wanted),
    loadMatchedStatements(pool, wanted),
    loadUpgrades(pool, row.upgradeIds, null),
    loadCoreHistories(pool, question === null ? [] : [question]),
    loadLifecycles(pool, [row.release]),
  ]);
  const inSet = new Set(ids);
  return toHost(row, {
    facts,
    installed: versions.filter(({ id }) => inSet.has(id)),
    kernel: versions.find(({ id }) => id === row.runningKernelId),
    statements,
    upgrades: [...upgrades.values()],
    coreHistory: histories.get(row.hostId) ?? null,
    lifecycle: lifecycles.get(row.release) ?? null,
  });
}

/** A host out of its row and what the row refers to. */
export function toHost(
  row: StateRow,
  found: {
    readonly facts: StoredFacts;
    readonly installed: readonly StoredPackageVersion[];
    readonly kernel: StoredPackageVersion | undefined;
    readonly statements: ReadonlyMap<PackageVersionId, readonly Statement[]>;
    readonly upgrades: readonly Upgrade[];
    readonly coreHistory: CoreHistory | null;
    readonly lifecycle: Lifecycle | null;
  },
): HostToAssess {
  const held = new Set(row.heldIds);
  const toInstalled = (version: StoredPackageVersion): InstalledVersion => ({
    version,
    held: held.has(version.id),
    statements: found.statements.get(version.id) ?? [],
  });
  return {
    hostId: row.hostId,
    snapshotId: row.snapshotId,
    release: row.release,
    lifecycle: found.lifecycle,
    feed: row.feedId === null ? null : { id: row.feedId, updatedAt: row.feedUpdatedAt, covered: row.covered },
    facts: found.facts,
    bootedAt: row.bootedAt,
    firstSnapshotAt: row.firstSnapshotAt,
    coreHistory: found.coreHistory,
    packages: [...found.installed].sort(byName).map(toInstalled),
    runningKernel: found.kernel === undefined ? null : toInstalled(found.kernel),
    upgrades: found.upgrades,
  };
}

/** Offered updates by id, ordered by name, architecture and id; of some names alone where `names` is given. */
export async function loadUpgrades(
  client: pg.Pool | pg.PoolClient,
  ids: readonly number[],
  names: readonly string[] | null,
): Promise<ReadonlyMap<number, Upgrade>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Upgrade & { id: number; release: Release }>(
    `SELECT ${upgradeColumns} FROM upgrades u JOIN releases r ON r.id = u.release_id
     WHERE u.id = ANY($1::int[]) AND ($2::text[] IS NULL OR u.name = ANY($2))
     ORDER BY u.name COLLATE "C", u.architecture, u.id`,
    [ids, names],
  );
  return new Map(rows.map(({ id, release: _release, ...upgrade }) => [id, upgrade]));
}

function byName(a: StoredPackageVersion, b: StoredPackageVersion): number {
  for (const property of ['name', 'architecture', 'version'] as const) {
    if (a[property] !== b[property]) return a[property] < b[property] ? -1 : 1;
  }
  return 0;
}

async function describeAdvisories(
  { pool }: Database,
  keys: readonly AdvisoryKey[],
): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>> {
  const { rows } = await pool.query<
    Omit<AdvisoryDetails, 'cvss'> & { cvssScore: number | null; cvssVector: string | null }
  >(
    `SELECT id AS key, external_id AS "externalId", kind, title, url, published_at AS "publishedAt", aliases, cves,
            cvss_score AS "cvssScore", cvss_vector AS "cvssVector"
     FROM advisories WHERE id = ANY($1::int[])`,
    [keys],
  );
  return new Map(
    rows.map(({ cvssScore, cvssVector, ...details }) => [
      details.key,
      {
        ...details,
        cvss: cvssScore === null || cvssVector === null ? null : { score: cvssScore, vector: cvssVector },
      },
    ]),
  );
}
