import { z } from 'zod';
import type { Difference } from './expectation/difference.ts';
import { type ManifestExpectation, parseJsonFile } from './manifest.ts';

const entry = z.strictObject({
  /** Name of the evaluation, or a prefix followed by `*`; the count then applies to each match. */
  evaluation: z.string(),
  difference: z.enum(['missing', 'extra', 'severity', 'fix_state', 'count']),
  /** A name, or a prefix followed by `*`. Absent: any. */
  package: z.string().optional(),
  id: z.string().optional(),
  /** How our answer came about, in the same form. */
  why: z.string().optional(),
  /** The exact number of differences that it covers. */
  count: z.int().min(1),
  reason: z.string().min(1),
});

/** One kind of difference that was reviewed and accepted, with the reason. */
export type ReviewedEntry = z.output<typeof entry>;

/** Reads a list of reviewed differences. Throws InputError with the invalid fields. */
export function readReviewed(file: string): readonly ReviewedEntry[] {
  return parseJsonFile(file, z.array(entry));
}

/** Whether an entry applies to an evaluation with this name. */
export function isAbout(candidate: ReviewedEntry, evaluation: string): boolean {
  return fits(candidate.evaluation, evaluation);
}

/** An entry with the differences it covers. */
export interface ReviewedDifferences {
  readonly entry: ReviewedEntry;
  readonly differences: readonly Difference[];
}

/** The differences of one evaluation, reviewed and not. */
export interface Review {
  readonly reviewed: readonly ReviewedDifferences[];
  readonly open: readonly Difference[];
  /** Entries that cover a different number of differences than stated. */
  readonly stale: readonly ReviewedDifferences[];
}

/** Assigns each difference to the first matching entry. An entry about a count matches only counts. */
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
