import type pg from 'pg';
import { applyStaged } from './apply-staged.ts';
import type {
  AppliedItems,
  CompleteFeed,
  ImportKind,
  KindStaging,
  RejectedItem,
  StagedItem,
  StageOptions,
  StagingContext,
} from './import-kind.ts';
import { type KeyedRecord, keyRecord } from './key-statements.ts';
import { recordDigest } from './record-digest.ts';
import { type KeptParts, keepUnread, settleParts, stageMore } from './record-parts.ts';
import { findRenamedRecords } from './renamed-records.ts';
import { SeenRecords } from './seen-records.ts';
import { createStagingTables, type StagedRecord, stageRecords } from './staging.ts';
import { loadRecordsOf, loadStoredRecords, recordKey } from './stored-records.ts';

/** The import of advisories: matches package versions again if a statement about them changes. */
export const advisoryImport: ImportKind<'advisories'> = {
  /** Few, so that most of the memory of a batch is freed by the young-generation garbage collector. */
  itemsPerStage: 100,
  async begin(context) {
    await createStagingTables(context.client);
    return new AdvisoryStaging(context);
  },
};

/** With fewer records, the size of a feed does not show whether a file is truncated. */
const significantFrom = 100;

class AdvisoryStaging implements KindStaging<'advisories'> {
  private readonly client: pg.PoolClient;
  private readonly interner: StagingContext['interner'];
  private readonly seen = new SeenRecords();
  private readonly dropped: { readonly feedId: string; readonly externalId: string }[] = [];
  private staged = 0;
  private hasParts = false;
  private hasUnread = false;

  constructor({ client, interner }: StagingContext) {
    this.client = client;
    this.interner = interner;
  }

  async stage(
    items: readonly StagedItem<'advisories'>[],
    { mayGoBack }: StageOptions,
  ): Promise<readonly RejectedItem[]> {
    const keys = items.map(({ feedId, item }) => ({ feedId, externalId: item.externalId }));
    const stored = await loadStoredRecords(this.client, keys);
    const passedOver: RejectedItem[] = [];
    const changed: StagedRecord[] = [];
    const more: StagedRecord[] = [];
    for (const item of items) {
      const record = await keyRecord(this.interner, item);
      const { externalId, modifiedAt } = record.advisory;
      const before = stored.get(recordKey(record.feedId, externalId));
      const seen = this.seen.note(record);
      const isOlder = modifiedAt !== null && before?.modifiedAt != null && modifiedAt < before.modifiedAt;
      if (seen === 'twice') passedOver.push({ pointer: externalId, reason: 'twice' });
      else if (isOlder && !mayGoBack) passedOver.push({ pointer: externalId, reason: 'older' });
      else {
        const isPart = record.part !== undefined;
        this.hasParts ||= isPart;
        this.hasUnread ||= isPartlyUnread(record);
        const staged = { ...record, digest: recordDigest(record), isPart };
        if (seen === 'more') more.push(staged);
        // Whether a part changes anything is known only after all parts are staged.
        else if (isPart || before?.digest !== staged.digest.toString('latin1')) changed.push(staged);
      }
    }
    await stageRecords(this.client, changed);
    await stageMore(this.client, more);
    this.staged += changed.length;
    return passedOver;
  }

  keep(externalId: string): void {
    this.seen.keep(externalId);
  }

  drop(feedId: string, externalId: string): void {
    this.dropped.push({ feedId, externalId });
  }

  async shrinkages(completeFeeds: readonly CompleteFeed[]) {
    const stored = await loadRecordsOf(this.client, completeFeeds);
    const lacking = stored.filter((record) => this.seen.lack(record)).length;
    return [{ stored: stored.length, lacking, significantFrom }];
  }

  async apply(completeFeeds: readonly CompleteFeed[]): Promise<AppliedItems> {
    if (this.hasUnread) await keepUnread(this.client);
    if (this.hasParts) this.staged = await settleParts(this.client, keptParts(completeFeeds));
    const renamed = this.staged === 0 ? [] : await findRenamedRecords(this.client);
    const stored = await loadRecordsOf(this.client, completeFeeds);
    const lacking = stored.filter((record) => this.seen.lack(record)).map(({ key }) => key);
    const dropped = (await loadStoredRecords(this.client, this.dropped)).keys();
    const removed = [...new Set([...lacking, ...renamed, ...dropped])];
    const numbers = { changed: this.staged, removed: removed.length };
    if (numbers.changed + numbers.removed === 0) return numbers;
    return { ...numbers, ...(await applyStaged(this.client, { staged: this.staged, removed })) };
  }

  async count(feedId: string): Promise<number> {
    const { rows } = await this.client.query<{ records: number }>(
      'SELECT count(*)::int AS records FROM advisories WHERE feed_id = $1',
      [feedId],
    );
    return rows[0]?.records ?? 0;
  }
}

/** Whether what is stored about some packages of a record is to be kept; see keepUnread. */
function isPartlyUnread({ advisory, statements }: KeyedRecord): boolean {
  return (
    advisory.isIncomplete === true ||
    statements.some(({ fix }) => fix.kind === 'unfixed' && fix.isUnreadable === true)
  );
}

/** An import is complete for one feed, or for several feeds with all of their releases. */
function keptParts(completeFeeds: readonly CompleteFeed[]): KeptParts {
  const [complete] = completeFeeds;
  if (complete === undefined) return { kind: 'everything' };
  const { releases } = complete;
  return releases === null ? { kind: 'nothing' } : { kind: 'other_releases', releases };
}
