import type { SyncProgress } from '@plimsoll/db';
import type { FeedSyncStage } from '@plimsoll/model';

/**
 * Fewer new bytes than this do not count as progress: a server that sends one byte a minute must not hold a
 * sync forever.
 */
const leastBytes = 256 * 1024;

/** Counts the progress of a sync. */
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

  /** Starts a stage. */
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

  /** Counts a file that was fetched, or that did not have to be fetched. */
  fileDone(): void {
    this.filesDone++;
    this.advance();
  }

  /**
   * Starts a download, or restarts it after an interruption. @param have bytes that are already stored.
   * `expected`: bytes of the whole file; null if the server does not state them.
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

  /** Sets the number of records read so far. */
  read(records: number): void {
    if (records === this.records) return;
    this.records = records;
    this.advance();
  }

  /** The current progress. */
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
