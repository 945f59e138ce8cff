import { type Evaluation, evaluate } from '../evaluation.ts';
import type { StatementBook } from '../feeds/statement-book.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { type Rebuild, relabelled, sourceBuildOf } from './relabel.ts';

/** One vendor's errata about a package and CVE. */
interface Verdict {
  readonly affected: boolean;
  /** The fixed version that decides. */
  readonly fix: string;
}

/** Pairs that a vendor does not name, by package. */
export type Silence = ReadonlyMap<string, number>;

/** The answers of two vendors about the same builds on one host. */
export interface RebuildCheck {
  readonly inventory: string;
  readonly asOf: Date;
  readonly vendors: readonly [Rebuild, Rebuild];
  /** Pairs of package and CVE that the errata of both name, and those with the same verdict. */
  readonly named: number;
  readonly same: number;
  /** Pairs that are affected by the other vendor's errata and not named by the first, by the second. */
  readonly silent: readonly [Silence, Silence];
  /** The pairs with another verdict, as text, sorted. */
  readonly differing: readonly { readonly text: string; readonly cause: 'same_build' | 'other_build' }[];
}

/** A vendor with its errata. */
export interface VendorBook {
  readonly os: Rebuild;
  readonly book: StatementBook;
}

/**
 * Compares each two vendors on one host: the same source build has the same verdict. Advisories after `asOf`
 * are excluded: the newer data of one vendor is not a difference. Cause `same_build`: both name the same fixed build,
 * apart from marks, so one of our answers is wrong or a mark decides; `other_build`: the errata differ.
 */
export function checkRebuilds(
  inventory: Inventory,
  books: readonly VendorBook[],
  asOf: Date,
): readonly RebuildCheck[] {
  const answers = books.map(({ os, book }) => {
    const judged = evaluate(relabelled(inventory, os), { books: [book], asOf, exploited: new Set() });
    return { os, verdicts: verdictsOf(judged) };
  });
  return answers.flatMap((first, index) =>
    answers.slice(index + 1).map((second) => ({
      inventory: inventory.name,
      asOf,
      vendors: [first.os, second.os] as const,
      ...compareVerdicts(first.verdicts, second.verdicts),
    })),
  );
}

/** The verdict of errata with a fix for each `PACKAGE CVE`; an erratum that affects takes precedence. */
function verdictsOf({ packages, explain }: Evaluation): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const { version } of packages) {
    for (const { statement, judgement } of explain(version)) {
      if (statement.fix.kind !== 'fixed' || (judgement !== 'affected' && judgement !== 'fixed')) continue;
      const verdict = { affected: judgement === 'affected', fix: statement.fix.version };
      for (const cve of statement.cves) {
        const key = `${version.name} ${cve}`;
        if (verdict.affected || !verdicts.has(key)) verdicts.set(key, verdict);
      }
    }
  }
  return verdicts;
}

function compareVerdicts(
  first: ReadonlyMap<string, Verdict>,
  second: ReadonlyMap<string, Verdict>,
): Pick<RebuildCheck, 'named' | 'same' | 'silent' | 'differing'> {
  const differing: RebuildCheck['differing'][number][] = [];
  let named = 0;
  for (const [key, a] of first) {
    const b = second.get(key);
    if (b === undefined) continue;
    named += 1;
    if (a.affected === b.affected) continue;
    const isSame = sourceBuildOf(a.fix) === sourceBuildOf(b.fix);
    const text = `${key}: ${wordOf(a)}, ${wordOf(b)}`;
    differing.push({ text, cause: isSame ? 'same_build' : 'other_build' });
  }
  differing.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return {
    named,
    same: named - differing.length,
    silent: [silenceOf(first, second), silenceOf(second, first)],
    differing,
  };
}

/** Pairs that are affected by the other vendor's verdicts and missing in the own ones. */
function silenceOf(own: ReadonlyMap<string, Verdict>, other: ReadonlyMap<string, Verdict>): Silence {
  const silence = new Map<string, number>();
  for (const [key, { affected }] of other) {
    if (!affected || own.has(key)) continue;
    const [name = ''] = key.split(' ');
    silence.set(name, (silence.get(name) ?? 0) + 1);
  }
  return silence;
}

function wordOf({ affected, fix }: Verdict): string {
  return `${affected ? 'affected' : 'not affected'} (fix ${fix})`;
}
