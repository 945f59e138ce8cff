import { AppError } from '@plimsoll/model';
import type { EventStream } from './event-stream.ts';
import type { Subscriber } from './subscriber.ts';

/** A stream and its client. */
export interface OpenStream {
  readonly subscriber: Subscriber;
  readonly stream: EventStream;
}

/** The time after which a refused client comes back, in seconds. */
const retrySeconds = 30;

/**
 * The stream that has to end for another one of a user; null if there is room. It is the user's oldest above
 * `streamsPerUser`, and above `streams` the oldest of the user with the most. `streams` has the oldest first. Throws
 * `rate_limited` if no user would keep as many streams as the newcomer has then.
 */
export function requirePlace(
  streams: ReadonlySet<OpenStream>,
  userId: string,
  limits: { readonly streams: number; readonly streamsPerUser: number },
): OpenStream | null {
  const byUser = new Map<string, readonly OpenStream[]>();
  for (const open of streams) {
    const { userId: user } = open.subscriber;
    byUser.set(user, [...(byUser.get(user) ?? []), open]);
  }
  const own = byUser.get(userId) ?? [];
  if (own.length >= limits.streamsPerUser) return own[0] ?? null;
  if (streams.size < limits.streams) return null;
  const largest = [...byUser.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  if (largest.length > own.length + 1) return largest[0] ?? null;
  throw new AppError('rate_limited', 'Too many event streams are open. Close one, or try again later.', {
    retryAfterSeconds: retrySeconds,
  });
}
