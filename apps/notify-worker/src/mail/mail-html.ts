import { escapeHtml } from './escape-html.ts';

/*
 * HTML that mail programs agree on: tables for layout, inline styles, no images, scripts, style sheets or fonts from elsewhere.
 * Wherever one colour is set the other is, too, so that text stays readable where a program darkens one of them.
 */

const font = 'font-family:Arial,Helvetica,sans-serif;';
const white = 'background-color:#ffffff;';
const ink = `color:#1d232b;${white}`;
const faint = `color:#4a5563;${white}`;
const rows = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
/** Names of advisories and hosts can be longer than a line of a phone. */
const wraps = 'overflow-wrap:anywhere;word-break:break-word;';
const body = `${font}${ink}font-size:14px;line-height:20px;`;

/** A whole mail. `about` comes below the title; null: nothing does. `parts` are HTML, all else is text. */
export function mailPage(page: {
  readonly title: string;
  readonly about: string | null;
  readonly parts: readonly string[];
  readonly footer: readonly string[];
}): string {
  const title = escapeHtml(page.title);
  const about =
    page.about === null
      ? ''
      : `<p style="${font}${faint}font-size:14px;line-height:20px;margin:0 0 16px">${escapeHtml(page.about)}</p>`;
  const footer = page.footer.map(
    (line) =>
      `<p style="${font}${faint}font-size:12px;line-height:18px;margin:20px 0 0">${escapeHtml(line)}</p>`,
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light">' +
    `<title>${title}</title></head><body style="margin:0;padding:0;background-color:#f2f4f7">` +
    `<table ${rows} bgcolor="#f2f4f7"><tr><td align="center" style="padding:16px 8px">` +
    // Outlook reads the attributes; it knows no maximum.
    `<table role="presentation" width="680" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:680px;${white}">` +
    `<tr><td style="${body}padding:24px 16px;text-align:left">` +
    `<h1 style="${font}${ink}font-size:20px;line-height:28px;margin:0 0 4px">${title}</h1>${about}` +
    `${page.parts.join('')}${footer.join('')}` +
    '</td></tr></table></td></tr></table></body></html>'
  );
}

/** A heading above parts. @param content HTML */
export function heading(content: string): string {
  return `<h2 style="${font}${ink}font-size:16px;line-height:24px;margin:20px 0 6px;${wraps}">${content}</h2>`;
}

/** A paragraph. @param content HTML */
export function paragraph(content: string): string {
  return `<p style="${body}margin:8px 0 0;${wraps}">${content}</p>`;
}

/** A box in other colours. @param content HTML */
export function box(
  { ink: colour, back }: { readonly ink: string; readonly back: string },
  content: string,
): string {
  return (
    `<table ${rows} bgcolor="${back}"><tr>` +
    `<td style="${font}color:${colour};background-color:${back};font-size:14px;line-height:20px;padding:10px 12px">${content}</td></tr></table>`
  );
}

/** Lines below a title, all as text. */
export function listOf(title: string, lines: readonly string[]): string {
  const items = lines.map((one) => `<li style="margin:2px 0">${escapeHtml(one)}</li>`).join('');
  return `<strong>${escapeHtml(title)}</strong><ul style="margin:4px 0 0;padding:0 0 0 18px">${items}</ul>`;
}

/**
 * A table of data.
 * @param cells rows of HTML
 * @param firstWidth of a first column whose words may be longer than it; they are broken
 */
export function table(
  headers: readonly string[],
  cells: readonly (readonly string[])[],
  firstWidth = '',
): string {
  const head = `${font}color:#3c4652;background-color:#eef1f5;font-size:12px;line-height:18px;padding:6px 6px;text-align:left;font-weight:bold;`;
  const cell = `${body}padding:6px 6px;border-bottom:1px solid #d9dee5;vertical-align:top;`;
  const line = (row: readonly string[]) =>
    `<tr>${row.map((one, n) => `<td style="${cell}${n === 0 && firstWidth !== '' ? wraps : ''}">${one}</td>`).join('')}</tr>`;
  const width = (n: number) => (n === 0 && firstWidth !== '' ? ` width="${firstWidth}"` : '');
  return (
    '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse"><thead><tr>' +
    headers.map((one, n) => `<th scope="col"${width(n)} style="${head}">${escapeHtml(one)}</th>`).join('') +
    `</tr></thead><tbody>${cells.map(line).join('')}</tbody></table>`
  );
}

/** A link with text. */
export function anchor(url: string, words: string): string {
  return `<a href="${escapeHtml(url)}" style="color:#0b57b7;${white}">${escapeHtml(words)}</a>`;
}

/** Text that must be noticed. */
export function alarm(words: string): string {
  return `<strong style="color:#8f1414;${white}">${escapeHtml(words)}</strong>`;
}
