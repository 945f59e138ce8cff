import { createEventCollector } from '@plimsoll/db';
import { generateSealingKey, type SealingKey } from '@plimsoll/secrets';
import type { TestDatabase } from '@plimsoll/testing';

/** Publishes the key that secrets of channels are sealed to, as a notify-worker does. */
export async function publishKey(
  { db }: TestDatabase,
  { publicKey }: SealingKey = generateSealingKey(),
): Promise<void> {
  await db.pool.query(
    'INSERT INTO notification_keys (key_id, public_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [publicKey.keyId, publicKey.bytes.toString('base64')],
  );
}

/** Adds a route for some events, with a channel to which nothing is sent; returns the id of both. */
export async function addRoute({ db }: TestDatabase, events: readonly string[]): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>(
    `WITH c AS (INSERT INTO notification_channels (id, name, kind, is_limited, created_by)
       VALUES (gen_random_uuid(), 'c', 'webhook', false, 'test') RETURNING id)
     INSERT INTO notification_routes (id, channel_id, name, events) SELECT id, id, 'r', $1 FROM c RETURNING id`,
    [events],
  );
  return rows[0]?.id ?? '';
}

/** What was told since the last call: event, advisory and hosts. */
export async function toldNow(database: TestDatabase): Promise<readonly unknown[]> {
  const collector = createEventCollector(database.as('notify-worker'), (_route, now) => ({
    kind: 'alone',
    at: now,
  }));
  expect((await collector.collect(100)).failed).toEqual([]);
  const { rows } = await database.db.pool.query<{ items: { events: readonly Told[] } }>(
    "UPDATE notification_deliveries SET created_at = now() - interval '2 days' WHERE created_at > now() - interval '1 day' RETURNING items",
  );
  return rows
    .flatMap(({ items }) => items.events)
    .map(({ event, subject, hosts }) => [event, subject, ...hosts.map((host) => host.display_name)])
    .sort();
}

interface Told {
  readonly event: string;
  readonly subject: string;
  readonly hosts: readonly { readonly display_name: string }[];
}
