import { createHmac } from 'node:crypto';
import type { Post } from '../http/post.ts';
import type { Outgoing } from './outgoing.ts';

/**
 * The event as JSON, signed if the channel has a secret: HMAC-SHA256 of `timestamp.body`. While a secret that was replaced
 * is valid, its signature is sent too.
 */
export function webhookRequest({ deliveryId, url, secret, previousSecret, message, now }: Outgoing): Post {
  const { id, event, at, data } = message;
  const body = JSON.stringify({ id, event, at, data });
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const sign = (key: string) =>
    `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`;
  return {
    url,
    body,
    headers: {
      'plimsoll-event': event,
      'plimsoll-delivery': deliveryId,
      'plimsoll-timestamp': timestamp,
      ...(secret === null ? {} : { 'plimsoll-signature': sign(secret) }),
      ...(previousSecret === null ? {} : { 'plimsoll-signature-previous': sign(previousSecret) }),
    },
  };
}
