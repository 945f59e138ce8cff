import type { Feed } from '@plimsoll/advisories';
import type { FeedRead, ImportProgress } from '@plimsoll/db';
import type { FieldError } from '@plimsoll/model';

/** Number of problems that are kept to be shown; all are counted. */
const keptErrors = 100;

/** The records, feeds and problems of an import so far. */
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

  /** Adds a problem that rejects no record. */
  note(pointer: string, detail: string): void {
    if (this.errors.length < keptErrors) this.errors.push({ pointer, detail });
  }

  /** Counts a record of a feed. The feed's age is that of its newest record; never in the future. */
  belongs({ id, kind }: Pick<Feed, 'id' | 'kind'>, asOf: Date | null): void {
    const time = Math.min(asOf?.getTime() ?? 0, Date.now());
    const { newest, records } = this.feeds.get(id) ?? { newest: new Date(0), records: 0 };
    this.feeds.set(id, {
      kind,
      newest: new Date(Math.max(newest.getTime(), time)),
      records: records + 1,
    });
  }

  /** Notes that the import is about a feed, even if none of its records is read. */
  concerns({ id, kind }: Pick<Feed, 'id' | 'kind'>): void {
    if (!this.feeds.has(id)) this.feeds.set(id, { kind, newest: new Date(0), records: 0 });
  }

  isMostlyBroken(): boolean {
    return this.recordsRejected * 2 > this.recordsRead;
  }

  progress(): ImportProgress {
    return { recordsRead: this.recordsRead, recordsRejected: this.recordsRejected, errors: [...this.errors] };
  }
}
