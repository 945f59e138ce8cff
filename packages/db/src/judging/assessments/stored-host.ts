import {
  type AssessedHost,
  type AssessedPackage,
  type Assessment,
  assessedPackage,
  assessHost,
  type CoreHistory,
  companionsOf,
  type Finding,
  type HostDue,
  type HostWaivers,
  readOffer,
} from '@plimsoll/advisories';
import type {
  HostId,
  Lifecycle,
  PackageVersionId,
  Release,
  Statement,
  Upgrade,
  UploadId,
} from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import type { StoredFacts } from '../../ingest/stored-facts.ts';
import { readFacts } from '../../ingest/stored-facts.ts';
import { asKnownAt } from '../../knowledge/as-known-at.ts';
import { updatedAtOf } from '../../knowledge/coverage.ts';
import { loadLifecycles } from '../../knowledge/feeds/release-lifecycles.ts';
import type { KnowledgeMemories, KnowledgeMemory } from '../../knowledge/knowledge-memory.ts';
import { statementsAt } from '../../knowledge/known-versions.ts';
import { loadLivePatchCves } from '../../knowledge/load-subjects.ts';
import type { StoredPackageVersion } from '../../knowledge/package-versions.ts';
import { coreQuestion, loadCoreHistories, loadUpgrades, toHostFacts } from '../counting/host-facts.ts';
import { loadHostWaivers } from '../counting/host-terms.ts';
import { loadHostDue } from '../due/host-due-times.ts';

/** An installed package and the statements that affect it. */
export interface InstalledVersion {
  readonly version: StoredPackageVersion;
  readonly held: boolean;
  /** Ordered by statement id. */
  readonly statements: readonly Statement[];
  /** For a package with a live patch: the CVEs that it closes. Absent: none. */
  readonly closes?: readonly string[];
}

/** The time that a host is looked at. */
export interface Moment {
  /** The snapshot is the newest one received by then; null: of all. */
  readonly at: Date | null;
  /** Statements, matches and facts count as they were known then; null: as they are known now. */
  readonly knownAt: Date | null;
}

/** The host as it is. */
export const now: Moment = { at: null, knownAt: null };

/**
 * Everything that assessing one host needs, as of one snapshot: its newest matched one unless an earlier one is
 * selected.
 */
export interface HostToAssess {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  readonly release: Release;
  /** The release's lifecycle as stated by a feed; null if no feed states one. */
  readonly lifecycle: Lifecycle | null;
  /**
   * The feed whose advisories apply to the release; null without one. `covered`: the feed has advisories for
   * the release.
   */
  readonly feed: { readonly id: string; readonly updatedAt: Date | null; readonly covered: boolean } | null;
  readonly facts: StoredFacts;
  /** Null if unknown, also at a past time after which the host booted again. */
  readonly bootedAt: Date | null;
  readonly firstSnapshotAt: Date;
  readonly moment: Moment;
  /** What reads that began with this one share: the details of what it refers to. */
  readonly memory: KnowledgeMemory;
  /** Null if no reboot reason depends on it. */
  readonly coreHistory: CoreHistory | null;
  /** Ordered by name, architecture and version. */
  readonly packages: readonly InstalledVersion[];
  /** The package version of the running kernel if it is not among the installed ones. */
  readonly runningKernel: InstalledVersion | null;
  readonly upgrades: readonly Upgrade[];
  /** Those that applied at the moment; undefined: none. */
  readonly waivers: HostWaivers | undefined;
  /** By what its findings are due; absent: no policy is set, or the host is looked at in the past. */
  readonly due?: HostDue | undefined;
}

/** The stored fields of a host, as selected by `stateColumns`. */
export interface StateRow {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  readonly release: Release;
  readonly feedId: string | null;
  readonly feedUpdatedAt: Date | null;
  readonly covered: boolean;
  /** Parsed by readFacts. */
  readonly storedFacts: unknown;
  readonly bootedAt: Date | null;
  readonly firstSnapshotAt: Date;
  readonly ids: Uint8Array;
  readonly upgradeIds: readonly number[];
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
}

/** The select list of a `StateRow`, from `stateTables`. */
export const stateColumns = `hs.host_id AS "hostId", s.id AS "snapshotId", r.name AS release, r.feed_id AS "feedId",
  ${updatedAtOf('f', 'r')} AS "feedUpdatedAt", r.covered, s.facts AS "storedFacts", c.booted_at AS "bootedAt", hs.first_snapshot_at AS "firstSnapshotAt", ps.ids,
  s.upgrade_ids AS "upgradeIds", s.held_ids AS "heldIds", s.running_kernel_id AS "runningKernelId"`;

/** The tables that lead from a host to its newest matched snapshot. */
export const stateTables = `host_state hs JOIN host_contacts c USING (host_id) JOIN snapshots s ON s.id = hs.snapshot_id
  JOIN package_sets ps ON ps.id = s.set_id JOIN releases r ON r.id = s.release_id LEFT JOIN feeds f ON f.id = r.feed_id`;

/** A host as of its newest matched snapshot; null if it has none. */
export async function loadStoredHost(
  client: Statements,
  memories: KnowledgeMemories,
  hostId: string,
): Promise<HostToAssess | null> {
  const { rows } = await client.query<StateRow>(
    `SELECT ${stateColumns} FROM ${stateTables} WHERE hs.host_id = $1`,
    [hostId],
  );
  const row = rows[0];
  return row === undefined ? null : completeHost(client, await memories.current(), row);
}

