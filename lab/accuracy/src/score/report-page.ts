import { type BrokenRules, brokenSection } from './broken-rules.ts';
import { cassetteSection } from './cassette-section.ts';
import type { ComparisonFigures, Figures, GroupFigures } from './figures.ts';
import { htmlOf } from './html-page.ts';
import { labelSections } from './label-sections.ts';
import { overviewSection } from './overview-section.ts';
import { number, type PageTable, percent, type Section } from './page.ts';
import { type Rates, ratesOf, reviewedRatesOf, undecidedShareOf } from './rates.ts';

const title = 'Accuracy report';
const introduction =
  '`npm run accuracy:report` writes this page and [figures.json](figures.json); [accuracy.md](../accuracy.md) explains ' +
  'hosts, oracles, labels and reviewed differences. An oracle is the recorded answer of another tool, or numbers that a ' +
  'script derived without the code of this project.';

/**
 * The page docs/accuracy/index.html of some figures, for browsers and printers. `broken`: the outcomes of broken rules; null:
 * they are not known.
 */
export function reportHtml(figures: Figures, broken: BrokenRules | null): string {
  return htmlOf(title, introduction, sectionsOf(figures, broken));
}

function sectionsOf(figures: Figures, broken: BrokenRules | null): readonly Section[] {
  return [
    overviewSection(figures),
    groupSection(figures),
    ...labelSections(figures),
    cassetteSection(figures),
    oracleSection(figures),
    classSection(figures),
    rebuildSection(figures),
    silentSection(figures),
    orderSection(figures),
    brokenSection(broken),
    feedSection(figures),
  ];
}

function table(
  columns: readonly string[],
  numbers: readonly string[],
  rows: readonly (readonly string[])[],
): PageTable {
  return {
    columns: columns.map((name) => [name, numbers.includes(name) ? 'number' : 'text'] as const),
    rows,
  };
}

function groupSection({ groups }: Figures): Section {
  const counts = ['Hosts', 'Packages', 'Undecided', 'Agree', 'Missing', 'Extra'];
  return {
    title: 'By release',
    text: [
      'Precision, recall and F1 over all oracles that compare lines: with the oracle’s answer as the truth, and without the ' +
        'reviewed differences below. "numbers only": no oracle of the release compares lines, so these rates are not known. ' +
        'Undecided: packages without a verdict.',
    ],
    table: table(
      ['Release', ...counts, 'Precision, recall, F1', 'Without reviewed'],
      counts,
      groups.map(groupCells),
    ),
  };
}

function groupCells(group: GroupFigures): readonly string[] {
  const share = undecidedShareOf(group);
  const undecided = share === null ? 'no package' : `${number(group.undecided)} (${percent(share)})`;
  const rates = ratesOf(group);
  const lines = rates === null ? ['', '', ''] : [group.agreed, group.missing, group.extra].map(number);
  return [
    group.release,
    number(group.hosts),
    number(group.packages),
    undecided,
    ...lines,
    rateText(rates),
    rateText(reviewedRatesOf(group)),
  ];
}

function rateText(rates: Rates | null): string {
  if (rates === null) return 'numbers only';
  return [rates.precision, rates.recall, rates.f1].map((rate) => rate.toFixed(4)).join(', ');
}

function oracleSection({ comparisons }: Figures): Section {
  const counts = ['Agree', 'Missing', 'Extra', 'Other', 'Not reviewed'];
  return {
    title: 'Every oracle',
    text: ['Of an oracle that is a total, only the number of equal totals is known, not the lines.'],
    table: table(
      ['Evaluation', 'Host', 'Advisories', 'Oracle', ...counts],
      counts,
      comparisons.map(oracleCells),
    ),
  };
}

