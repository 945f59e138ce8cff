import type { Post } from '../http/post.ts';
import type { Message } from '../messages/message.ts';
import { cut } from './cut.ts';
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
    return { type: 'section', text: { type: 'mrkdwn', text: cut(`${head}\n${plain(text)}`, 2_900) } };
  });
  const more =
    message.more === null
      ? []
      : [{ type: 'context', elements: [{ type: 'plain_text', text: message.more }] }];
  return {
    text: plain(message.title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(message.title, 150), emoji: false } },
      ...sections,
      ...more,
    ],
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll('*', '∗');
}

/** "Incoming webhooks", Mattermost documentation: Markdown, at most 16,383 characters. */
function mattermostBody(message: Message): object {
  return { text: cut(markdown(message), 16_000) };
}

/** "Execute webhook", Discord developer documentation: Markdown, at most 2,000 characters, here without mentions. */
function discordBody(message: Message): object {
  return { content: cut(markdown(message), 2_000), allowed_mentions: { parse: [] } };
}

function markdown({ title, entries, more }: Message): string {
  const lines = entries.map(({ title: head, text, url }) => {
    const linked = url === null ? `**${escaped(head)}**` : `[${escaped(head)}](${url})`;
    return text === '' ? `- ${linked}` : `- ${linked}\n  ${escaped(text)}`;
  });
  return [`**${escaped(title)}**`, ...lines, ...(more === null ? [] : [more])].join('\n');
}

/** Text that Markdown shows as it is, and that mentions no one. */
export function escaped(text: string): string {
  // A zero-width space after @ keeps "@channel" and "@everyone" from being mentions.
  return text.replace(/[\\`*_{}[\]()<>#+!|~-]/g, '\\$&').replaceAll('@', '@\u200b');
}
