import type { Post } from '../http/post.ts';
import type { Message } from '../messages/message.ts';
import { cut } from './cut.ts';
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
  const lines = message.entries.map(({ title, text }) =>
    message.entries.length === 1 ? text : `${title}\n${text}`,
  );
  const body = {
    topic: decodeURIComponent(path.slice(at + 1)),
    title: cut(message.title, 250),
    message: cut([...lines, ...(message.more === null ? [] : [message.more])].join('\n\n'), 3_900),
    priority: priorities[message.weight],
    ...(only?.url == null ? {} : { click: only.url }),
  };
  return {
    url: new URL(path.slice(0, at + 1), url),
    headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  };
}
