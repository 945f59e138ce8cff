import { z } from 'zod';
import { parseJsonFile } from '../manifest.ts';

const count = z.int().min(0);

/** Differences of one class: only reviewed ones have a reason. */
const differenceClass = z.strictObject({
  difference: z.enum(['missing', 'extra', 'severity', 'fix_state', 'count']),
  /** The entry's package, id and cause; empty: any. */
  about: z.string(),
  count,
  /** Null: not reviewed. */
  reason: z.string().nullable(),
});

const comparison = z.strictObject({
  evaluation: z.string(),
  inventory: z.string(),
  release: z.string(),
  feeds: z.array(z.string()),
  /** `YYYY-MM-DD`: later advisories are excluded; null: all. */
  asOf: z.string().nullable(),
  oracle: z.string(),
  /** `lines`: every line is compared; `numbers`: only totals are. */
  compares: z.enum(['lines', 'numbers']),
  expected: count,
  agreed: count,
  missing: count,
  extra: count,
  /** Differences of another kind: severity, fix state, a number. */
  other: count,
  /** The same without reviewed differences. */
  openMissing: count,
  openExtra: count,
  classes: z.array(differenceClass),
  /** Package -> ids of its missing lines, sorted, separated by spaces. */
  missed: z.record(z.string(), z.string()),
});

const group = z.strictObject({
  release: z.string(),
  hosts: count,
  /** Packages of all hosts, and those without a verdict. */
  packages: count,
  undecided: count,
  /** Lines over all oracles that compare lines; all 0: no such oracle. */
  agreed: count,
  missing: count,
  extra: count,
  openMissing: count,
  openExtra: count,
});

const feed = z.strictObject({
  file: z.string(),
  records: count,
  rejected: count,
  /** The day of the newest advisory, `YYYY-MM-DD`; null: no advisory has one. */
  newest: z.string().nullable(),
  /** Why it was not read; null: it was. */
  unread: z.string().nullable(),
});

const order = z.strictObject({ name: z.string(), pairs: count, wrong: count });

/** The number of pairs, and the packages with most of them: `kernel-core 12, curl 3`. */
const silence = z.strictObject({ pairs: count, mostly: z.string() });

const rebuild = z.strictObject({
  inventory: z.string(),
  /** `YYYY-MM-DD`. */
  asOf: z.string(),
  vendors: z.tuple([z.string(), z.string()]),
  /** Pairs of package and CVE that both vendors name, and those with the same verdict. */
  named: count,
  same: count,
  /**
   * Pairs that are affected by the other vendor's errata and that the first or the second vendor does not
   * name.
   */
  silent: z.tuple([silence, silence]),
  /** Pairs with another verdict although both name the same fixed build, apart from marks. */
  sameBuild: z.array(z.string()),
  /** Pairs with another verdict because the vendors name different fixed builds. */
  otherBuild: z.array(z.string()),
});

/** What a label says of a match, and our answer; a right match that is not found is `missed` if the vendor's data supports it. */
const labelClasses = [
  'right found',
  'right hidden',
  'right missed',
  'right unsupported',
  'right undecided',
  'wrong found',
  'wrong hidden',
  'wrong not found',
  'wrong undecided',
] as const;

const labelled = z.strictObject({
  image: z.string(),
  release: z.string(),
  labels: count,
  /** Labels without a decision, and about something else than a package of the distribution. */
  notDecided: count,
  otherPackages: count,
  /** The number of labels by class and the cause of our answer. */
  classes: z.partialRecord(z.enum(labelClasses), z.record(z.string(), count)),
  /** Package and version -> ids of right matches that the vendor supports and we do not find, separated by spaces. */
  missed: z.record(z.string(), z.string()),
  /** The same for wrong matches that we raise. */
  raised: z.record(z.string(), z.string()),
});

const labels = z.strictObject({
  judged: z.array(labelled),
  /** Why images are not judged -> the number of labels by image and, if it has one that is known, release. */
  outside: z.record(z.string(), z.record(z.string(), count)),
});

const cassette = z.strictObject({
  ecosystem: z.string(),
  release: z.string().nullable(),
  /** Why it is not compared; null: it is. */
  why: z.string().nullable(),
  packages: count,
  agreed: count,
  notInData: count,
  notices: count,
  missing: z.array(z.string()),
  extra: z.array(z.string()),
});

const figures = z.strictObject({
  comparisons: z.array(comparison),
  groups: z.array(group),
  rebuilds: z.array(rebuild),
  /** Match labels of images; null: not compared. */
  labels: labels.nullable(),
  /** Recorded answers of osv-scanner, as CassetteCheck has them; null: not compared. */
  osvScanner: z.array(cassette).nullable(),
  /** Hosts that no file of advisories covers. */
  silent: z.array(z.strictObject({ inventory: z.string(), release: z.string() })),
  orders: z.array(order),
  feeds: z.array(feed),
});

/** All figures of a run; later runs are compared with the committed ones. */
export type Figures = z.output<typeof figures>;
/** One evaluation against one oracle. */
export type ComparisonFigures = z.output<typeof comparison>;
/** Two vendors on one host. */
export type RebuildFigures = z.output<typeof rebuild>;
/** The match labels of one image that is judged. */
export type LabelFigures = z.output<typeof labelled>;
/** What a label says, and our answer. */
export type LabelClass = (typeof labelClasses)[number];
/** All hosts of one release. */
export type GroupFigures = z.output<typeof group>;

/** Reads committed figures. Throws InputError if the file is absent or invalid. */
export function readFigures(file: string): Figures {
  return parseJsonFile(file, figures);
}
