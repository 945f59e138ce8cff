import type { JudgedLabel } from '../labels/judge-labels.ts';
import type { LabelCheck } from '../labels/run-labels.ts';
import type { LabelFigures } from './figures.ts';

/** The figures of one image's labels; classes sorted by frequency. */
export function labelFigures({ judged, ...check }: LabelCheck): LabelFigures {
  const classes = new Map<string, LabelFigures['classes'][number]>();
  for (const { label, answer, supported, cause } of judged) {
    if (label.says === 'undecided') continue;
    const key = [label.says, answer, supported, cause].join(' ');
    const count = classes.get(key)?.count ?? 0;
    classes.set(key, { says: label.says, answer, supported, cause, count: count + 1 });
  }
  const pairs = (wanted: (one: JudgedLabel) => boolean) => idsByPackage(judged.filter(wanted));
  return {
    ...check,
    classes: [...classes.values()].sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1)),
    missed: pairs(
      ({ label, answer, supported }) => label.says === 'right' && supported && answer === 'not_found',
    ),
    raised: pairs(({ label, answer }) => label.says === 'wrong' && answer === 'found'),
  };
}

function idsByPackage(judged: readonly JudgedLabel[]): Record<string, string> {
  const ids = new Map<string, Set<string>>();
  for (const { label, package: name } of judged)
    ids.set(name, (ids.get(name) ?? new Set()).add(label.ids.at(-1) ?? ''));
  const names = [...ids.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, [...(ids.get(name) ?? [])].sort().join(' ')]));
}

/** The number of labels of an image by answer. */
export interface LabelCounts {
  /**
   * Right matches: found, found but of no importance, missed although supported, no longer supported,
   * undecided.
   */
  readonly found: number;
  readonly hidden: number;
  readonly missed: number;
  readonly unsupported: number;
  /** Wrong matches: reported, and not reported. */
  readonly raised: number;
  readonly avoided: number;
  /** Right and wrong matches of packages without a verdict. */
  readonly undecided: number;
}

/** Counts the classes of an image. */
export function labelCounts({ classes }: LabelFigures): LabelCounts {
  const sum = (wanted: (one: LabelFigures['classes'][number]) => boolean) =>
    classes.filter(wanted).reduce((total, { count }) => total + count, 0);
  const right = (wanted: (one: LabelFigures['classes'][number]) => boolean) =>
    sum((one) => one.says === 'right' && wanted(one));
  return {
    found: right(({ answer }) => answer === 'found'),
    hidden: right(({ answer }) => answer === 'hidden'),
    missed: right(({ answer, supported }) => answer === 'not_found' && supported),
    unsupported: right(({ answer, supported }) => answer === 'not_found' && !supported),
    raised: sum(({ says, answer }) => says === 'wrong' && answer === 'found'),
    avoided: sum(({ says, answer }) => says === 'wrong' && (answer === 'not_found' || answer === 'hidden')),
    undecided: sum(({ answer }) => answer === 'undecided'),
  };
}

/** The rates of an image, from 0 to 1; null if there is no label to divide by. */
export interface LabelRates {
  /** The share of supported right matches that are found. */
  readonly found: number | null;
  /** The share of wrong matches that are not reported. */
  readonly avoided: number | null;
  readonly undecided: number | null;
  /** Of supported right and of wrong matches. */
  readonly f1: number | null;
}

/** The minimum rates of the comparison. */
export const labelTargets = { found: 0.95, avoided: 0.9, undecided: 0.1 } as const;

/** Computes the rates. */
export function labelRates({
  found,
  hidden,
  missed,
  unsupported,
  raised,
  avoided,
  undecided,
}: LabelCounts): LabelRates {
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const hit = found + hidden;
  return {
    found: share(hit, hit + missed),
    avoided: share(avoided, avoided + raised),
    undecided: share(undecided, undecided + hit + missed + unsupported + raised + avoided),
    f1: share(2 * hit, 2 * hit + missed + raised),
  };
}
