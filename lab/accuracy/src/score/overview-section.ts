import type { Figures } from './figures.ts';
import { labelCounts, labelRates } from './label-figures.ts';
import { number, percent, type Section } from './page.ts';
import { ratesOf, reviewedRatesOf, undecidedShareOf } from './rates.ts';

/** All measurements in one table; the sections below have their details. */
export function overviewSection(figures: Figures): Section {
  return {
    title: 'Everything in one table',
    text: [
      'Missing: only the other side has it. Extra: only we have it. The F1 of hosts leaves reviewed differences out; the ' +
        'sections below have both. "not known": nothing compares lines.',
    ],
    table: {
      columns: [
        ['Measured against', 'text'],
        ['Group', 'text'],
        ['Agree', 'number'],
        ['Missing', 'number'],
        ['Extra', 'number'],
        ['Undecided', 'text'],
        ['F1', 'number'],
      ],
      rows: [
        ...hostRows(figures),
        ...labelRows(figures),
        ...scannerRows(figures),
        ...rebuildRows(figures),
        ...orderRows(figures),
      ],
    },
  };
}

type Row = readonly string[];

function hostRows({ groups }: Figures): readonly Row[] {
  return groups.map((group) => {
    const share = undecidedShareOf(group);
    const isKnown = ratesOf(group) !== null;
    return [
      isKnown ? 'dnf, debsecan, lists of errata' : 'nothing line by line',
      group.release,
      ...[group.agreed, group.missing, group.extra].map((count) => (isKnown ? number(count) : 'not known')),
      share === null ? 'no package' : percent(share),
      reviewedRatesOf(group)?.f1.toFixed(4) ?? 'not known',
    ];
  });
}

function labelRows({ labels }: Figures): readonly Row[] {
  return (labels?.judged ?? []).map((image) => {
    const counts = labelCounts(image);
    const { undecided, f1 } = labelRates(counts);
    return [
      'match labels',
      `${image.image} (${image.release})`,
      number(counts.found + counts.hidden + counts.avoided),
      number(counts.missed),
      number(counts.raised),
      undecided === null ? 'no label' : percent(undecided),
      f1 === null ? 'not known' : f1.toFixed(4),
    ];
  });
}

function scannerRows({ osvScanner }: Figures): readonly Row[] {
  return (osvScanner ?? []).flatMap(({ why, release, agreed, missing, extra }): Row[] => {
    if (why !== null) return [];
    const all = 2 * agreed + missing.length + extra.length;
    const f1 = all === 0 ? 'not known' : ((2 * agreed) / all).toFixed(4);
    return [
      ['osv-scanner', release ?? '', number(agreed), number(missing.length), number(extra.length), '', f1],
    ];
  });
}

function rebuildRows({ rebuilds }: Figures): readonly Row[] {
  return rebuilds.map(({ inventory, vendors, same, silent, sameBuild, otherBuild }) => [
    `errata of ${vendors.join(' and ')}`,
    inventory,
    number(same),
    `${number(silent[0].pairs)} and ${number(silent[1].pairs)} silent`,
    `${number(sameBuild.length + otherBuild.length)} differ`,
    '',
    'not known',
  ]);
}

function orderRows({ orders }: Figures): readonly Row[] {
  return orders.map(({ name, pairs, wrong }) => [
    'order of versions',
    name,
    number(pairs - wrong),
    number(wrong),
    '',
    '',
    pairs === 0 ? 'not known' : ((pairs - wrong) / pairs).toFixed(4),
  ]);
}
