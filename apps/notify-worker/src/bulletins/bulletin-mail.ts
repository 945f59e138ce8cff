import type { BulletinContents } from '@plimsoll/contract';
import { cut } from '../channels/cut.ts';
import { escapeHtml } from '../mail/escape-html.ts';
import { alarm, anchor, box, heading, listOf, mailPage, paragraph, table } from '../mail/mail-html.ts';
import type { Mail } from '../mail/mailer.ts';
import { type BulletinWords, bulletinWords } from './bulletin-words.ts';

/** What a message needs to be sent as a bulletin. */
export interface BulletinToMail {
  readonly contents: BulletinContents;
  readonly csv: string;
  /** The hosts whose findings are a lower bound, with the reasons; empty: there are none. */
  readonly unknownCsv: string;
  /** Rows that the table lacks. */
  readonly omittedRows: number;
  /** Hosts that the table of those not known lacks. */
  readonly omittedUnknown: number;
  /** Addresses in the dashboard; null: the service does not know its own. */
  readonly publicUrl: string | null;
  readonly bulletinId: string;
}

/** A bulletin as e-mail: text, HTML and a CSV table. Text and HTML state the same facts. */
export function bulletinMail(id: string, to: readonly string[], bulletin: BulletinToMail): Mail {
  const words = bulletinWords(bulletin.contents);
  const day = bulletin.contents.as_of.slice(0, 10);
  const table = (filename: string, content: string) => ({
    filename,
    contentType: 'text/csv; charset=utf-8',
    content,
  });
  const isIncomplete = bulletin.unknownCsv !== '';
  return {
    id,
    to,
    subject: cut(`[Plimsoll] ${words.title}`, 250),
    text: textOf(words, bulletin),
    html: htmlOf(words, bulletin),
    attachments: [
      // Its name says so, because the table alone, perhaps an empty one, looks like everything.
      table(`plimsoll-findings-${day}${isIncomplete ? '-incomplete' : ''}.csv`, bulletin.csv),
      ...(isIncomplete ? [table(`plimsoll-not-known-${day}.csv`, bulletin.unknownCsv)] : []),
    ],
  };
}

function linkTo({ publicUrl }: BulletinToMail, path: string): string | null {
  return publicUrl === null ? null : `${publicUrl}${path}`;
}

function footerOf({ omittedRows, omittedUnknown, unknownCsv }: BulletinToMail): readonly string[] {
  return [
    ...(unknownCsv === ''
      ? []
      : [
          `The attached table “not known” names ${omittedUnknown > 0 ? 'some of the' : 'the'} hosts that may have more findings than this report, and why.${omittedUnknown > 0 ? ` It lacks ${omittedUnknown.toLocaleString('en-US')} further hosts.` : ''}`,
        ]),
    ...(omittedRows > 0
      ? [`The attached table lacks ${omittedRows.toLocaleString('en-US')} further rows.`]
      : []),
    'You get this because a report by mail of Plimsoll names this address (Settings → Notifications).',
  ];
}

function textOf(words: BulletinWords, bulletin: BulletinToMail): string {
  const table = words.open.map(
    ([severity, findings, hosts, change]) =>
      `  ${severity.padEnd(14)}${findings.padStart(9)} on ${hosts === '1' ? '1 host' : `${hosts} hosts`}${change === '' ? '' : ` (${change})`}`,
  );
  const first = words.first.map(({ key, title, severity, hosts, due, isOverdue }) =>
    [
      `  ${key}: ${severity}, hosts: ${hosts}${due === '' ? '' : `, due ${due}${isOverdue ? ', OVERDUE' : ''}`}`,
      ...(title === '' ? [] : [`    ${title}`]),
    ].join('\n'),
  );
  const link = linkTo(bulletin, `/bulletins/${bulletin.bulletinId}`);
  return [
    words.title,
    words.about,
    [
      'WHAT IS NOT KNOWN',
      ...(words.unknown.length === 0 ? [words.known] : words.unknown.map((one) => `- ${one}`)),
    ].join('\n'),
    ['OPEN FINDINGS', ...table, words.exploited, words.overdue].join('\n'),
    ['WHAT TO DO FIRST', ...(words.evidence === '' ? [] : [words.evidence]), ...first, words.more].join('\n'),
    ['WHAT CHANGED', ...words.changes.map((one) => `- ${one}`)].join('\n'),
    ...(link === null ? [] : [`As a page: ${link}`]),
    `-- \n${footerOf(bulletin).join('\n')}`,
  ].join('\n\n');
}

function htmlOf(words: BulletinWords, bulletin: BulletinToMail): string {
  const preview = linkTo(bulletin, `/bulletins/${bulletin.bulletinId}`);
  const say = (line: string) => paragraph(escapeHtml(line));
  return mailPage({
    title: words.title,
    about: words.about,
    parts: [
      words.unknown.length === 0
        ? box({ ink: '#14532d', back: '#e8f5ec' }, escapeHtml(words.known))
        : box({ ink: '#5f3700', back: '#fff4dc' }, listOf('What is not known', words.unknown)),
      heading('Open findings'),
      table(
        ['Severity', 'Findings', 'Hosts', 'Change'],
        words.open.map((row) => row.map(escapeHtml)),
      ),
      say(words.exploited),
      say(words.overdue),
      heading('What to do first'),
      ...(words.evidence === '' ? [] : [say(words.evidence)]),
      ...(words.first.length === 0 ? [] : [firstTable(words, bulletin)]),
      say(words.more),
      heading('What changed'),
      ...words.changes.map(say),
      ...(preview === null ? [] : [paragraph(anchor(preview, 'Open as a page'))]),
    ],
    footer: footerOf(bulletin),
  });
}

/** Two columns, which a phone has room for. */
function firstTable(words: BulletinWords, bulletin: BulletinToMail): string {
  const rows = words.first.map(({ key, title, severity, hosts, due, isOverdue }) => {
    const url = linkTo(bulletin, `/advisories/${encodeURIComponent(key)}`);
    const name = url === null ? `<strong>${escapeHtml(key)}</strong>` : anchor(url, key);
    const date = isOverdue ? alarm(`due ${due}, overdue`) : escapeHtml(`due ${due}`);
    return [
      [name, ...(title === '' ? [] : [escapeHtml(title)])].join('<br>'),
      [escapeHtml(severity), escapeHtml(`hosts: ${hosts}`), ...(due === '' ? [] : [date])].join('<br>'),
    ];
  });
  return table(['Advisory', 'Severity, hosts and due date'], rows, '60%');
}
