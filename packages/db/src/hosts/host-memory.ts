import { type Change, type ChangeListener, listenForChanges } from '../connection/change-listener.ts';
import { type Database, inPgTransaction } from '../database.ts';
import { SetMemory } from '../interning/set-memory.ts';
import { judgeDue } from '../judging/judge-due.ts';
import { HostColumns } from './host-columns.ts';
import {
  changedSince,
  countHosts,
  type Horizon,
  type ReleaseRow,
  readAllHosts,
  readHosts,
  releaseRows,
  releasesIn,
  removeDeleted,
} from './load-hosts.ts';

/**
 * All hosts in the memory of this process, for questions about the findings and packages of the fleet. What was committed before
 * `current` is called is in its result, except changes of more than 100 hosts in one statement, which follow within a fifth of a
 * second if there are 100,000 hosts. While the database takes seconds to answer, changes
 * follow when it has answered. Loaded at the first call; from then on one connection listens for changes.
 */
export interface HostMemory {
  /** The hosts as of now, judged. Use it before the next `await`: it changes with later calls. */
  current(): Promise<HostColumns>;
  /**
   * As `current`, and reads all that changed, also changes that were not notified: behind a pooler of transactions no
   * notification arrives.
   */
  review(): Promise<HostColumns>;
  /** Package sets, for questions about what hosts have installed. */
  readonly setMemory: SetMemory;
}

/** Changes of many hosts are gathered for this time, because tables are scanned for them: 0.2 s for a fleet of 100,000. */
const gatherMsPerHost = 0.002;
const leastGatherMs = 100;

/** The memory of one database. It is discarded when the database is closed. */
export function createHostMemory(database: Database): HostMemory {
  const keeper = new MemoryKeeper(database);
  return { current: () => keeper.current(), review: () => keeper.review(), setMemory: new SetMemory() };
}

/** Whether most positions are those of deleted hosts. */
function isSparse({ size, hosts }: HostColumns): boolean {
  return size > 2 * hosts + 10_000;
}

/** Whether a horizon is before another one: only after a backup was restored. Transaction numbers wrap at 32 bits. */
export function isEarlier(horizon: Horizon, other: Horizon): boolean {
  return other !== '0' && ((Number(horizon) - Number(other)) | 0) < 0;
}

class MemoryKeeper {
  private columns = new HostColumns();
  private listener: ChangeListener | null = null;
  /** Hosts to read again. */
  private due = new Set<string>();
  /** When changes were first reported without the ids of hosts that no sweep reads; null: there are none. */
  private bulkDueAt: number | null = null;
  /** Whether the sweep under way reads such changes. */
  private isBulkSweep = false;
  /** Changes were missed, or not all deleted hosts are known. */
  private isAnyDue = true;
  private horizon: Horizon | null = null;
  /** The horizon of the newest refresh. */
  private newest: Horizon = '0';
  private isReviewDue = false;
  /** The hosts that were read while a sweep is under way; null without one. */
  private readDuringSweep: Set<string> | null = null;
  private releases = '';
  private running: Promise<HostColumns> | null = null;
  private next: Promise<HostColumns> | null = null;
  private sweeping: Promise<void> | null = null;

  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** The result of a refresh that began after the call; calls share it. */
  current(): Promise<HostColumns> {
    if (this.running === null) return this.begin();
    this.next ??= this.running.catch(() => undefined).then(() => this.begin());
    return this.next;
  }

  async review(): Promise<HostColumns> {
    await this.current();
    await this.sweeping?.catch(() => undefined);
    this.isReviewDue = true;
    await this.sweep(this.newest);
    return this.columns;
  }

