import type { FeedRead, ImportProgress } from '@plimsoll/db';
import type { FieldError } from '@plimsoll/model';

/** The first so many problems are kept to be shown; all are counted. */
const keptErrors = 100;

/** What an import met so far. */
export class Tally {
  readonly feeds = new Map<string, FeedRead>();
  private readonly errors: FieldError[] = [];
  private recordsRead = 0;
  private recordsRejected = 0;

  read(): void {
    this.recordsRead++;
  }

  reject(place: string, detail: string): void {
    this.recordsRejected++;
    this.note(place, detail);
  }

  /** A problem that costs no record. */
  note(pointer: string, detail: string): void {
    if (this.errors.length < keptErrors) this.errors.push({ pointer, detail });
  }

  /** Data is known to be as new as its newest record, and no newer than now. */
  belongs(feedId: string, modifiedAt: Date | null, facts?: FeedRead['facts']): void {
    const modified = Math.min(modifiedAt?.getTime() ?? 0, Date.now());
    const { newest, records } = this.feeds.get(feedId) ?? { newest: new Date(0), records: 0 };
    this.feeds.set(feedId, {
      newest: new Date(Math.max(newest.getTime(), modified)),
      records: records + 1,
      ...(facts === undefined ? {} : { facts }),
    });
  }

  isMostlyBroken(): boolean {
    return this.recordsRejected * 2 > this.recordsRead;
  }

  progress(): ImportProgress {
    return { recordsRead: this.recordsRead, recordsRejected: this.recordsRejected, errors: [...this.errors] };
  }
}
