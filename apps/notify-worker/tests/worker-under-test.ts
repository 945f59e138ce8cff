import {
  type ChannelStore,
  type CollectedEvents,
  createChannelStore,
  createConditionWatch,
  createDeliveryRunStore,
  createDeliveryStore,
  createEventCollector,
  createMailConfirmationStore,
  createNotificationRounds,
  createRouteStore,
  type Delivery,
  type Look,
  type NewChannel,
  type NewRoute,
  newId,
  systemActor,
} from '@plimsoll/db';
import { type ChannelId, channelBox, type RouteId, wholeFleet } from '@plimsoll/model';
import { createChannelAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import { createLogger, createMetrics } from '@plimsoll/process';
import { generateSealingKey, openSealed, seal } from '@plimsoll/secrets';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { openBulletinMaker } from '../src/bulletins/open-bulletin-maker.ts';
import { createDeliverHandler } from '../src/deliver-handler.ts';
import { createDeliveryMetrics } from '../src/delivery-metrics.ts';
import { createPoster } from '../src/http/post.ts';
import type { Mailer } from '../src/mail/mailer.ts';
import { timingOf } from '../src/schedule/timing.ts';

const by = systemActor('test');

/** The parts of a notify-worker on a database, with the privileges of its role. */
export interface WorkerUnderTest {
  readonly database: TestDatabase;
  readonly channels: ChannelStore;
  addChannel(
    fields: Partial<NewChannel> & { readonly url?: string; readonly secret?: string },
  ): Promise<ChannelId>;
  addRoute(channelId: ChannelId, fields: Partial<NewRoute>): Promise<RouteId>;
  /** Adds an event as its cause would, and writes the deliveries. */
  tell(event: string, subject: string, hostIds?: readonly string[], data?: object): Promise<void>;
  collect(): Promise<CollectedEvents>;
  look(): Promise<Look>;
  /** One attempt of every due delivery. */
  attemptAll(): Promise<void>;
  attempt(deliveryId: string): Promise<void>;
  /** Makes all waiting deliveries due. */
  advance(): Promise<void>;
  /** Oldest first. */
  deliveries(): Promise<readonly Delivery[]>;
  stop(): Promise<void>;
}

/** @param allowed networks in which channels may be. */
export async function startWorker(
  options: {
    readonly allowed?: readonly string[];
    readonly mailer?: Mailer;
    readonly mailDomains?: readonly string[];
  } = {},
): Promise<WorkerUnderTest> {
  const database = await createTestDatabase();
  const own = database.as('notify-worker');
  const key = generateSealingKey();
  const runs = createDeliveryRunStore(own);
  await runs.publishKey(key.publicKey.keyId, key.publicKey.bytes);
  const poster = createPoster({
    policy: createChannelAddressPolicy(options.allowed ?? ['127.0.0.0/8']),
    proxies: proxiesOf(null, {}),
    proxiedNames: [],
  });
  const handler = createDeliverHandler({
    runs,
    bulletins: openBulletinMaker(own),
    confirmations: createMailConfirmationStore(own),
    ring: { open: async (box, owner) => openSealed([key], box, owner) },
    poster,
    mailer: options.mailer ?? null,
    mailDomains: options.mailDomains ?? [],
    publicUrl: 'https://plimsoll.example',
    metrics: createDeliveryMetrics(createMetrics()),
    log: createLogger({ app: 'notify-worker', level: 'silent' }),
    clock: () => new Date(),
    close: () => poster.close(),
  });
  const channels = createChannelStore(database.as('api'));
  const routes = createRouteStore(database.as('api'));
  const collector = createEventCollector(own, timingOf);
  const rounds = createNotificationRounds(database.as('scheduler'));
  const attempt = async (deliveryId: string) => {
    const delivery = { attempt: 1, lastAttempt: false, starts: 1, signal: new AbortController().signal };
    await handler({ deliveryId: deliveryId as never }, delivery as never);
  };
  const sealText = (id: string, part: 'url' | 'secret', text: string | undefined) =>
    text === undefined ? null : new Uint8Array(seal(key.publicKey, Buffer.from(text), channelBox(id, part)));
  return {
    database,
    channels,
    async addChannel({ url, secret, ...fields }) {
      const id = newId<ChannelId>();
      const channel = {
        id,
        name: 'Channel',
        kind: 'webhook',
        shownUrl: url ?? null,
        addresses: [],
        unconfirmed: [],
        scope: wholeFleet,
        createdBy: 'test',
        sealedUrl: sealText(id, 'url', url),
        sealedSecret: sealText(id, 'secret', secret),
        ...fields,
      } as const;
      await channels.create(channel, by);
      return id;
    },
    async addRoute(channelId, fields) {
      const id = newId<RouteId>();
      const route: NewRoute = {
        id,
        channelId,
        name: 'Route',
        events: ['feed.failed'],
        minSeverity: null,
        tags: [],
        delayMinutes: 0,
        digest: null,
        quietHours: null,
        ...fields,
      };
      await routes.create(route, wholeFleet, by);
      return id;
    },
    async tell(event, subject, hostIds = [], data = {}) {
      await database.db.pool.query('SELECT add_notification_event($1, $2, $3::uuid[], $4::jsonb)', [
        event,
        subject,
        hostIds,
        JSON.stringify(data),
      ]);
      await collector.collect(100);
    },
    collect: () => collector.collect(100),
    look: () => createConditionWatch(own).look(),
    async attemptAll() {
      for (const id of await rounds.due(100)) await attempt(id);
    },
    attempt,
    async advance() {
      await database.db.pool.query(
        `UPDATE notification_deliveries SET next_attempt_at = now() - interval '1 second' WHERE state = 'waiting'`,
      );
    },
    deliveries: async () =>
      [
        ...(await createDeliveryStore(database.as('api')).list({}, wholeFleet, {
          limit: 1000,
          before: null,
        })),
      ].reverse(),
    async stop() {
      await poster.close();
      await database.drop();
    },
  };
}
