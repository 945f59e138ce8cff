import { channelKinds, deliveryStates, notificationEvents, severities } from '@plimsoll/model';
import { z } from 'zod';
import { count, hostTags, id, text, timestamp } from './field-types.ts';
import { localTime, timeZone } from './local-time.ts';
import { parseEmail } from './user.ts';

/** The most e-mail addresses of a channel. */
const mostAddresses = 20;
const longestUrl = 2000;

const channelFields = {
  id,
  name: z.string(),
  kind: z.enum(channelKinds),
  url: z.string().nullable().describe('Only its origin: the rest may give access. Null for e-mail.'),
  addresses: z.array(z.string()).describe('E-mail addresses; empty for other kinds.'),
  unconfirmed: z
    .array(z.string())
    .describe('Those of the addresses that have not confirmed themselves: nothing else is sent to them.'),
  has_secret: z.boolean(),
  previous_secret_until: timestamp
    .nullable()
    .describe(
      'Until then webhooks are signed with the secret before the newest one, too; null: they are not.',
    ),
  paused: z.boolean().describe('Nothing is sent, and nothing is kept for later.'),
  tags: z
    .array(z.string())
    .nullable()
    .describe('It is only told about hosts with at least one of these. Null: about every host.'),
  created_by: z.string(),
  created_at: timestamp,
};

/** A channel; its secret is never in an answer. */
export const channelSchema = z.strictObject(channelFields).meta({ id: 'Channel' });

export type Channel = z.output<typeof channelSchema>;

const channelUrl = z
  .string()
  .max(longestUrl)
  .refine((value) => isChannelUrl(value), {
    error: 'must be an address with https:// or http://, without user name, password and fragment',
  });

function isChannelUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '' && hash === '';
}

const emailAddress = text(1, 254).refine((value) => parseEmail(value) !== null, {
  error: 'must be an e-mail address',
});
const addresses = z
  .array(emailAddress)
  .min(1)
  .max(mostAddresses)
  .transform((list) => [...new Set(list)]);
const secret = text(16, 500).describe(
  'Of a webhook: the key of its signature. Of ntfy: an access token. Admins only.',
);

/** A request for a new channel: `url`, or `addresses` for e-mail. */
export const newChannelSchema = z
  .strictObject({
    name: text(1, 100),
    kind: z.enum(channelKinds),
    url: channelUrl.optional(),
    addresses: addresses.optional(),
    secret: secret.optional(),
    tags: hostTags.nullable().default(null).describe("Hosts that it may be told about. Null: the caller's."),
  })
  .superRefine(({ kind, url, addresses: to, secret: key }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (kind === 'email') {
      if (to === undefined) fault('addresses', 'is required for e-mail');
      if (url !== undefined) fault('url', 'is not for e-mail');
    } else {
      if (url === undefined) fault('url', 'is required for this kind');
      if (to !== undefined) fault('addresses', 'are for e-mail only');
    }
    if (key !== undefined && kind !== 'webhook' && kind !== 'ntfy')
      fault('secret', 'is for webhook and ntfy only: the address itself gives access');
    if (
      kind === 'ntfy' &&
      url !== undefined &&
      URL.canParse(url) &&
      !/\/[\w-]{1,64}\/?$/.test(new URL(url).pathname)
    )
      fault('url', 'must end in the name of a topic');
  });

/** A change of a channel; omitted fields stay. */
export const channelChangesSchema = z.strictObject({
  name: text(1, 100).optional(),
  url: channelUrl.optional(),
  addresses: addresses.optional(),
  secret: secret
    .nullable()
    .optional()
    .describe('Replaces the secret; the one before signs too for a day. Null removes it. Admins only.'),
  paused: z.boolean().optional(),
});

const digest = z
  .strictObject({ every: z.enum(['day', 'week']), at: localTime, time_zone: timeZone })
  .describe('All events of a day in one message at a local time; of a week, on Mondays.');
const quietHours = z
  .strictObject({ from: localTime, to: localTime, time_zone: timeZone })
  .refine(({ from, to }) => from !== to, { error: 'must not begin and end at the same time' })
  .describe('Events in this time are told in one message at its end. It may go past midnight.');

