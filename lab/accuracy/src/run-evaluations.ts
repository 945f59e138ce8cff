import path from 'node:path';
import type { ComparisonResult, EvaluationResult } from './accuracy-result.ts';
import { type Authorities, type Evaluation, evaluate } from './evaluation.ts';
import { compareCounts, compareList } from './expectation/compare.ts';
import type { Comparison } from './expectation/difference.ts';
import { readExpected } from './expectation/read-expected.ts';
import type { FeedFileResult } from './feeds/read-feed-file.ts';
import { type Inventory, releaseOf } from './inventory/inventory.ts';
import type { Manifest, ManifestEvaluation, ManifestExpectation } from './manifest.ts';
import { type ReviewedEntry, review } from './reviewed.ts';
import { summarise } from './summary.ts';

/** The hosts and feeds that were read, with their manifest. */
export interface EvaluationGround {
  readonly inventories: readonly Inventory[];
  readonly feeds: readonly FeedFileResult[];
  readonly manifest: Manifest;
  readonly reviewed: readonly ReviewedEntry[];
  /** The folder of expectations. */
  readonly folder: string;
}

/** An evaluation of the manifest, or its missing input. */
export type NamedEvaluation =
  | { readonly kind: 'evaluated'; readonly result: EvaluationResult }
  | { readonly kind: 'lacking'; readonly detail: string };

/** Runs one evaluation of the manifest. */
export function evaluateNamed(ground: EvaluationGround, entry: ManifestEvaluation): NamedEvaluation {
  const inventory = ground.inventories.find(({ name }) => name === entry.inventory);
  if (inventory === undefined) {
    return { kind: 'lacking', detail: `${entry.name} lacks the inventory ${entry.inventory}` };
  }
  const books = entry.feeds.flatMap((file) => {
    const read = ground.feeds.find((feed) => feed.file === file)?.read;
    return read?.kind === 'read' ? [read.book] : [];
  });
  if (books.length < entry.feeds.length) {
    return {
      kind: 'lacking',
      detail: `${entry.name} lacks a feed: not all of ${entry.feeds.join(', ')} were read`,
    };
  }
  const asOf = entry.asOf === undefined ? null : new Date(`${entry.asOf}T23:59:59.999Z`);
  const authorities = { books, asOf, exploited: exploitedOf(ground.feeds) };
  return { kind: 'evaluated', result: evaluateOne(ground, inventory, authorities, entry) };
}

/** Judges every host by every single file that covers its release, except those in `done`. */
export function evaluateOthers(
  ground: EvaluationGround,
  done: readonly EvaluationResult[],
): readonly EvaluationResult[] {
  const exploited = exploitedOf(ground.feeds);
  const isDone = (inventory: string, file: string) =>
    done.some(
      (result) =>
        result.asOf === null &&
        result.inventory === inventory &&
        result.feeds.length === 1 &&
        result.feeds[0] === file,
    );
  return ground.inventories.flatMap((inventory) =>
    ground.feeds.flatMap(({ file, read }) => {
      if (read.kind === 'unread' || isDone(inventory.name, file)) return [];
      if (!read.book.releases().includes(releaseOf(inventory))) return [];
      const entry = {
        name: `${inventory.name} by ${file}`,
        feeds: [file],
        lists: 'all',
        expect: [],
      } as const;
      return [evaluateOne(ground, inventory, { books: [read.book], asOf: null, exploited }, entry)];
    }),
  );
}

function exploitedOf(feeds: readonly FeedFileResult[]): ReadonlySet<string> {
  return new Set(feeds.flatMap(({ read }) => (read.kind === 'read' ? [...read.exploited] : [])));
}

function evaluateOne(
  ground: EvaluationGround,
  inventory: Inventory,
  authorities: Authorities,
  entry: Pick<ManifestEvaluation, 'name' | 'lists'> & {
    readonly feeds: readonly string[];
    readonly expect: readonly ManifestExpectation[];
  },
): EvaluationResult {
  const evaluation = evaluate(inventory, authorities);
  return {
    name: entry.name,
    inventory: inventory.name,
    release: evaluation.release,
    feeds: entry.feeds,
    asOf: authorities.asOf,
    endsAt: evaluation.endsAt,
    summary: summarise(evaluation),
    comparisons: entry.expect.map((expectation): ComparisonResult => {
      const comparison = compare(evaluation, expectation, entry.lists, ground.folder);
      return {
        kind: expectation.kind,
        title: expectation.kind === 'counts' ? 'counts' : expectation.file,
        comparison,
        review: review(entry.name, expectation.kind, comparison.differences, ground.reviewed),
      };
    }),
  };
}

function compare(
  evaluation: Evaluation,
  expectation: ManifestExpectation,
  of: ManifestEvaluation['lists'],
  folder: string,
): Comparison {
  if (expectation.kind === 'counts') return compareCounts(evaluation, expectation, of);
  return compareList(evaluation, readExpected(expectation, path.join(folder, expectation.file)), of);
}
