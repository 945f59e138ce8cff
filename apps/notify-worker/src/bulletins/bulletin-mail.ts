import type { BulletinContents } from '@plimsoll/contract';
import { cut } from '../channels/cut.ts';
import { escapeHtml } from '../mail/escape-html.ts';
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

/**
 * A bulletin as e-mail: text, HTML and a CSV table. The HTML has what mail programs agree on: nested tables, inline styles
 * with both colours wherever one is set, so that it stays readable where a program inverts colours, no images.
 */
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
    subject: cut(`[Plimsoll] ${words.title}`.replace(/[\p{C}\s]+/gu, ' '), 250),
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
      `  ${severity.padEnd(14)}${findings.padStart(9)} findings on ${hosts} hosts${change === '' ? '' : ` (${change})`}`,
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
    ['OPEN', ...table, words.exploited, words.overdue].join('\n'),
    ['WHAT TO DO FIRST', ...first, words.more].join('\n'),
    ['WHAT CHANGED', ...words.changes.map((one) => `- ${one}`)].join('\n'),
    ...(link === null ? [] : [`As a page: ${link}`]),
    `-- \n${footerOf(bulletin).join('\n')}`,
  ].join('\n\n');
}

const font = 'font-family:Arial,Helvetica,sans-serif;';
const ink = 'color:#1d232b;background-color:#ffffff;';
const cell = `${font}${ink}font-size:14px;line-height:20px;padding:6px 8px;border-bottom:1px solid #d9dee5;vertical-align:top;`;
const head = `${font}color:#3c4652;background-color:#eef1f5;font-size:12px;line-height:18px;padding:6px 8px;text-align:left;font-weight:bold;`;

function htmlOf(words: BulletinWords, bulletin: BulletinToMail): string {
  const preview = linkTo(bulletin, `/bulletins/${bulletin.bulletinId}`);
  const isKnown = words.unknown.length === 0;
  const sections = [
    box(
      isKnown ? { ink: '#14532d', back: '#e8f5ec' } : { ink: '#5f3700', back: '#fff4dc' },
      isKnown
        ? `<p style="margin:0">${escapeHtml(words.known)}</p>`
        : listOf('What is not known', words.unknown),
    ),
    heading('Open'),
    table(
      ['Severity', 'Findings', 'Hosts', 'Since last time'],
      words.open.map((row) => row.map(escapeHtml)),
    ),
    paragraph(words.exploited),
    paragraph(words.overdue),
    heading('What to do first'),
    ...(words.first.length === 0 ? [] : [firstTable(words, bulletin)]),
    paragraph(words.more),
    heading('What changed'),
    ...words.changes.map(paragraph),
    ...(preview === null
      ? []
      : [`<p style="${font}${ink}font-size:14px;margin:16px 0 0">${anchor(preview, 'Open as a page')}</p>`]),
  ].join('');
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light">' +
    `<title>${escapeHtml(words.title)}</title></head>` +
    '<body style="margin:0;padding:0;background-color:#f2f4f7">' +
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f2f4f7"><tr><td align="center" style="padding:16px 8px">' +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="max-width:680px;background-color:#ffffff"><tr><td style="padding:24px 20px;${ink}text-align:left">` +
    `<h1 style="${font}${ink}font-size:20px;line-height:28px;margin:0 0 4px">${escapeHtml(words.title)}</h1>` +
    `<p style="${font}color:#4a5563;background-color:#ffffff;font-size:14px;line-height:20px;margin:0 0 16px">${escapeHtml(words.about)}</p>` +
    sections +
    footerOf(bulletin)
      .map(
        (one) =>
          `<p style="${font}color:#4a5563;background-color:#ffffff;font-size:12px;line-height:18px;margin:20px 0 0">${escapeHtml(one)}</p>`,
      )
      .join('') +
    '</td></tr></table></td></tr></table></body></html>'
  );
}

function box({ ink: colour, back }: { readonly ink: string; readonly back: string }, inner: string): string {
  return (
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${back}"><tr>` +
    `<td style="${font}color:${colour};background-color:${back};font-size:14px;line-height:20px;padding:10px 12px">${inner}</td></tr></table>`
  );
}

function listOf(title: string, lines: readonly string[]): string {
  const items = lines.map((one) => `<li style="margin:2px 0">${escapeHtml(one)}</li>`).join('');
  return `<strong>${escapeHtml(title)}</strong><ul style="margin:4px 0 0;padding:0 0 0 18px">${items}</ul>`;
}

function heading(text: string): string {
  return `<h2 style="${font}${ink}font-size:16px;line-height:24px;margin:20px 0 6px">${escapeHtml(text)}</h2>`;
}

function paragraph(text: string): string {
  return `<p style="${font}${ink}font-size:14px;line-height:20px;margin:8px 0 0">${escapeHtml(text)}</p>`;
}

function firstTable(words: BulletinWords, bulletin: BulletinToMail): string {
  const rows = words.first.map(({ key, title, severity, hosts, due, isOverdue }) => {
    const url = linkTo(bulletin, `/advisories/${encodeURIComponent(key)}`);
    const name = url === null ? `<strong>${escapeHtml(key)}</strong>` : anchor(url, key);
    const words = title === '' ? '' : `<br>${escapeHtml(cut(title, 160))}`;
    const date = escapeHtml(due);
    return [
      `${name}${words}`,
      escapeHtml(severity),
      escapeHtml(hosts),
      isOverdue ? `<strong style="color:#8f1414;background-color:#ffffff">${date} overdue</strong>` : date,
    ];
  });
  return table(['Advisory', 'Severity', 'Hosts', 'Due'], rows);
}

/** @param rows cells as HTML */
function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `<tr>${cells.map((one) => `<td style="${cell}">${one}</td>`).join('')}</tr>`;
  return (
    '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse"><thead><tr>' +
    headers.map((one) => `<th scope="col" style="${head}">${escapeHtml(one)}</th>`).join('') +
    `</tr></thead><tbody>${rows.map(line).join('')}</tbody></table>`
  );
}

function anchor(url: string, words: string): string {
  return `<a href="${escapeHtml(url)}" style="color:#0b57b7;background-color:#ffffff">${escapeHtml(words)}</a>`;
}
