import type { Release, Severity } from '@plimsoll/model';
import type { RecordContext } from '../feeds/feed.ts';

/** The distribution-specific parts of updateinfo. */
export interface UpdateDialect {
  /** The release of an update, else that of the file; null if it is not one of the feed's. */
  releaseOf(update: UpdateFacts, context: RecordContext): Release | null;
  /** Whether a package with this rpm release belongs to a release: some files mix builds for several. */
  isBuildFor(rpmRelease: string, release: Release): boolean;
  /** The build line of a package in the update with an id (see Builds); empty for the main line. */
  lineOf(name: string, evr: string, id: string): string;
  /** Severity of the vendor's word; null if it is not a rating. */
  severityOf(word: string): Severity | null;
  /** The page of an update. */
  urlOf(id: string): string;
}

/** The facts of an update that identify its release; empty if absent. */
export interface UpdateFacts {
  readonly id: string;
  readonly title: string;
  /** Short and full names of its collections. */
  readonly collections: readonly string[];
}
