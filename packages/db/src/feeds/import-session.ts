import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../database.ts';
import type { HostCounter } from '../matching/host-counter.ts';
import type { AdvisoryImport, ImportedRecord, ImportOutcome, PassedOver } from './advisory-import.ts';
import { type AppliedChanges, applyStaged } from './apply-staged.ts';
import {
  applyCveFacts,
  createCveStaging,
  cveShrinkage,
  type ImportedCveFact,
  stageCveFacts,
} from './cve-import.ts';
import { endImport, type ImportEnd, updateFeeds } from './end-import.ts';
import { applyLifecycles, type ImportedLifecycle, lifecycleShrinkage } from './lifecycle-import.ts';
import { recordDigest } from './record-digest.ts';
import { type KeptParts, settleParts, stageMore } from './record-parts.ts';
import { findRenamedRecords } from './renamed-records.ts';
import { applyRepositories, type ImportedRepository, repositoryShrinkage } from './repository-import.ts';
import { SeenRecords } from './seen-records.ts';
import { createStagingTables, type StagedRecord, stageRecords } from './staging.ts';
import { type CompleteFeed, loadRecordsOf, loadStanding, recordKey } from './standing-records.ts';

/** Runs an import on a connection of its own, one at a time in the whole installation. */
export async function withAdvisoryImport<T>(
  db: Database,
  work: (session: AdvisoryImport) => Promise<T>,
): Promise<T> {
  const client = await db.pool.connect();
  let sound = false;
  try {
    await client.query('SELECT pg_advisory_lock($1)', [importLock]);
    await createStagingTables(client);
    await createCveStaging(client);
    const result = await work(new ImportSession(client));
    await client.query('SELECT pg_advisory_unlock($1)', [importLock]);
    sound = true;
    return result;
  } finally {
    // A connection left in the middle still holds the lock and the staging tables: close it.
    client.release(!sound);
  }
}

const importLock = createHash('sha256')
  .update('plimsoll advisory import')
  .digest()
  .readBigInt64BE(0)
  .toString();

class ImportSession implements AdvisoryImport {
  private readonly client: pg.PoolClient;
  private readonly seen = new SeenRecords();
  private readonly factKinds = new Set<ImportedCveFact['kind']>();
  private readonly repositories = new Map<string, ImportedRepository>();
  private readonly lifecycles = new Map<string, ImportedLifecycle>();
  private staged = 0;
  private hasParts = false;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async stage(
    records: readonly ImportedRecord[],
    { mayGoBack }: { readonly mayGoBack: boolean },
  ): Promise<readonly PassedOver[]> {
    const keys = records.map(({ feedId, advisory }) => ({ feedId, externalId: advisory.externalId }));
    const standing = await loadStanding(this.client, keys);
    const passedOver: PassedOver[] = [];
    const changed: StagedRecord[] = [];
    const more: StagedRecord[] = [];
    for (const record of records) {
      const { externalId, modifiedAt } = record.advisory;
      const before = standing.get(recordKey(record.feedId, externalId));
      const seen = this.seen.note(record);
      const isOlder = modifiedAt !== null && before?.modifiedAt != null && modifiedAt < before.modifiedAt;
      if (seen === 'twice') passedOver.push({ externalId, reason: 'twice' });
      else if (isOlder && !mayGoBack) passedOver.push({ externalId, reason: 'older' });
      else {
        const isPart = record.part !== undefined;
        this.hasParts ||= isPart;
        const item = { ...record, digest: recordDigest(record), isPart };
        if (seen === 'more') more.push(item);
        // Of a part it shows at the end whether it changes anything.
        else if (isPart || before?.digest !== item.digest.toString('latin1')) changed.push(item);
      }
    }
    await stageRecords(this.client, changed);
    await stageMore(this.client, more);
    this.staged += changed.length;
    return passedOver;
  }

  async stageCves(facts: readonly ImportedCveFact[]): Promise<readonly string[]> {
    for (const { kind } of facts) this.factKinds.add(kind);
    return stageCveFacts(this.client, facts);
  }