function oracleCells(comparison: ComparisonFigures): readonly string[] {
  const { evaluation, inventory, release, feeds, asOf, oracle, compares, agreed, expected, classes } =
    comparison;
  const open = classes.filter(({ reason }) => reason === null).reduce((sum, { count }) => sum + count, 0);
  const isLines = compares === 'lines';
  return [
    evaluation,
    `${inventory} (${release})`,
    `${feeds.join(' + ')}${asOf === null ? '' : `, until ${asOf}`}`,
    isLines ? oracle : 'totals',
    `${number(agreed)} of ${number(expected)}${isLines ? '' : ' totals'}`,
    isLines ? number(comparison.missing) : 'not known',
    isLines ? number(comparison.extra) : 'not known',
    number(comparison.other),
    number(open),
  ];
}

function classSection({ comparisons }: Figures): Section {
  const rows = comparisons.flatMap(({ evaluation, classes }) =>
    classes.map(({ difference, about, count, reason }) => [
      evaluation,
      difference,
      about,
      number(count),
      reason ?? '**not reviewed**',
    ]),
  );
  if (rows.length === 0) return { title: 'Differences', text: ['No oracle differs.'] };
  const columns = ['Evaluation', 'Difference', 'About', 'Count', 'Explanation'];
  return { title: 'Differences', text: [], table: table(columns, ['Count'], rows) };
}

/** The number of lines per comparison of vendors; figures.json has all. */
const namedLines = 10;

function rebuildSection({ rebuilds }: Figures): Section {
  const name = 'Red Hat, AlmaLinux and Rocky';
  if (rebuilds.length === 0) return { title: name, text: ['Not compared.'] };
  const lines = rebuilds.flatMap(({ inventory, vendors, sameBuild, otherBuild }) =>
    [...sameBuild, ...otherBuild]
      .slice(0, namedLines)
      .map((line) => `- ${inventory}, ${vendors.join(' and ')}: ${line}`),
  );
  const counts = ['Both name', 'Same verdict', 'Same build', 'Other build', 'Silent: first', 'second'];
  return {
    title: name,
    text: [
      'The same builds on one host, judged by the errata of each vendor: the same source has the same verdict. Pairs of ' +
        'package and CVE that both name; builds that a rebuild changed are left out. "Same build": both name the same fixed ' +
        'build apart from marks, so our answer or a mark is the cause. "Other build": the errata differ. Silent: the other ' +
        'vendor says affected, this one does not name the pair; with the packages that have most of them.',
      ...(lines.length === 0 ? [] : [`Up to ${namedLines} per row of the table:`, ...lines]),
    ],
    table: table(
      ['Host', 'Until', 'Vendors', ...counts],
      counts,
      rebuilds.map(({ inventory, asOf, vendors, named, same, silent, sameBuild, otherBuild }) => [
        inventory,
        asOf,
        vendors.join(', '),
        ...[named, same, sameBuild.length, otherBuild.length].map(number),
        ...silent.map(({ pairs, mostly }) => (pairs === 0 ? '0' : `${number(pairs)} (mostly ${mostly})`)),
      ]),
    ),
  };
}

function silentSection({ silent }: Figures): Section {
  const name = 'Hosts without advisories';
  if (silent.length === 0) return { title: name, text: ['Every host is covered.'] };
  return {
    title: name,
    text: ['No file of the data covers these releases: the hosts are not judged, and are in no table above.'],
    table: table(
      ['Host', 'Release'],
      [],
      silent.map(({ inventory, release }) => [inventory, release]),
    ),
  };
}

function orderSection({ orders }: Figures): Section {
  const name = 'Order of versions';
  if (orders.length === 0) return { title: name, text: ['Not compared.'] };
  const rows = orders.map(({ name: file, pairs, wrong }) => [file, number(pairs), number(wrong)]);
  return { title: name, text: [], table: table(['Oracle', 'Pairs', 'Wrong'], ['Pairs', 'Wrong'], rows) };
}

function feedSection({ feeds }: Figures): Section {
  const rows = feeds.map(({ file, records, rejected, newest, unread }) =>
    unread === null
      ? [file, newest ?? 'not known', number(records), number(rejected), '']
      : [file, '', '', '', `left out: ${unread}`],
  );
  const columns = ['File', 'Newest advisory', 'Records', 'Rejected', 'Note'];
  return { title: 'Data', text: [], table: table(columns, ['Records', 'Rejected'], rows) };
}
