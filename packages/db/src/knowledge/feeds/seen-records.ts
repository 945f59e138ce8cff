import type { KeyedRecord } from './key-statements.ts';
import { recordKey } from './stored-records.ts';

/** What can complete a record that was already read: records of other files, or about other releases. */
interface SeenPart {
  readonly file: number;
  readonly releases: readonly number[];
}

/**
 * The ids of the records in an import's files so far. There is an entry for each record of a feed, so entries
 * are small.
 */
export class SeenRecords {
  /** Null: the record was complete. */
  private readonly seen = new Map<string, SeenPart | null>();
  private readonly kept = new Set<string>();

  /**
   * Adds a record. `new`: the first with its id. `more`: another part of a record seen earlier. `twice`: a duplicate,
   * to be rejected.
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

  /** Keeps the stored records with an id, of any feed, although their record in the files was rejected. */
  keep(externalId: string): void {
    this.kept.add(externalId);
  }

  /** Whether the files contain no part of a stored record. */
  lack({ key, externalId }: { readonly key: string; readonly externalId: string }): boolean {
    return !this.seen.has(key) && !this.kept.has(externalId);
  }
}
