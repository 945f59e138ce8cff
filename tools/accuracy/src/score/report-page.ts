import type { ComparisonFigures, Figures, GroupFigures } from './figures.ts';
import { type Rates, ratesOf, reviewedRatesOf, undecidedShareOf } from './rates.ts';

/** The page docs/accuracy/report.md of some figures, as Markdown with a final line break. */
export function reportPage(figures: Figures): string {
  const sections = [
    introduction,
    ['## By release', ...groupTable(figures)],
    ['## Every oracle', ...oracleTable(figures)],
    ['## Differences', ...classTable(figures)],
    ['## Red Hat, AlmaLinux and Rocky', ...rebuildTable(figures)],
    ['## Hosts without advisories', ...silentTable(figures)],
    ['## Order of versions', ...orderTable(figures)],
    ['## Data', ...feedTable(figures)],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const introduction = [
  '# Accuracy report',
  '',
  '`npm run accuracy:report` writes this page and [figures.json](figures.json); [accuracy.md](../accuracy.md) explains',
  'hosts, oracles and reviewed differences. An oracle is the recorded answer of another tool, or numbers that a script',
  'derived without the code of this project.',
];

function groupTable({ groups }: Figures): readonly string[] {
  return [
    '',
    'Precision, recall and F1 over all oracles that compare lines: with the oracle’s answer as the truth, and without the',
    'reviewed differences below. "numbers only": no oracle of the release compares lines, so these rates are not known.',
    'Undecided: packages without a verdict.',
    '',
    '| Release | Hosts | Packages | Undecided | Agree | Missing | Extra | Precision, recall, F1 | Without reviewed |',
    '|---|--:|--:|--:|--:|--:|--:|---|---|',
    ...groups.map((group) => row(groupCells(group))),
  ];
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

function oracleTable({ comparisons }: Figures): readonly string[] {
  return [
    '',
    'Of an oracle that is a total, only the number of equal totals is known, not the lines.',
    '',
    '| Evaluation | Host | Advisories | Oracle | Agree | Missing | Extra | Other | Not reviewed |',
    '|---|---|---|---|--:|--:|--:|--:|--:|',
    ...comparisons.map((comparison) => row(oracleCells(comparison))),
  ];
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

function classTable({ comparisons }: Figures): readonly string[] {
  const rows = comparisons.flatMap(({ evaluation, classes }) =>
    classes.map(({ difference, about, count, reason }) =>
      row([evaluation, difference, about, number(count), reason ?? '**not reviewed**']),
    ),
  );
  if (rows.length === 0) return ['', 'No oracle differs.'];
  return ['', '| Evaluation | Difference | About | Count | Explanation |', '|---|---|---|--:|---|', ...rows];
}

/** The number of lines per comparison of vendors; figures.json has all. */
const namedLines = 10;

function rebuildTable({ rebuilds }: Figures): readonly string[] {
  if (rebuilds.length === 0) return ['', 'Not compared.'];
  const lines = rebuilds.flatMap(({ inventory, vendors, sameBuild, otherBuild }) =>
    [...sameBuild, ...otherBuild]
      .slice(0, namedLines)
      .map((line) => `- ${inventory}, ${vendors.join(' and ')}: ${line}`),
  );
  return [
    '',
    'The same builds on one host, judged by the errata of each vendor: the same source has the same verdict. Pairs of',
    'package and CVE that both name; builds that a rebuild changed are left out. "Same build": both name the same',
    'fixed build apart from marks, so our answer or a mark is the cause. "Other build": the errata differ. Silent: the other',
    'vendor says affected, this one does not name the pair; with the packages that have most of them.',
    '',
    '| Host | Until | Vendors | Both name | Same verdict | Same build | Other build | Silent: first | second |',
    '|---|---|---|--:|--:|--:|--:|--:|--:|',
    ...rebuilds.map(({ inventory, asOf, vendors, named, same, silent, sameBuild, otherBuild }) =>
      row([
        inventory,
        asOf,
        vendors.join(', '),
        ...[named, same, sameBuild.length, otherBuild.length].map(number),
        ...silent.map(({ pairs, mostly }) => (pairs === 0 ? '0' : `${number(pairs)} (mostly ${mostly})`)),
      ]),
    ),
    ...(lines.length === 0 ? [] : ['', `Up to ${namedLines} per row:`, '', ...lines]),
  ];
}

function silentTable({ silent }: Figures): readonly string[] {
  if (silent.length === 0) return ['', 'Every host is covered.'];
  return [
    '',
    'No file of the data covers these releases: the hosts are not judged, and are in no table above.',
    '',
    '| Host | Release |',
    '|---|---|',
    ...silent.map(({ inventory, release }) => row([inventory, release])),
  ];
}

function orderTable({ orders }: Figures): readonly string[] {
  if (orders.length === 0) return ['', 'Not compared.'];
  const rows = orders.map(({ name, pairs, wrong }) => row([name, number(pairs), number(wrong)]));
  return ['', '| Oracle | Pairs | Wrong |', '|---|--:|--:|', ...rows];
}

function feedTable({ feeds }: Figures): readonly string[] {
  return [
    '',
    '| File | Newest advisory | Records | Rejected | |',
    '|---|---|--:|--:|---|',
    ...feeds.map(({ file, records, rejected, newest, unread }) =>
      unread === null
        ? row([file, newest ?? 'not known', number(records), number(rejected), ''])
        : row([file, '', '', '', `left out: ${unread}`]),
    ),
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
