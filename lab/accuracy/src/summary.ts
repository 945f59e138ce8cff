import type { FindingCounts } from '@plimsoll/advisories';
import { allFindings, type Evaluation } from './evaluation.ts';
import { listedPairsOf } from './expectation/listed-pairs-of.ts';

/** The numbers of an evaluation. */
export interface Summary {
  readonly packages: number;
  /** Packages by their verdict: `comparable`, `excluded: kernel_companion`, `unknown: backport`. */
  readonly verdicts: ReadonlyMap<string, number>;
  readonly counts: FindingCounts;
  readonly findings: number;
  /** Findings with and without a fix; hidden ones are in neither. */
  readonly withFix: number;
  readonly withoutFix: number;
  readonly hidden: number;
  /** Pairs of advisory and package, including hidden and unfixed ones. */
  readonly pairs: number;
  readonly hiddenPairs: number;
  readonly advisories: number;
  readonly fixStates: ReadonlyMap<string, number>;
}

/** Summarises an evaluation. */
export function summarise(evaluation: Evaluation): Summary {
  const { assessment, packages } = evaluation;
  const findings = allFindings(evaluation);
  const visible = findings.filter(({ severity }) => severity !== 'none');
  const pairs = listedPairsOf(evaluation, { lists: 'advisories', build: 'none', of: 'all' });
  return {
    packages: packages.length,
    verdicts: countBy(
      packages.map(({ version }) => {
        const { verdict } = version;
        return verdict.kind === 'comparable' ? 'comparable' : `${verdict.kind}: ${verdict.reason}`;
      }),
    ),
    counts: assessment.counts,
    findings: findings.length,
    withFix: visible.filter(({ fixed }) => fixed).length,
    withoutFix: visible.filter(({ fixed }) => !fixed).length,
    hidden: findings.length - visible.length,
    pairs: pairs.length,
    hiddenPairs: pairs.filter(({ severity }) => severity === 'none').length,
    advisories: new Set(pairs.map(({ id }) => id)).size,
    fixStates: countBy(visible.map(({ fixState }) => fixState)),
  };
}

/** The number of occurrences of each word, sorted by word. */
function countBy(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of [...words].sort()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
