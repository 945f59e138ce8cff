import { bulletinMail } from '../bulletins/bulletin-mail.ts';
import { cut } from '../channels/cut.ts';
import { isOneEvent, linesAfter, type Message } from '../messages/message.ts';
import { escapeHtml } from './escape-html.ts';
import { anchor, heading, mailPage, paragraph } from './mail-html.ts';
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
    html: mailPage({
      title,
      about: null,
      parts: [
        ...entries.map((entry) => htmlEntry(entry, isOne)),
        ...after.map((line) => paragraph(escapeHtml(line))),
      ],
      footer: [footer],
    }),
  };
}

function htmlEntry({ title, text, url }: Message['entries'][number], isOne: boolean): string {
  const body = text === '' ? '' : paragraph(escapeHtml(text));
  if (isOne) return `${body}${url === null ? '' : paragraph(anchor(url, 'Open in Plimsoll'))}`;
  return `${heading(url === null ? escapeHtml(title) : anchor(url, title))}${body}`;
}
