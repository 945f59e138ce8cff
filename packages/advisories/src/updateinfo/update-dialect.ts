import type { Release, Severity } from '@plimsoll/model';
import type { RecordContext } from '../feeds/feed.ts';

/** What updateinfo leaves to each distribution. */
export interface UpdateDialect {
  /** The release an update is for, where it says so, else that of the file; null for none of the feed's. */
  releaseOf(update: UpdateFacts, context: RecordContext): Release | null;
  /** Whether a package with this rpm release is one for a release: some files mix builds for several. */
  isBuildFor(rpmRelease: string, release: Release): boolean;
  /** The line of builds a package belongs to (see Builds); empty for the main one. */
  lineOf(name: string, evr: string): string;
  /** Severity of the vendor's word; null where it says nothing. */
  severityOf(word: string): Severity | null;
  /** The page of an update. */
  urlOf(id: string): string;
}

/** What of an update its release can be told by; empty where it has none. */
export interface UpdateFacts {
  readonly id: string;
  readonly title: string;
  /** Short and full names of its collections. */
  readonly collections: readonly string[];
}
