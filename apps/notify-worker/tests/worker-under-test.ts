import {
  type ChannelStore,
  type CollectedEvents,
  createChannelStore,
  createConditionWatch,
  createDeliveryRunStore,
  createDeliveryStore,
  createEventCollector,
  createHostStore,
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
import { type ChannelId, channelBox, type HostId, type RouteId, wholeFleet } from '@plimsoll/model';
import { createChannelAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import { createLogger, createMetrics } from '@plimsoll/process';
import { generateSealingKey, openSealed, seal } from '@plimsoll/secrets';
import { createTestDatabase, startedPer, type TestDatabase } from '@plimsoll/testing';
import { openBulletinMaker } from '../src/bulletins/open-bulletin-maker.ts';
import { createDeliverHandler } from '../src/deliver-handler.ts';
import { createDeliveryMetrics } from '../src/delivery-metrics.ts';
import { createPoster } from '../src/http/post.ts';
import { createMailer, type Mailer } from '../src/mail/mailer.ts';
import { timingOf } from '../src/schedule/timing.ts';

const by = systemActor('test');

const sqlOf =
  ({ db }: TestDatabase) =>
  (text: string, values: readonly unknown[] = []) =>
    db.pool.query(text, [...values]);

/** The parts of a notify-worker on a database, with the privileges of its role. */
export interface WorkerUnderTest {
  readonly database: TestDatabase;
  readonly channels: ChannelStore;
  addChannel(
    fields: Partial<NewChannel> & { readonly url?: string; readonly secret?: string },
  ): Promise<ChannelId>;
  /** By default to a channel of its own. */
  addRoute(fields: Partial<NewRoute>, channelId?: ChannelId): Promise<RouteId>;
  /** Adds a host without a report, which is silent after 40 minutes. */
  addHost(name: string, tags?: readonly string[]): Promise<HostId>;
  /** A host, or all of them, has a report of this age. */
  report(age: string, id?: HostId): Promise<void>;
  /** As the superuser. */
  readonly sql: ReturnType<typeof sqlOf>;
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

/** A worker of all tests of a file, or a new one for each. */
export function workerPer(
  scope: 'file' | 'test',
  options: () => Parameters<typeof startWorker>[0] = () => ({}),
): WorkerUnderTest {
  return startedPer(
    scope,
    () => startWorker(options()),
    (worker) => worker.stop(),
  );
}

/** A mailer for a server without encryption on this machine. */
export function mailerTo(port: number): Mailer {
  const from = 'plimsoll@example.org';
  return createMailer({
    host: '127.0.0.1',
    port,
    security: 'none',
    user: null,
    password: null,
    from,
    authorities: null,
  });
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
  const sql = sqlOf(database);
  const routes = createRouteStore(database.as('api'));
  const collector = createEventCollector(own, timingOf);
  const rounds = createNotificationRounds(database.as('scheduler'));
  const attempt = async (deliveryId: string) => {
    const delivery = { attempt: 1, lastAttempt: false, starts: 1, signal: new AbortController().signal };
    await handler({ deliveryId: deliveryId as never }, delivery as never);
  };
  const sealText = (id: string, part: 'url' | 'secret', text: string | undefined) =>
    text === undefined ? null : new Uint8Array(seal(key.publicKey, Buffer.from(text), channelBox(id, part)));
  const addChannel: WorkerUnderTest['addChannel'] = async ({ url, secret, ...fields }) => {
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
  };
  return {
    database,
    channels,
    addChannel,
    async addHost(name, tags = []) {
      const id = newId<HostId>();
      const fields = { onboardingMode: 'manual', displayName: name, hostname: name } as const;
      await createHostStore(database.as('api')).create({ id, ...fields, staleAfterSeconds: 2_400 }, by);
      await sql('UPDATE hosts SET tags = $2 WHERE id = $1', [id, tags]);
      return id;
    },
    async report(age, id) {
      await sql(
        `WITH s AS (UPDATE host_state SET judged_until = '1970-01-01', snapshot_id = '019a0000-0000-7000-8000-000000000000'
           WHERE host_id = coalesce($2, host_id))
         UPDATE host_contacts SET last_confirmed_at = now() - $1::interval WHERE host_id = coalesce($2, host_id)`,
        [age, id],
      );
    },
    sql,
    async addRoute(fields, channelId) {
      const id = newId<RouteId>();
      const route: NewRoute = {
        id,
        channelId: channelId ?? (await addChannel({})),
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
      const values = [event, subject, hostIds, JSON.stringify(data)];
      await sql('SELECT add_notification_event($1, $2, $3::uuid[], $4::jsonb)', values);
      await collector.collect(100);
    },
    collect: () => collector.collect(100),
    look: () => createConditionWatch(own).look(),
    async attemptAll() {
      for (const id of await rounds.due(100)) await attempt(id);
    },
    attempt,
    async advance() {
      await sql(
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
