import type { SyncProgress } from '@plimsoll/db';
import type { FeedSyncStage } from '@plimsoll/model';

/** Fewer new bytes than this are no progress: a server that sends a byte a minute must not hold a sync for ever. */
const leastBytes = 256 * 1024;

/** Counts what a sync has done. */
export class SyncTracker {
  private stage: FeedSyncStage = 'listing';
  private filesDone = 0;
  private filesTotal: number | null = null;
  private records = 0;
  /** Bytes and expected bytes of the files before the current one. */
  private doneBytes = 0;
  private current: { have: number; readonly expected: number | null } = { have: 0, expected: 0 };
  private isSizeKnown = true;
  private changedAt = performance.now();
  private advanced: { at: number; bytes: number } = { at: performance.now(), bytes: 0 };

  /** Begins a stage. */
  enter(stage: FeedSyncStage): void {
    if (this.stage === stage) return;
    this.stage = stage;
    this.advance();
  }

  /** Adds files to fetch. */
  expectFiles(count: number): void {
    this.filesTotal = (this.filesTotal ?? 0) + count;
    this.changedAt = performance.now();
  }

  /** Counts a file that was fetched or need not be fetched. */
  fileDone(): void {
    this.filesDone++;
    this.advance();
  }

  /**
   * Begins a download, or begins it again after a break.
   * @param have bytes that are there already. `expected`: of the whole file; null: the server does not tell it.
   */
  beginDownload(have: number, expected: number | null): void {
    this.current = { have, expected };
    this.changedAt = performance.now();
  }

  /** Counts received bytes. */
  received(bytes: number): void {
    this.current.have += bytes;
    this.changedAt = performance.now();
    if (Math.abs(this.bytes() - this.advanced.bytes) >= leastBytes) this.advance();
  }

  /** Ends the current download. */
  endDownload(): void {
    this.doneBytes = this.bytes();
    this.isSizeKnown &&= this.current.expected !== null;
    this.current = { have: 0, expected: 0 };
  }

  /** Notes the number of records read so far. */
  read(records: number): void {
    if (records === this.records) return;
    this.records = records;
    this.advance();
  }

  /** How far the sync is. */
  progress(): SyncProgress {
    const { expected, have } = this.current;
    return {
      stage: this.stage,
      filesDone: this.filesDone,
      filesTotal: this.filesTotal,
      bytes: this.bytes(),
      bytesExpected: this.isSizeKnown && expected !== null ? this.doneBytes + Math.max(expected, have) : null,
      records: this.records,
    };
  }

  /** Milliseconds since something changed. */
  idleMs(): number {
    return performance.now() - this.changedAt;
  }

  /** Milliseconds since the sync advanced: a stage, a file, records, or more than a few bytes. */
  stalledMs(): number {
    return performance.now() - this.advanced.at;
  }

  private bytes(): number {
    return this.doneBytes + this.current.have;
  }

  private advance(): void {
    this.changedAt = performance.now();
    this.advanced = { at: this.changedAt, bytes: this.bytes() };
  }
}
