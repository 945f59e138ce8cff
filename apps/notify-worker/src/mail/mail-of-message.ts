import { bulletinMail } from '../bulletins/bulletin-mail.ts';
import { cut } from '../channels/cut.ts';
import { isOneEvent, linesAfter, type Message } from '../messages/message.ts';
import { escapeHtml } from './escape-html.ts';
import type { Mail } from './mailer.ts';

/** A message as an e-mail, as text and as HTML with the same words. */
export function mailOfMessage(id: string, to: readonly string[], message: Message): Mail {
  if (message.bulletin !== undefined) return bulletinMail(id, to, message.bulletin);
  const { title, entries } = message;
  const isOne = isOneEvent(message);
  const after = linesAfter(message.left);
  const blocks = entries.map(({ title: head, text, url }) =>
    [...(isOne ? [] : [head]), text, url ?? ''].filter((line) => line !== '').join('\n'),
  );
  const footer = 'You get this because a route of Plimsoll names this address (Settings → Notifications).';
  return {
    id,
    to,
    subject: cut(`[Plimsoll] ${title}`, 250),
    text: [title, ...blocks, ...after, `-- \n${footer}`].join('\n\n'),
    html: page(title, [
      ...entries.map((entry) => htmlEntry(entry, isOne)),
      ...after.map((line) => `<p>${escapeHtml(line)}</p>`),
      `<p style="color:#5b6470;font-size:13px;margin-top:24px">${escapeHtml(footer)}</p>`,
    ]),
  };
}

function page(title: string, parts: readonly string[]): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>` +
    '<body style="font-family:system-ui,Arial,sans-serif;font-size:15px;line-height:1.5;color:#1d232b;max-width:640px">' +
    `<h1 style="font-size:19px">${escapeHtml(title)}</h1>${parts.join('')}</body></html>`
  );
}

function htmlEntry({ title, text, url }: Message['entries'][number], isOne: boolean): string {
  const head = isOne ? 'Open in Plimsoll' : title;
  const linked = url === null ? escapeHtml(title) : `<a href="${escapeHtml(url)}">${escapeHtml(head)}</a>`;
  const body = text === '' ? '' : `<p style="margin:4px 0 0">${escapeHtml(text)}</p>`;
  if (isOne) return `${body}${url === null ? '' : `<p>${linked}</p>`}`;
  return `<div style="margin:16px 0"><h2 style="font-size:15px;margin:0">${linked}</h2>${body}</div>`;
}