  private begin(): Promise<HostColumns> {
    this.next = null;
    this.running = this.refresh().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async refresh(): Promise<HostColumns> {
    this.listen();
    await judgeDue(this.database);
    const release = await this.readReleases();
    // Until a read of all succeeds: the next call does not see that the backup was restored.
    if (isEarlier(release.horizon, this.newest)) this.horizon = null;
    this.newest = release.horizon;
    if (release.releases !== this.releases) {
      this.columns.setReleases(releasesIn(release));
      this.releases = release.releases;
    }
    if (this.horizon === null || isSparse(this.columns)) await this.readAll(release);
    else await this.readDue();
    if (this.isSweepDue()) {
      // One that is under way may have begun before the change.
      await this.sweeping?.catch(() => undefined);
      if (this.isSweepDue()) await this.sweep(release.horizon);
    }
    return this.columns;
  }

  /** Whether a call waits for what is not reported by host. */
  private isSweepDue(): boolean {
    const gatherMs = Math.max(leastGatherMs, gatherMsPerHost * this.columns.hosts);
    const isBulkOver = this.bulkDueAt !== null && performance.now() - this.bulkDueAt > gatherMs;
    return this.isAnyDue || isBulkOver || this.isBulkSweep;
  }

  /**
   * Reads the releases where changes arrive: those committed before were noted when it has answered. A slow answer is no
   * reason to read all that changed: that would make the database slower.
   */
  private async readReleases(): Promise<ReleaseRow> {
    const heard = (await this.listener?.query<ReleaseRow>(releaseRows)) ?? 'lost';
    if (typeof heard === 'object' && heard[0] !== undefined) return heard[0];
    this.isAnyDue ||= heard === 'lost';
    const { rows } = await this.database.pool.query<ReleaseRow>(releaseRows);
    if (rows[0] === undefined) throw new Error('the releases were not read');
    return rows[0];
  }

  private listen(): void {
    if (this.listener !== null) return;
    const miss = (): void => {
      this.isAnyDue = true;
    };
    const listener = listenForChanges(this.database, {
      onChange: (change) => this.note(change),
      onListening: miss,
      onLost: miss,
    });
    this.listener = listener;
    this.database.beforeClose(() => listener.close());
  }

  private note(change: Change): void {
    switch (change.kind) {
      case 'host_created':
      case 'host_changed':
      case 'host_deleted':
        if (change.items !== null) for (const id of change.items) this.due.add(id);
        else if (change.kind === 'host_deleted') this.isAnyDue = true;
        else this.bulkDueAt ??= performance.now();
    }
  }

  private async readAll(release: ReleaseRow): Promise<void> {
    const { pool } = this.database;
    await this.sweeping;
    const columns = new HostColumns();
    columns.setReleases(releasesIn(release));
    this.isAnyDue = false;
    this.bulkDueAt = null;
    this.due = new Set();
    await inPgTransaction(pool, (tx) => readAllHosts(tx, columns));
    this.columns = columns;
    this.horizon = release.horizon;
  }

  private async readDue(): Promise<void> {
    if (this.due.size === 0) return;
    const ids = [...this.due];
    this.due = new Set();
    await this.readHosts(ids);
  }

  private async readHosts(ids: readonly string[]): Promise<void> {
    try {
      await readHosts(this.database.pool, this.columns, ids);
      for (const id of ids) this.readDuringSweep?.add(id);
    } catch (error) {
      for (const id of ids) this.due.add(id);
      throw error;
    }
  }

  /**
   * Reads what changed without being reported by host. Calls share a sweep.
   * @param now the horizon from which the next sweep reads
   */
  private sweep(now: Horizon): Promise<void> {
    this.sweeping ??= this.sweepOnce(now).finally(() => {
      this.sweeping = null;
    });
    return this.sweeping;
  }

  private async sweepOnce(now: Horizon): Promise<void> {
    const { pool } = this.database;
    const [isAny, bulkDueAt, isReview] = [this.isAnyDue, this.bulkDueAt, this.isReviewDue];
    const before = this.horizon ?? '0';
    const newer = new Set<string>();
    const isNewer = (id: string): boolean => newer.has(id);
    this.isAnyDue = false;
    this.isReviewDue = false;
    this.bulkDueAt = null;
    this.isBulkSweep = bulkDueAt !== null;
    this.readDuringSweep = newer;
    try {
      await readHosts(pool, this.columns, await changedSince(pool, before), isNewer);
      if (isAny || (isReview && (await countHosts(pool)) !== this.columns.hosts))
        await removeDeleted(pool, this.columns, isNewer);
      this.horizon = now;
    } catch (error) {
      this.isAnyDue ||= isAny;
      this.bulkDueAt ??= bulkDueAt;
      throw error;
    } finally {
      this.isBulkSweep = false;
      this.readDuringSweep = null;
    }
  }
}
