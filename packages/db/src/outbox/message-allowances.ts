import { AppError } from '@plimsoll/model';
import { z } from 'zod';
import type { Database } from '../core/database.ts';
import { inTransaction, queryRows, type Transaction } from '../core/transaction.ts';
import { Prisma } from '../generated/client.ts';

/** What a message that a user triggers is taken from. */
export interface MessageSource {
  readonly kind: 'user' | 'channel' | 'bulletin' | 'recipient';
  /** An id; of a recipient its e-mail address. */
  readonly id: string;
}

/** Bounds the messages that users trigger, for all processes of the API together. */
export interface MessageAllowances {
  /** Takes one message from each source, or from none of them: then throws `rate_limited` with the seconds to wait. */
  take(sources: readonly MessageSource[]): Promise<void>;
}

const minuteMs = 60_000;

/** How many messages at once, and after how many milliseconds one more. */
const limits: Readonly<Record<MessageSource['kind'], { readonly burst: number; readonly everyMs: number }>> =
  {
    user: { burst: 5, everyMs: minuteMs },
    channel: { burst: 5, everyMs: minuteMs },
    bulletin: { burst: 5, everyMs: minuteMs },
    // Confirmations: they go to people who did not ask for them.
    recipient: { burst: 3, everyMs: 60 * minuteMs },
  };

/**
 * In the table `rate_limits`: `expire` is when the allowance is full again, in milliseconds of the database clock (the generic cell rate
 * algorithm of ATM Forum TM 4.0), so that the scheduler deletes full ones as expired.
 */
export function createMessageAllowances({ prisma }: Database): MessageAllowances {
  return {
    take: (sources) =>
      inTransaction(prisma, async (tx) => {
        // In one order, so that two requests do not wait for each other.
        const sorted = [...sources].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        for (const source of sorted) await takeOne(tx, source);
      }),
  };
}

const fullAt = z.object({ full_at: z.number(), now: z.number() });

async function takeOne(tx: Transaction, source: MessageSource): Promise<void> {
  const { burst, everyMs } = limits[source.kind];
  const now = Prisma.sql`(date_part('epoch', clock_timestamp()) * 1000)::bigint`;
  const taken = await queryRows(
    tx,
    fullAt,
    Prisma.sql`INSERT INTO rate_limits (key, points, expire) VALUES (${keyOf(source)}, 0, ${now} + ${everyMs}::bigint)
      ON CONFLICT (key) DO UPDATE SET expire = greatest(rate_limits.expire, ${now}) + ${everyMs}::bigint
      WHERE coalesce(rate_limits.expire, 0) <= ${now} + ${(burst - 1) * everyMs}::bigint
      RETURNING coalesce(expire, 0)::float8 AS full_at, ${now}::float8 AS now`,
  );
  if (taken.length > 0) return;
  const [row] = await queryRows(
    tx,
    fullAt,
    Prisma.sql`SELECT coalesce(expire, 0)::float8 AS full_at, ${now}::float8 AS now FROM rate_limits WHERE key = ${keyOf(source)}`,
  );
  const waitMs = row === undefined ? everyMs : row.full_at - row.now - (burst - 1) * everyMs;
  throw new AppError('rate_limited', `${words[source.kind]} Wait, and repeat the request.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

const words: Readonly<Record<MessageSource['kind'], string>> = {
  user: 'You had 5 messages sent; one more is sent each minute.',
  channel: 'The channel was sent 5 messages that users asked for; one more is sent each minute.',
  bulletin: 'The report was sent 5 times; it is sent once more each minute.',
  recipient: 'One of the addresses was asked 3 times to confirm itself; it is asked once more each hour.',
};

function keyOf({ kind, id }: MessageSource): string {
  return `message:${kind}:${id}`.slice(0, 255);
}