  async shrinkage(completeFeeds: readonly CompleteFeed[]) {
    const standing = await loadRecordsOf(this.client, completeFeeds);
    return { standing: standing.length, lacking: standing.filter((record) => this.seen.lack(record)).length };
  }

  stageRepositories(repositories: readonly ImportedRepository[]): void {
    for (const entry of repositories)
      if (!this.repositories.has(entry.repository)) this.repositories.set(entry.repository, entry);
  }

  stageLifecycle(lifecycle: ImportedLifecycle): boolean {
    if (this.lifecycles.has(lifecycle.release)) return false;
    this.lifecycles.set(lifecycle.release, lifecycle);
    return true;
  }

  lifecycleShrinkage(feedId: string) {
    return lifecycleShrinkage(this.client, feedId, [...this.lifecycles.values()]);
  }

  repositoryShrinkage() {
    return repositoryShrinkage(this.client, [...this.repositories.values()]);
  }

  cveShrinkage(kind: ImportedCveFact['kind']) {
    return cveShrinkage(this.client, kind);
  }

  keep(externalId: string): void {
    this.seen.keep(externalId);
  }

  async finish(end: ImportEnd, counter: HostCounter): Promise<ImportOutcome> {
    const startedAt = performance.now();
    await this.client.query('BEGIN');
    try {
      const { matchMs, ...applied } = await this.apply(end, counter);
      const changes = applied.recordsChanged + applied.recordsRemoved;
      await updateFeeds(this.client, end, changes > 0);
      await endImport(this.client, end, changes);
      await this.client.query('COMMIT');
      return { ...applied, matchMs, mergeMs: performance.now() - startedAt - matchMs };
    } catch (error) {
      await this.client.query('ROLLBACK');
      throw error;
    }
  }

  private async apply(end: ImportEnd, counter: HostCounter): Promise<Omit<ImportOutcome, 'mergeMs'>> {
    if (this.hasParts) this.staged = await settleParts(this.client, keptParts(end.completeFeeds));
    const renamed = this.staged === 0 ? [] : await findRenamedRecords(this.client);
    const lacking = (await loadRecordsOf(this.client, end.completeFeeds)).filter((record) =>
      this.seen.lack(record),
    );
    const removed = [...new Set([...lacking.map(({ key }) => key), ...renamed])];
    let { hostsCounted, matchMs }: AppliedChanges = { hostsCounted: 0, matchMs: 0 };
    let recordsChanged = this.staged;
    let recordsRemoved = removed.length;
    if (recordsChanged + recordsRemoved > 0)
      ({ hostsCounted, matchMs } = await applyStaged(this.client, { staged: this.staged, removed }, counter));
    for (const kind of this.factKinds) {
      const isComplete = end.completeFeeds.some(({ feedId }) => end.feeds.get(feedId)?.facts === kind);
      const facts = await applyCveFacts(this.client, { kind, isComplete }, counter);
      recordsChanged += facts.changed;
      recordsRemoved += facts.removed;
      hostsCounted += facts.hostsCounted;
    }
    if (this.repositories.size > 0) {
      const isComplete = end.completeFeeds.some(
        ({ feedId }) => end.feeds.get(feedId)?.facts === 'repositories',
      );
      const { changed, removed } = await applyRepositories(
        this.client,
        [...this.repositories.values()],
        isComplete,
      );
      recordsChanged += changed;
      recordsRemoved += removed;
    }
    if (this.lifecycles.size > 0) {
      const complete = end.completeFeeds.map(({ feedId }) => feedId);
      const lifecycles = [...this.lifecycles.values()];
      const applied = await applyLifecycles(this.client, lifecycles, complete, counter);
      recordsChanged += applied.changed;
      recordsRemoved += applied.removed;
      hostsCounted += applied.hostsCounted;
    }
    return { recordsChanged, recordsRemoved, hostsCounted, matchMs };
  }
}

/** Imports complete one feed, or several without saying of which releases. */
function keptParts(completeFeeds: readonly CompleteFeed[]): KeptParts {
  const [complete] = completeFeeds;
  if (complete === undefined) return { kind: 'everything' };
  const { releases } = complete;
  return releases === null ? { kind: 'nothing' } : { kind: 'other_releases', releases };
}
