import type { Post } from '../http/post.ts';
import { isOneEvent, linesAfter, type Message } from '../messages/message.ts';
import { cut } from './cut.ts';
import { fittingText } from './fitting-text.ts';
import type { Outgoing } from './outgoing.ts';

/** The formats of incoming webhooks: text with marks, in which names from hosts and feeds must stay plain text. */
export function chatRequest(kind: 'slack' | 'mattermost' | 'discord', { url, message }: Outgoing): Post {
  const body = bodies[kind](message);
  return { url, headers: {}, body: JSON.stringify(body) };
}

const bodies = { slack: slackBody, mattermost: mattermostBody, discord: discordBody };

/** "Sending messages using incoming webhooks" and "Formatting text for app surfaces", Slack API documentation. */
function slackBody(message: Message): object {
  const plain = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const sections = message.entries.map(({ title, text, url }) => {
    const head =
      url === null ? `*${withoutMarks(plain(title))}*` : `<${url}|${plain(title).replaceAll('|', '¦')}>`;
    return {
      type: 'section',
      text: { type: 'mrkdwn', text: cut(`${head}\n${plain(text)}`, 2_900), verbatim: true },
    };
  });
  const header = {
    type: 'header',
    text: { type: 'plain_text', text: cut(message.title, 150), emoji: false },
  };
  const more = linesAfter(message.left).map((text) => ({
    type: 'context',
    elements: [{ type: 'plain_text', text }],
  }));
  return {
    text: plain(message.title),
    blocks: [...(isOneEvent(message) ? [] : [header]), ...sections, ...more],
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll('*', '∗');
}

/** "Incoming webhooks", Mattermost documentation: Markdown, at most 16,383 characters. */
function mattermostBody(message: Message): object {
  return { text: markdown(message, 16_000) };
}

/** "Execute webhook", Discord developer documentation: Markdown, at most 2,000 characters, here without mentions. */
function discordBody(message: Message): object {
  return { content: markdown(message, 2_000), allowed_mentions: { parse: [] } };
}

function markdown(message: Message, most: number): string {
  const isOne = isOneEvent(message);
  const entries = message.entries.map(({ title, text, url }) => {
    const linked = url === null ? `**${escaped(title)}**` : `[${escaped(title)}](${url})`;
    const lines = text === '' ? [linked] : [linked, escaped(text)];
    return isOne ? lines.join('\n') : `- ${lines.join('\n  ')}`;
  });
  const head = isOne ? [] : [`**${escaped(message.title)}**`];
  return fittingText({ head, entries, left: message.left, most, between: '\n' });
}

/** Text that Markdown shows as it is, and that mentions no one. */
export function escaped(text: string): string {
  // A zero-width space after @ keeps "@channel" and "@everyone" from being mentions.
  return text.replace(/[\\`*_{}[\]()<>#+!|~-]/g, '\\$&').replaceAll('@', '@\u200b');
}
