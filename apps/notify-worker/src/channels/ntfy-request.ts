import type { Post } from '../http/post.ts';
import { isOneEvent, type Message } from '../messages/message.ts';
import { cut } from './cut.ts';
import { fittingText } from './fitting-text.ts';
import type { Outgoing } from './outgoing.ts';

const priorities: Readonly<Record<Message['weight'], number>> = { urgent: 5, warning: 4, info: 3 };

/**
 * "Publish as JSON", ntfy documentation: to the server's root, with the last part of the address as the topic. The secret
 * is an access token.
 */
export function ntfyRequest({ url, secret, message }: Outgoing): Post {
  const path = url.pathname.replace(/\/$/, '');
  const at = path.lastIndexOf('/');
  const [only] = message.entries;
  const entries = message.entries.map(({ title, text }) =>
    isOneEvent(message) ? text : `${title}\n${text}`,
  );
  const body = {
    topic: path.slice(at + 1),
    title: cut(message.title, 250),
    message: fittingText({ head: [], entries, left: message.left, most: 3_900, between: '\n\n' }),
    priority: priorities[message.weight],
    ...(only?.url == null ? {} : { click: only.url }),
  };
  return {
    url: new URL(path.slice(0, at + 1), url),
    headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  };
}
