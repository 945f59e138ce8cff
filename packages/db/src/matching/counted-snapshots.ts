import { createHash } from 'node:crypto';
import type { PackageVersionId, Release, UploadId } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { type CountedFacts, countedFactsColumn, readCountedFacts } from '../snapshots/stored-facts.ts';

/**
 * The input of a host's counts besides its package versions. Equal facts have equal numbers, and so have
 * equal lists of updates.
 */
export interface CountedSnapshot {
  readonly release: Release;
  readonly setId: number;
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
  readonly facts: number;
  readonly upgrades: number;
  /** Whether its counts depend on changes since the host booted. */
  readonly hasHistory: boolean;
}

/** The contents of numbered facts and lists of updates. */
export interface SnapshotContents {
  readonly facts: ReadonlyMap<number, CountedFacts>;
  /** Ids in `upgrades`. */
  readonly upgrades: ReadonlyMap<number, readonly number[]>;
}

/** Cache sizes: snapshots and numbers are small, contents have kilobytes. */
const cachedSnapshots = 150_000;
const cachedNumbers = 150_000;
const cachedContents = 5_000;
/** Held ids of all cached snapshots, and characters of all cached contents: a host can send megabytes of either. */
const cachedHeldIds = 4_000_000;
const cachedCharacters = 64 * 1024 * 1024;
const contentBounds = { max: cachedContents, maxSize: cachedCharacters };

/**
 * A cache of the stored snapshots that a counter has read. Snapshots never change, so entries cannot become
 * outdated.
 */
export class CountedSnapshots {
  private readonly snapshots = new LRUCache<UploadId, CountedSnapshot>({
    max: cachedSnapshots,
    maxSize: cachedHeldIds,
    sizeCalculation: ({ heldIds }) => heldIds.length + 1,
  });
  private readonly numbers = new LRUCache<string, number>({ max: cachedNumbers });
  private readonly facts = new LRUCache<number, CountedFacts>(contentBounds);
  private readonly upgrades = new LRUCache<number, readonly number[]>(contentBounds);
  private lastNumber = 0;

  /** Snapshots by id. Throws if one does not exist. */
  async load(
    client: pg.PoolClient,
    ids: readonly UploadId[],
  ): Promise<ReadonlyMap<UploadId, CountedSnapshot>> {
    const found = new Map<UploadId, CountedSnapshot>();
    const missing: UploadId[] = [];
    for (const id of ids) {
      const known = this.snapshots.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    for (const row of await this.read(client, missing)) {
      const { id, release, setId, heldIds, runningKernelId } = row;
      const numbers = { facts: this.numberOf(row.facts), upgrades: this.numberOf(row.upgrades) };
      const { coreInstalls = [] } = this.keepContents(numbers, row).facts;
      const snapshot = {
        release,
        setId,
        heldIds,
        runningKernelId,
        ...numbers,
        hasHistory: coreInstalls.length > 0,
      };
      this.snapshots.set(id, snapshot);
      found.set(id, snapshot);
    }
    if (found.size < new Set(ids).size) throw new Error('a host refers to a snapshot that does not exist');
    return found;
  }

  /** The contents of loaded snapshots. Reads those again that the cache no longer has. */
  async contentsOf(
    client: pg.PoolClient,
    snapshots: ReadonlyMap<UploadId, CountedSnapshot>,
  ): Promise<SnapshotContents> {
    const facts = new Map<number, CountedFacts>();
    const upgrades = new Map<number, readonly number[]>();
    const again = new Map<UploadId, CountedSnapshot>();
    for (const [id, snapshot] of snapshots) {
      if (facts.has(snapshot.facts) && upgrades.has(snapshot.upgrades)) continue;
      const ownFacts = this.facts.get(snapshot.facts);
      const ownUpgrades = this.upgrades.get(snapshot.upgrades);
      if (ownFacts === undefined || ownUpgrades === undefined) again.set(id, snapshot);
      if (ownFacts !== undefined) facts.set(snapshot.facts, ownFacts);
      if (ownUpgrades !== undefined) upgrades.set(snapshot.upgrades, ownUpgrades);
    }
    for (const row of await this.read(client, [...again.keys()])) {
      const snapshot = again.get(row.id);
      if (snapshot === undefined) continue;
      const contents = this.keepContents(snapshot, row);
      facts.set(snapshot.facts, contents.facts);
      upgrades.set(snapshot.upgrades, contents.upgrades);
    }
    return { facts, upgrades };
  }

  private async read(client: pg.PoolClient, ids: readonly UploadId[]): Promise<readonly SnapshotRow[]> {
    if (ids.length === 0) return [];
    const { rows } = await client.query<SnapshotRow>(
      `SELECT s.id, r.name AS release, s.set_id AS "setId", s.held_ids AS "heldIds", s.running_kernel_id AS "runningKernelId",
              ${countedFactsColumn} AS facts, array_to_string(s.upgrade_ids, ',') AS upgrades
       FROM snapshots s JOIN releases r ON r.id = s.release_id WHERE s.id = ANY($1::uuid[])`,
      [ids],
    );
    return rows;
  }

  private keepContents(numbers: Pick<CountedSnapshot, 'facts' | 'upgrades'>, row: SnapshotRow) {
    const facts = this.facts.get(numbers.facts) ?? readCountedFacts(JSON.parse(row.facts));
    const upgrades =
      this.upgrades.get(numbers.upgrades) ?? (row.upgrades === '' ? [] : row.upgrades.split(',').map(Number));
    this.facts.set(numbers.facts, facts, { size: row.facts.length + 1 });
    this.upgrades.set(numbers.upgrades, upgrades, { size: row.upgrades.length + 1 });
    return { facts, upgrades };
  }

  private numberOf(content: string): number {
    const digest = createHash('sha256').update(content).digest('base64');
    const known = this.numbers.get(digest);
    if (known !== undefined) return known;
    const number = ++this.lastNumber;
    this.numbers.set(digest, number);
    return number;
  }
}

interface SnapshotRow extends Pick<CountedSnapshot, 'release' | 'setId' | 'heldIds' | 'runningKernelId'> {
  readonly id: UploadId;
  readonly facts: string;
  readonly upgrades: string;
}
