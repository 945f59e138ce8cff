import type { Post } from '../http/post.ts';
import { isOneEvent, linesAfter, type Message } from '../messages/message.ts';
import { escaped } from './chat-requests.ts';
import { cut } from './cut.ts';
import type { Outgoing } from './outgoing.ts';

const colours: Readonly<Record<Message['weight'], string>> = {
  urgent: 'attention',
  warning: 'warning',
  info: 'default',
};

/**
 * An adaptive card for a workflow that posts to a channel when a webhook request is received ("Create incoming webhooks
 * with Workflows", Microsoft Teams documentation; "Adaptive Cards", schema 1.4).
 */
export function teamsRequest({ url, message }: Outgoing): Post {
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
  const headStyle = { size: 'medium', weight: 'bolder', color: colours[message.weight] };
  const isOne = isOneEvent(message);
  const entryStyle = isOne ? headStyle : { weight: 'bolder', spacing: 'medium' };
  const entries = message.entries.flatMap(({ title, text, url: link }) => [
    block(link === null ? escaped(title) : `[${escaped(title)}](${link})`, entryStyle),
    ...(text === '' ? [] : [block(cut(escaped(text), 1_000), { spacing: 'none' })]),
  ]);
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      ...(isOne ? [] : [block(escaped(message.title), headStyle)]),
      ...entries,
      ...linesAfter(message.left).map((line) => block(line)),
    ],
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  };
  return { url, headers: {}, body: JSON.stringify({ type: 'message', attachments: [attachment] }) };
}
