import { compareSeverity } from '@plimsoll/model';
import { allFindings, type Evaluation } from '../evaluation.ts';
import type { ManifestExpectation } from '../manifest.ts';
import type { Comparison, Difference } from './difference.ts';
import { type ListedPair, pairKey } from './listed-pair.ts';
import { type Listing, listedPairsOf } from './listed-pairs-of.ts';
import type { ExpectedList } from './read-expected.ts';
import { whyFound, whyMissing } from './why.ts';

/** Compares an evaluation with an expected answer, line by line. */
export function compareList(evaluation: Evaluation, expected: ExpectedList, of: Listing['of']): Comparison {
  const { lists, build } = expected;
  const ours = new Map(listedPairsOf(evaluation, { lists, build, of }).map((pair) => [pairKey(pair), pair]));
  const theirs = new Map(expected.pairs.map((pair) => [pairKey(pair), pair]));
  const differences: Difference[] = [];
  let agreed = 0;
  for (const [key, pair] of theirs) {
    const own = ours.get(key);
    if (own === undefined) {
      differences.push({ kind: 'missing', ...named(pair, key), why: whyMissing(pair, evaluation) });
    } else {
      agreed += 1;
      differences.push(...contradictions(own, pair, key));
    }
  }
  for (const [key, pair] of ours) {
    if (!theirs.has(key)) {
      differences.push({ kind: 'extra', ...named(pair, key), why: whyFound(pair, evaluation) });
    }
  }
  return { agreed, expected: theirs.size, differences: differences.sort(compareDifferences) };
}

/** Compares numbers of an evaluation with the expected ones. */
export function compareCounts(
  evaluation: Evaluation,
  { counts }: Extract<ManifestExpectation, { kind: 'counts' }>,
  of: Listing['of'],
): Comparison {
  const pairs = listedPairsOf(evaluation, { lists: 'advisories', build: 'none', of });
  const own: Readonly<Record<string, number>> = {
    pairs: pairs.length,
    advisories: new Set(pairs.map(({ id }) => id)).size,
    packages: new Set(pairs.map(({ package: name }) => name)).size,
    sources: sourcesOf(evaluation, new Set(pairs.map(({ package: name }) => name))),
    findings: allFindings(evaluation).length,
  };
  const differences = Object.entries(counts).flatMap(([id, number]): Difference[] => {
    const found = own[id];
    const text = `${id}: ${number} expected, ${found} found`;
    return found === number ? [] : [{ kind: 'count', id, package: '', text, why: `${found}` }];
  });
  const expected = Object.keys(counts).length;
  return { agreed: expected - differences.length, expected, differences };
}

function sourcesOf(evaluation: Evaluation, names: ReadonlySet<string>): number {
  const listed = allFindings(evaluation).filter(({ name }) => names.has(name));
  return new Set(listed.map(({ sourceName }) => sourceName)).size;
}

function named({ id, package: name }: ListedPair, text: string) {
  return { id, package: name, text };
}

function contradictions(own: ListedPair, theirs: ListedPair, key: string): readonly Difference[] {
  const found: Difference[] = [];
  const differs = theirs.severity !== null && own.severity !== null;
  if (differs && compareSeverity(own.severity, theirs.severity) !== 0) {
    const why = `${own.severity}, not ${theirs.severity}`;
    found.push({ kind: 'severity', ...named(theirs, key), why });
  }
  if (theirs.fixState !== null && own.fixState !== theirs.fixState) {
    const why = `${own.fixState}, not ${theirs.fixState}`;
    found.push({ kind: 'fix_state', ...named(theirs, key), why });
  }
  return found;
}

function compareDifferences(a: Difference, b: Difference): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
