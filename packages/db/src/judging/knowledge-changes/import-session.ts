import { type FeedKind, feedKinds } from '@plimsoll/model';
import type pg from 'pg';
import type { Database } from '../../core/database.ts';
import { endImportTurn, takeEffect, takeImportTurn } from '../../core/locks.ts';
import type { Interner } from '../../ingest/interning.ts';
import {
  endImport,
  type FeedRead,
  type ImportEnd,
  noteImportResult,
  updateFeeds,
} from '../../knowledge/feeds/end-import.ts';
import type {
  CompleteFeed,
  RejectedItem,
  Shrinkage,
  StagedItem,
  StageOptions,
} from '../../knowledge/feeds/import-kind.ts';
import { beginStaging, type Stagings } from '../../knowledge/feeds/import-kinds.ts';
import type { HostCounter } from '../counting/host-counter.ts';
import { recountAndEndWaivers } from './recount-and-end-waivers.ts';

/** The result of an import. */
export interface ImportOutcome {
  readonly recordsChanged: number;
  readonly recordsRemoved: number;
  /** By this process, the scheduler's job included; not those that other processes counted. */
  readonly hostsCounted: number;
  /** The time it took to replace the stored records and to match again. */
  readonly mergeMs: number;
  readonly matchMs: number;
  /** The time it took to count the affected hosts; uploads were matched meanwhile. */
  readonly countMs: number;
}

/** Runs an import on a separate connection, one at a time in the whole installation. */
export async function withFeedImport<T>(
  { db, interner }: { readonly db: Database; readonly interner: Interner },
  work: (session: FeedImport) => Promise<T>,
): Promise<T> {
  const client = await db.pool.connect();
  let sound = false;
  try {
    await takeImportTurn(client);
    const result = await work(
      new FeedImport(db, client, await beginStaging({ client, interner: await interner.begin() })),
    );
    await endImportTurn(client);
    sound = true;
    return result;
  } finally {
    // An interrupted connection still holds the lock and the staging tables: close it.
    client.release(!sound);
  }
}

/** A running import: other connections see nothing of its staged items until `finish`. */
export class FeedImport {
  private readonly db: Database;
  private readonly client: pg.PoolClient;
  private readonly stagings: Stagings;

  /** @param client holds the import's lock. */
  constructor(db: Database, client: pg.PoolClient, stagings: Stagings) {
    this.db = db;
    this.client = client;
    this.stagings = stagings;
  }

  /** Stages items of a kind. Items equal to stored ones are only marked as seen. Returns the rejected ones. */
  stage<K extends FeedKind>(
    kind: K,
    items: readonly StagedItem<K>[],
    options: StageOptions,
  ): Promise<readonly RejectedItem[]> {
    return this.stagings[kind].stage(items, options);
  }

  /** Keeps the stored item with an id although its record in the files was rejected. Null: of any kind. */
  keep(externalId: string, kind: FeedKind | null): void {
    for (const each of kind === null ? feedKinds : [kind]) this.stagings[each].keep?.(externalId);
  }

  /** Removes the stored item of a feed with an id, if there is one, when the import takes effect. */
  drop({ id, kind }: { readonly id: string; readonly kind: FeedKind }, externalId: string): void {
    const staging = this.stagings[kind];
    if (staging.drop === undefined) throw new Error(`items of the kind ${kind} are not removed one by one`);
    staging.drop(id, externalId);
  }

  /** What the import would remove from complete feeds. */
  async shrinkages({
    completeFeeds,
    feeds,
  }: Pick<ImportEnd, 'completeFeeds' | 'feeds'>): Promise<readonly Shrinkage[]> {
    const found: Shrinkage[] = [];
    for (const kind of feedKinds)
      found.push(...(await this.stagings[kind].shrinkages(ofKind(kind, completeFeeds, feeds))));
    return found;
  }

  /**
   * Replaces stored records with the staged ones, one kind after the other, in one transaction. Then counts the affected
   * hosts, and those that an earlier import left uncounted, ends the snoozed waivers of what has a fix now, and ends the
   * import.
   */
  async finish(end: ImportEnd, counter: HostCounter): Promise<ImportOutcome> {
    const applied = await this.applyAll(end);
    const startedAt = performance.now();
    const hostsCounted = await recountAndEndWaivers(this.db, { counter });
    await endImport(this.client, end);
    return { ...applied, hostsCounted, countMs: performance.now() - startedAt };
  }

  private async applyAll(end: ImportEnd): Promise<Omit<ImportOutcome, 'hostsCounted' | 'countMs'>> {
    const startedAt = performance.now();
    await this.client.query('BEGIN');
    try {
      const { matchMs, effects, ...applied } = await this.applyKinds(end);
      const changes = applied.recordsChanged + applied.recordsRemoved;
      await updateFeeds(this.client, end, changes > 0 ? await this.counts(end.feeds) : null);
      await noteImportResult(this.client, end, changes);
      // Last and short, because uploads are not matched meanwhile.
      if (effects.length > 0) await takeEffect(this.client);
      for (const effect of effects) await effect();
      await this.client.query('COMMIT');
      return { ...applied, matchMs, mergeMs: performance.now() - startedAt - matchMs };
    } catch (error) {
      // A broken connection cannot roll back; the caller closes it.
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  private async applyKinds(end: ImportEnd) {
    const sums = { recordsChanged: 0, recordsRemoved: 0, matchMs: 0 };
    const effects: (() => Promise<void>)[] = [];
    for (const kind of feedKinds) {
      const complete = ofKind(kind, end.completeFeeds, end.feeds);
      const { changed, removed, matchMs = 0, takeEffect: effect } = await this.stagings[kind].apply(complete);
      if (effect !== undefined) effects.push(effect);
      sums.recordsChanged += changed;
      sums.recordsRemoved += removed;
      sums.matchMs += matchMs;
    }
    return { ...sums, effects };
  }

  private async counts(feeds: ReadonlyMap<string, FeedRead>): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const [feedId, { kind }] of feeds) counts.set(feedId, await this.stagings[kind].count(feedId));
    return counts;
  }
}

function ofKind(
  kind: FeedKind,
  completeFeeds: readonly CompleteFeed[],
  feeds: ReadonlyMap<string, FeedRead>,
): readonly CompleteFeed[] {
  return completeFeeds.filter(({ feedId }) => feeds.get(feedId)?.kind === kind);
}