const routeFields = {
  name: text(1, 100),
  events: z
    .array(z.enum(notificationEvents))
    .min(1)
    .transform((events) => [...new Set(events)]),
  min_severity: z
    .enum(severities)
    .exclude(['none'])
    .nullable()
    .describe('Of findings: this severity and worse ones. Null: any. Other events have no severity.'),
  tags: hostTags.describe('Only about hosts with one of these; empty: about every host of the channel.'),
  delay_minutes: z
    .int()
    .min(0)
    .max(7 * 24 * 60)
    .describe('An event that is over by then is not told.'),
  digest: digest.nullable(),
  quiet_hours: quietHours.nullable(),
};

/** The token of a mail that asks an address to confirm itself. */
export const confirmAddressSchema = z.strictObject({ token: text(1, 100) });

/** A route. */
export const routeSchema = z
  .strictObject({
    id,
    channel_id: id,
    ...routeFields,
    name: z.string(),
    events: z.array(z.enum(notificationEvents)),
    tags: z.array(z.string()),
    digest: z
      .strictObject({ every: z.enum(['day', 'week']), at: z.string(), time_zone: z.string() })
      .nullable(),
    quiet_hours: z.strictObject({ from: z.string(), to: z.string(), time_zone: z.string() }).nullable(),
    paused: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: 'Route' });

export type Route = z.output<typeof routeSchema>;

/** A request for a new route. */
export const newRouteSchema = z.strictObject({
  ...routeFields,
  channel_id: id,
  min_severity: routeFields.min_severity.default(null),
  tags: routeFields.tags.default([]),
  delay_minutes: routeFields.delay_minutes.default(0),
  digest: routeFields.digest.default(null),
  quiet_hours: routeFields.quiet_hours.default(null),
});

/** A change of a route; omitted fields stay. */
export const routeChangesSchema = z.strictObject({
  name: routeFields.name.optional(),
  events: routeFields.events.optional(),
  min_severity: routeFields.min_severity.optional(),
  tags: routeFields.tags.optional(),
  delay_minutes: routeFields.delay_minutes.optional(),
  digest: routeFields.digest.optional(),
  quiet_hours: routeFields.quiet_hours.optional(),
  paused: z.boolean().optional(),
});

/** Kinds of deliveries: an event, or several events in one message, or a test. */
export const deliveryKinds = [
  ...notificationEvents,
  'digest',
  'summary',
  'bulletin',
  'test',
  'confirmation',
] as const;

/** One message to one channel. */
export const deliverySchema = z
  .strictObject({
    id: id.describe('Also the header Plimsoll-Delivery of webhooks, and in the Message-ID of e-mail.'),
    channel_id: id.nullable().describe('Null: the channel was deleted.'),
    channel_name: z.string(),
    channel_kind: z.enum(channelKinds),
    route_name: z.string().describe('Empty for a test.'),
    event: z
      .enum(deliveryKinds)
      .describe(
        '`digest`, `summary` (many events at once, or quiet hours), `bulletin` (a report by mail), `test` or `confirmation` (requests to addresses to confirm themselves) if it is no single event.',
      ),
    events: z
      .array(
        z.strictObject({
          id,
          event: z.enum(notificationEvents),
          subject: z.string(),
          at: timestamp,
          host_count: count,
        }),
      )
      .describe('What it is about.'),
    omitted: count.describe('Further events that it only counts.'),
    state: z.enum(deliveryStates),
    created_at: timestamp,
    due_at: timestamp.describe('When its first attempt is due.'),
    next_attempt_at: timestamp.nullable().describe('Null: it has ended.'),
    ended_at: timestamp.nullable(),
    end_reason: z.string().nullable().describe('Why it was cancelled or given up.'),
    attempts: z.array(
      z.strictObject({
        n: count,
        started_at: timestamp,
        ended_at: timestamp.nullable(),
        outcome: z.enum(['accepted', 'failed']).nullable().describe('Null: it runs, or its process died.'),
        status: z.int().nullable().describe('Of HTTP or SMTP; null without an answer.'),
        error: z.string().nullable().describe('What failed and what to do.'),
      }),
    ),
  })
  .meta({ id: 'Delivery' });

/** An event that could not be turned into messages. */
export const failedEventSchema = z
  .strictObject({
    id,
    event: z.string(),
    at: timestamp,
    starts: count.describe('How often writing its messages was begun.'),
    error: z.string().describe('Why it failed at last.'),
    next_try_at: timestamp.nullable().describe('Null: it was given up.'),
    failed_at: timestamp.nullable().describe('When it was given up.'),
  })
  .meta({ id: 'FailedEvent' });

export type FailedEvent = z.output<typeof failedEventSchema>;

export type Delivery = z.output<typeof deliverySchema>;
