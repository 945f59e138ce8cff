import type { Figures } from './figures.ts';
import { number, type Section } from './page.ts';

/** The section about recorded answers of osv-scanner. */
export function cassetteSection({ osvScanner }: Figures): Section {
  const title = 'Recorded answers of osv-scanner';
  if (osvScanner === null) return { title, text: ['Not compared.'] };
  const lines = osvScanner.flatMap(({ ecosystem, missing, extra }) => [
    ...missing.map((pair) => `- ${ecosystem}, missing: ${pair}`),
    ...extra.map((pair) => `- ${ecosystem}, extra: ${pair}`),
  ]);
  return {
    title,
    text: [
      'Its own tests record what osv.dev says of packages by source. Pairs of package and CVE that the data at hand names for ' +
        'the release are compared; the recording is newer than the data, so the other CVEs are counted only, and a pair can ' +
        'differ because the vendor decided since. Notices repeat the records of their CVEs.',
      ...(lines.length === 0 ? [] : ['Differences:', ...lines]),
    ],
    table: {
      columns: [
        ['Ecosystem', 'text'],
        ['Packages', 'number'],
        ['Agree', 'number'],
        ['Missing', 'number'],
        ['Extra', 'number'],
        ['Newer than the data', 'number'],
        ['Notices', 'number'],
        ['Note', 'text'],
      ],
      rows: osvScanner.map(({ ecosystem, packages, agreed, missing, extra, notInData, notices, why }) => [
        ecosystem === '' ? 'none stated' : ecosystem,
        number(packages),
        ...(why === null
          ? [agreed, missing.length, extra.length, notInData, notices].map(number)
          : ['', '', '', '', '']),
        why === null ? '' : `not compared: ${why}`,
      ]),
    },
  };
}
