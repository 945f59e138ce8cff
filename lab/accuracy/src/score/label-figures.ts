import type { JudgedLabel } from '../labels/judge-labels.ts';
import type { LabelCheck } from '../labels/run-labels.ts';
import type { Figures, LabelClass, LabelFigures } from './figures.ts';

/** The figures of all labels, in the order of the images. */
export function labelFigures(checks: readonly LabelCheck[]): NonNullable<Figures['labels']> {
  const outside: Record<string, Record<string, number>> = {};
  const judged = checks.flatMap((check): LabelFigures[] => {
    const { image, release, outside: why } = check;
    if (why === null && release !== null) return [imageFigures(check, release)];
    const images = outside[why ?? ''] ?? {};
    outside[why ?? ''] = { ...images, [release === null ? image : `${image} (${release})`]: check.labels };
    return [];
  });
  return { judged, outside };
}

/** Causes are sorted by frequency. */
function imageFigures({ judged, outside: _, ...check }: LabelCheck, release: string): LabelFigures {
  const classes: LabelFigures['classes'] = {};
  for (const one of judged) {
    const of = classOf(one);
    if (of === null) continue;
    const counts = classes[of] ?? {};
    classes[of] = { ...counts, [one.cause]: (counts[one.cause] ?? 0) + 1 };
  }
  const sorted = Object.entries(classes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([of, counts]) => [
      of,
      Object.fromEntries(Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))),
    ]);
  const pairs = (wanted: LabelClass) => idsByPackage(judged.filter((one) => classOf(one) === wanted));
  return {
    ...check,
    release,
    classes: Object.fromEntries(sorted) as LabelFigures['classes'],
    missed: pairs('right missed'),
    raised: pairs('wrong found'),
  };
}

/** Null: the label has no decision. */
function classOf({ label: { says }, answer, supported }: JudgedLabel): LabelClass | null {
  if (says === 'undecided') return null;
  if (answer !== 'not_found') return `${says} ${answer}`;
  if (says === 'wrong') return 'wrong not found';
  return supported ? 'right missed' : 'right unsupported';
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
export function labelCounts({ classes }: Pick<LabelFigures, 'classes'>): LabelCounts {
  const sum = (...wanted: readonly LabelClass[]) =>
    wanted.flatMap((of) => Object.values(classes[of] ?? {})).reduce((total, count) => total + count, 0);
  return {
    found: sum('right found'),
    hidden: sum('right hidden'),
    missed: sum('right missed'),
    unsupported: sum('right unsupported'),
    raised: sum('wrong found'),
    avoided: sum('wrong not found', 'wrong hidden'),
    undecided: sum('right undecided', 'wrong undecided'),
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