/** Loads everything that a host's row refers to. The row's feed is that of the moment. */
export async function completeHost(
  client: Statements,
  memory: KnowledgeMemory,
  row: StateRow,
  moment: Moment = now,
): Promise<HostToAssess> {
  const ids = decodePackageSet(row.ids);
  const wanted = [...new Set(row.runningKernelId === null ? ids : [...ids, row.runningKernelId])];
  const facts = readFacts(row.storedFacts);
  const bootedAt = isAfter(row.bootedAt, moment.at) ? null : row.bootedAt;
  const question = bootedAt === null ? null : coreQuestion(row.hostId, facts);
  const [known, exploited, upgrades, histories, lifecycles, waivers] = await Promise.all([
    memory.versions.read(wanted),
    memory.versions.exploited(),
    loadUpgrades(client, row.upgradeIds, null),
    loadCoreHistories(client, question === null ? [] : [question]),
    loadLifecycles(client, [row.release]),
    loadHostWaivers(client, row.hostId, moment.knownAt),
  ]);
  const isNow = moment.at === null && moment.knownAt === null;
  const due = isNow ? await loadHostDue(client, row) : undefined;
  const versions = wanted.flatMap((id) => known.get(id)?.version ?? []);
  const statements = statementsAt(known, moment.knownAt, exploited);
  const closes = await loadLivePatchCves(knownIn(client, moment), versions);
  const inSet = new Set(ids);
  const coreHistory = histories.get(row.hostId) ?? null;
  return toHost(
    { ...row, bootedAt },
    {
      moment,
      memory,
      facts,
      installed: versions.filter(({ id }) => inSet.has(id)),
      kernel: versions.find(({ id }) => id === row.runningKernelId),
      statements: due === undefined ? statements : await memory.dated.dateAll(statements),
      closes,
      upgrades: [...upgrades.values()],
      coreHistory: coreHistory && {
        ...coreHistory,
        changes: coreHistory.changes.filter(({ at }) => !isAfter(at, moment.at)),
      },
      lifecycle: lifecycles.get(row.release) ?? null,
      waivers,
      due,
    },
  );
}

/** The database as it was known at a moment. */
export function knownIn(client: Statements, { knownAt }: Moment): Statements {
  return knownAt === null ? client : asKnownAt(client, knownAt);
}

function isAfter(time: Date | null, end: Date | null): boolean {
  return time !== null && end !== null && time > end;
}

/** Combines a host's row with everything it refers to. */
export function toHost(
  row: StateRow,
  found: {
    readonly moment: Moment;
    readonly memory: KnowledgeMemory;
    readonly facts: StoredFacts;
    readonly installed: readonly StoredPackageVersion[];
    readonly kernel: StoredPackageVersion | undefined;
    readonly statements: ReadonlyMap<PackageVersionId, readonly Statement[]>;
    readonly closes: ReadonlyMap<PackageVersionId, readonly string[]>;
    readonly upgrades: readonly Upgrade[];
    readonly coreHistory: CoreHistory | null;
    readonly lifecycle: Lifecycle | null;
    readonly waivers: HostWaivers | undefined;
    readonly due?: HostDue | undefined;
  },
): HostToAssess {
  const held = new Set(row.heldIds);
  const toInstalled = (version: StoredPackageVersion): InstalledVersion => ({
    version,
    held: held.has(version.id),
    statements: found.statements.get(version.id) ?? [],
    closes: found.closes.get(version.id) ?? [],
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
    moment: found.moment,
    memory: found.memory,
    coreHistory: found.coreHistory,
    packages: [...found.installed].sort(byName).map(toInstalled),
    runningKernel: found.kernel === undefined ? null : toInstalled(found.kernel),
    upgrades: found.upgrades,
    waivers: found.waivers,
    due: found.due,
  };
}

function byName(a: StoredPackageVersion, b: StoredPackageVersion): number {
  for (const property of ['name', 'architecture', 'version'] as const) {
    if (a[property] !== b[property]) return a[property] < b[property] ? -1 : 1;
  }
  return 0;
}

/** What an assessment is made of. */
export type StoredContent = Omit<HostToAssess, 'memory'>;

/** Assesses a stored host. Its totals equal the counts in `host_state`. */
export function assessStoredHost(host: StoredContent): Assessment {
  return assessHost(assessedHostOf(host));
}

/** The kernel companions of a stored host with open advisories; see companionsOf. */
export function assessStoredCompanions(
  host: HostToAssess,
  companions: readonly InstalledVersion[],
): readonly Finding[] {
  return companionsOf(assessedHostOf(host), companions.map(toPackage));
}

function toPackage({ version, statements, closes }: InstalledVersion): AssessedPackage {
  return assessedPackage(version, statements, closes);
}

function assessedHostOf(host: StoredContent): AssessedHost {
  return {
    packages: host.packages.map(toPackage),
    runningKernel: host.runningKernel === null ? null : toPackage(host.runningKernel),
    facts: {
      ...toHostFacts({
        release: host.release,
        lifecycle: host.lifecycle,
        facts: host.facts,
        bootedAt: host.bootedAt,
        coreHistory: host.coreHistory,
        upgrades: host.upgrades.map((upgrade) => readOffer(upgrade, host.release)),
        held: new Set(host.packages.filter(({ held }) => held).map(({ version }) => version.id)),
      }),
      ...(host.waivers === undefined ? {} : { waivers: host.waivers }),
      ...(host.due === undefined ? {} : { due: host.due }),
    },
  };
}
