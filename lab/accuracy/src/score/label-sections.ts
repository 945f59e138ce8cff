import type { Figures, LabelClass, LabelFigures } from './figures.ts';
import { labelCounts, labelRates } from './label-figures.ts';
import { number, percent, type Section } from './page.ts';

/** The sections about match labels. */
export function labelSections({ labels }: Figures): readonly Section[] {
  if (labels === null) return [{ title: 'Match labels', text: ['Not compared.'] }];
  const { judged, outside } = labels;
  return [
    {
      title: 'Match labels',
      text: [
        'The labels of anchore/vulnerability-match-labels: people decided for each match of a vulnerability and a package of ' +
          'an image whether it is right or wrong. Found: right matches that are findings, of those that the vendor’s data at ' +
          'hand still calls affected. Hidden: among them, of no importance for the vendor. Avoided: wrong matches that are no ' +
          'visible findings. Raised ones are all in the vendor’s data. Undecided: the package has no verdict, or the label lacks ' +
          'its source or stream. F1 is of supported right matches and wrong ones. Target: 95 % found, 90 % avoided.',
      ],
      table: {
        columns: [
          ['Image', 'text'],
          ['Release', 'text'],
          ['Judged', 'number'],
          ['Found', 'text'],
          ['Hidden', 'number'],
          ['Missed', 'number'],
          ['Not supported, companions', 'number'],
          ['Avoided', 'text'],
          ['Undecided', 'text'],
          ['F1', 'number'],
        ],
        rows: judged.map(countRow),
      },
    },
    { title: 'Labels by cause', text: [causes], table: causeTable(judged) },
    {
      title: 'Supported matches that are missed, and wrong ones that are raised',
      text: lineText(judged),
    },
    {
      title: 'Images that are not judged',
      text: ['Their labels are in no figure above.'],
      table: {
        columns: [
          ['Why', 'text'],
          ['Images', 'number'],
          ['Labels', 'number'],
          ['Which', 'text'],
        ],
        rows: outsideRows(outside),
      },
    },
  ];
}

const causes =
  '“vendor:” is what its statements of today say, by the rule in accuracy.md; “we:” names a judgement of ours that drops a ' +
  'statement that names the package; “data:” a fact that only another file of the vendor has.';

function countRow(image: LabelFigures): readonly string[] {
  const counts = labelCounts(image);
  const rates = labelRates(counts);
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const hit = counts.found + counts.hidden;
  return [
    image.image,
    image.release,
    number(total),
    ofText(hit, hit + counts.missed, rates.found),
    number(counts.hidden),
    number(counts.missed),
    number(counts.unsupported),
    ofText(counts.avoided, counts.avoided + counts.raised, rates.avoided),
    ofText(counts.undecided, total, rates.undecided),
    rates.f1 === null ? 'not known' : rates.f1.toFixed(4),
  ];
}

function ofText(part: number, whole: number, rate: number | null): string {
  return rate === null ? 'no label' : `${number(part)} of ${number(whole)} (${percent(rate)})`;
}

/** The words for a class: the label, and our answer. */
const words: Readonly<Record<LabelClass, readonly [string, string]>> = {
  'right found': ['right', 'finding'],
  'right hidden': ['right', 'hidden finding'],
  'right missed': ['right', 'none'],
  'right unsupported': ['right', 'none'],
  'right undecided': ['right', 'undecided'],
  'wrong found': ['wrong', 'finding'],
  'wrong hidden': ['wrong', 'hidden finding'],
  'wrong not found': ['wrong', 'none'],
  'wrong undecided': ['wrong', 'undecided'],
};

function causeTable(judged: readonly LabelFigures[]) {
  const rows = new Map<string, { cells: readonly string[]; count: number; images: number }>();
  for (const { classes } of judged)
    for (const [of, counts] of Object.entries(classes))
      for (const [cause, count] of Object.entries(counts)) {
        const cells = [...words[of as LabelClass], cause]; // Its keys.
        const known = rows.get(cells.join('|')) ?? { cells, count: 0, images: 0 };
        rows.set(cells.join('|'), { cells, count: known.count + count, images: known.images + 1 });
      }
  return {
    columns: [
      ['Label', 'text'],
      ['Our answer', 'text'],
      ['Cause', 'text'],
      ['Labels', 'number'],
      ['Images', 'number'],
    ] as const,
    rows: [...rows.values()]
      .sort((a, b) => (a.cells[0] ?? '').localeCompare(b.cells[0] ?? '') || b.count - a.count)
      .map(({ cells, count, images }) => [...cells, number(count), number(images)]),
  };
}

function lineText(judged: readonly LabelFigures[]): readonly string[] {
  const lines = judged.flatMap(({ image, missed, raised }) =>
    [['missed', missed] as const, ['raised', raised] as const].flatMap(([what, list]) =>
      Object.entries(list).map(([name, ids]) => `${image}, ${what}: ${name}: ${ids}`),
    ),
  );
  return lines.length === 0 ? ['None.'] : lines.map((line) => `- ${line}`);
}

function outsideRows(outside: NonNullable<Figures['labels']>['outside']): readonly (readonly string[])[] {
  return Object.entries(outside).map(([why, images]) => [
    why,
    number(Object.keys(images).length),
    number(Object.values(images).reduce((sum, count) => sum + count, 0)),
    Object.keys(images).join(', '),
  ]);
}
