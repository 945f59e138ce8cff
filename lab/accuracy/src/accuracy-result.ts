import type { Release } from '@plimsoll/model';
import type { CassetteCheck } from './cassettes/compare-cassettes.ts';
import type { Comparison } from './expectation/difference.ts';
import type { FeedFileResult } from './feeds/read-feed-file.ts';
import type { LabelCheck } from './labels/run-labels.ts';
import type { ManifestExpectation } from './manifest.ts';
import type { OracleResult } from './oracles.ts';
import type { RebuildCheck } from './rebuilds/check-rebuilds.ts';
import type { Review } from './reviewed.ts';
import type { Summary } from './summary.ts';

/** The result of judging some hosts by some feeds. */
export interface AccuracyResult {
  readonly feeds: readonly FeedFileResult[];
  /** By inventory, then by name. */
  readonly evaluations: readonly EvaluationResult[];
  /** Inventories whose release no feed covers. */
  readonly silent: readonly { readonly inventory: string; readonly release: Release }[];
  readonly oracles: readonly OracleResult[];
  /** By inventory, as the manifest has them. */
  readonly rebuilds: readonly RebuildCheck[];
  /** Match labels, image by image; null: not compared. */
  readonly labels: readonly LabelCheck[] | null;
  /** Recorded answers of osv-scanner, by ecosystem; null: not compared. */
  readonly cassettes: readonly CassetteCheck[] | null;
  /** Reasons why the result is not acceptable, each a sentence. */
  readonly failures: readonly string[];
}

/** One host judged by some feeds. */
export interface EvaluationResult {
  readonly name: string;
  readonly inventory: string;
  readonly release: Release;
  readonly feeds: readonly string[];
  /** The last publication day of included advisories; null: all. */
  readonly asOf: Date | null;
  readonly endsAt: Date | null;
  readonly summary: Summary;
  readonly comparisons: readonly ComparisonResult[];
}

/** An evaluation compared with one expectation. */
export interface ComparisonResult {
  readonly kind: ManifestExpectation['kind'];
  readonly title: string;
  readonly comparison: Comparison;
  readonly review: Review;
}

/** Unreviewed differences and stale reviews of an evaluation; each a sentence. */
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

/** Pairs of versions whose order differs from an oracle's; a sentence. */
export function failuresOfOracle({ name, pairs, wrong }: OracleResult): readonly string[] {
  return wrong.length === 0 ? [] : [`${name}: ${wrong.length} of ${pairs} pairs are ordered otherwise`];
}
