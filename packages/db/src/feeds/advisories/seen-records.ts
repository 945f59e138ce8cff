import type { KeyedRecord } from './key-statements.ts';
import { recordKey } from './standing-records.ts';

/** What a record that was seen can be completed by: others of other files, or about other releases. */
interface SeenPart {
  readonly file: number;
  readonly releases: readonly number[];
}

/** Which records the files of an import held so far; a whole feed's, so that each costs little. */
export class SeenRecords {
  /** Null: the record was all there is of it. */
  private readonly seen = new Map<string, SeenPart | null>();
  private readonly kept = new Set<string>();

  /**
   * Notes a record. `new`: the first of its id. `more`: another part of one seen before. `twice`: neither, and not to be
   * taken.
   */
  note({ feedId, advisory, part, statements }: KeyedRecord): 'new' | 'more' | 'twice' {
    const key = recordKey(feedId, advisory.externalId);
    const before = this.seen.get(key);
    if (part === undefined) {
      if (before !== undefined) return 'twice';
      this.seen.set(key, null);
      return 'new';
    }
    const releases = [...new Set(statements.map(({ releaseId }) => releaseId))];
    if (before === undefined) {
      this.seen.set(key, { file: part, releases });
      return 'new';
    }
    if (before === null) return 'twice';
    if (part === before.file && releases.some((release) => before.releases.includes(release))) return 'twice';
    this.seen.set(key, { file: part, releases: [...new Set([...before.releases, ...releases])] });
    return 'more';
  }

  /** Lets what stands under an id stand, whichever feed's, though the files hold nothing usable of it. */
  keep(externalId: string): void {
    this.kept.add(externalId);
  }

  /** Whether the files have nothing of what stands. */
  lack({ key, externalId }: { readonly key: string; readonly externalId: string }): boolean {
    return !this.seen.has(key) && !this.kept.has(externalId);
  }
}
