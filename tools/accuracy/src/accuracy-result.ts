import type { Release } from '@plimsoll/model';
import type { Comparison } from './expectation/difference.ts';
import type { ReadFeedFile } from './feeds/read-feed-file.ts';
import type { OracleResult } from './oracles.ts';
import type { Review } from './reviewed.ts';
import type { Summary } from './summary.ts';

/** What came of judging some hosts by some feeds. */
export interface AccuracyResult {
  readonly feeds: readonly FeedFileResult[];
  /** By inventory, then by name. */
  readonly evaluations: readonly EvaluationResult[];
  /** Inventories about whose release no feed says anything. */
  readonly silent: readonly { readonly inventory: string; readonly release: Release }[];
  readonly oracles: readonly OracleResult[];
  /** What keeps the result from being right, each a sentence. */
  readonly failures: readonly string[];
}

/** A file of the folder of feeds. */
export interface FeedFileResult {
  readonly file: string;
  readonly read: ReadFeedFile;
  readonly ms: number;
}

/** One host against some feeds. */
export interface EvaluationResult {
  readonly name: string;
  readonly inventory: string;
  readonly release: Release;
  readonly feeds: readonly string[];
  /** The day up to which advisories were taken; null: all. */
  readonly asOf: Date | null;
  readonly endsAt: Date | null;
  readonly summary: Summary;
  readonly comparisons: readonly ComparisonResult[];
}

/** An evaluation against one expectation. */
export interface ComparisonResult {
  readonly title: string;
  readonly comparison: Comparison;
  readonly review: Review;
}

/** What of an evaluation was not reviewed, or is no longer what was reviewed; each a sentence. */
export function failuresOf({ name, comparisons }: EvaluationResult): readonly string[] {
  return comparisons.flatMap(({ title, review: { open, stale } }) => [
    ...(open.length === 0 ? [] : [`${name}: ${open.length} differences from ${title} were not reviewed`]),
    ...stale.map(({ entry, differences }) => {
      const about = [entry.difference, entry.id, entry.package, entry.why].filter(
        (word) => word !== undefined,
      );
      return `${name}: ${about.join(' ')} was reviewed for ${entry.count} differences, there are ${differences.length}`;
    }),
  ]);
}

/** Pairs of versions that are not ordered as an oracle says; a sentence. */
export function failuresOfOracle({ name, pairs, wrong }: OracleResult): readonly string[] {
  return wrong.length === 0 ? [] : [`${name}: ${wrong.length} of ${pairs} pairs are ordered otherwise`];
}
