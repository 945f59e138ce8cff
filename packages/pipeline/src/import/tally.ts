import type { Feed } from '@plimsoll/advisories';
import type { FeedRead, ImportProgress } from '@plimsoll/db';
import type { FieldError } from '@plimsoll/model';

/** The first so many problems are kept to be shown; all are counted. */
const keptErrors = 100;

/** The records, feeds and problems that an import met so far. */
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

  /** Counts a record of a feed. A feed is as new as its newest record, and no newer than now. */
  belongs({ id, kind }: Pick<Feed, 'id' | 'kind'>, asOf: Date | null): void {
    const time = Math.min(asOf?.getTime() ?? 0, Date.now());
    const { newest, records } = this.feeds.get(id) ?? { newest: new Date(0), records: 0 };
    this.feeds.set(id, {
      kind,
      newest: new Date(Math.max(newest.getTime(), time)),
      records: records + 1,
    });
  }

  isMostlyBroken(): boolean {
    return this.recordsRejected * 2 > this.recordsRead;
  }

  progress(): ImportProgress {
    return { recordsRead: this.recordsRead, recordsRejected: this.recordsRejected, errors: [...this.errors] };
  }
}
