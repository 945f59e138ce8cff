import { z } from 'zod';
import type { Difference } from './expectation/difference.ts';
import { type ManifestExpectation, parseJsonFile } from './manifest.ts';

const entry = z.strictObject({
  /** Name of the evaluation, or the beginning of names with `*` behind it: it stands for as many in each. */
  evaluation: z.string(),
  difference: z.enum(['missing', 'extra', 'severity', 'fix_state', 'count']),
  /** A name, or the beginning of names with `*` behind it. Left out: any. */
  package: z.string().optional(),
  id: z.string().optional(),
  /** How we came to our answer, the same way. */
  why: z.string().optional(),
  /** How many differences it stands for: neither more nor fewer. */
  count: z.int().min(1),
  reason: z.string().min(1),
});

/** One kind of difference that people looked at and found right, with the reason. */
export type ReviewedEntry = z.output<typeof entry>;

/** Reads a list of reviewed differences. Throws InputError with the fields that are wrong. */
export function readReviewed(file: string): readonly ReviewedEntry[] {
  return parseJsonFile(file, z.array(entry));
}

/** Whether an entry speaks of an evaluation of this name. */
export function isAbout(candidate: ReviewedEntry, evaluation: string): boolean {
  return fits(candidate.evaluation, evaluation);
}

/** An entry with the differences it stands for. */
export interface ReviewedDifferences {
  readonly entry: ReviewedEntry;
  readonly differences: readonly Difference[];
}

/** The differences of one evaluation, sorted by whether they were reviewed. */
export interface Review {
  readonly reviewed: readonly ReviewedDifferences[];
  readonly open: readonly Difference[];
  /** Entries that stand for another number of differences than they say. */
  readonly stale: readonly ReviewedDifferences[];
}

/** Takes each difference for the first entry that speaks of it. An entry about a count is about counts alone. */
export function review(
  evaluation: string,
  expectation: ManifestExpectation['kind'],
  differences: readonly Difference[],
  entries: readonly ReviewedEntry[],
): Review {
  const own = entries.filter(
    (candidate) =>
      isAbout(candidate, evaluation) && (candidate.difference === 'count') === (expectation === 'counts'),
  );
  const taken = new Map<ReviewedEntry, Difference[]>(own.map((candidate) => [candidate, []]));
  const open: Difference[] = [];
  for (const difference of differences) {
    const found = own.find((candidate) => speaksOf(candidate, difference));
    if (found === undefined) open.push(difference);
    else taken.get(found)?.push(difference);
  }
  const reviewed = [...taken].map(([found, list]) => ({ entry: found, differences: list }));
  return {
    reviewed,
    open,
    stale: reviewed.filter(({ entry: { count }, differences: list }) => list.length !== count),
  };
}

function speaksOf(candidate: ReviewedEntry, difference: Difference): boolean {
  return (
    candidate.difference === difference.kind &&
    fits(candidate.package, difference.package) &&
    fits(candidate.id, difference.id) &&
    fits(candidate.why, difference.why)
  );
}

function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
