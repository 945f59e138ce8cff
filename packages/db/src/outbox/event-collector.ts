import {
  compareSeverity,
  type DeliveryId,
  type DeliveryKind,
  fleetEvents,
  type HostScope,
  isInScope,
} from '@plimsoll/model';
import { type Database, inPgTransaction, newId, type PgTransaction } from '../core/database.ts';
import { latestTime } from '../core/has-come.ts';
import { scopeOfRow } from '../people/change-user.ts';
import { addItems, type DeliveryItem, mostHosts, parseItems } from './delivery-items.ts';
import { loadNotices } from './load-notices.ts';
import type { Notice, OutboxRow } from './notice.ts';
import {
  type BegunRow,
  beginRows,
  type FailedEvent,
  mostStarts,
  noteFailure,
  startsInCompany,
} from './outbox.ts';
import { parseDigest, parseQuietHours } from './route-schedule.ts';
import type { Route } from './routes.ts';

/** When an event is told: alone, or with others in one message at a time that they share. */
export type Timing =
  | { readonly kind: 'alone'; readonly at: Date }
  | { readonly kind: 'digest' | 'summary'; readonly at: Date };

/** The part of a route that decides about time. */
export type RouteSchedule = Pick<Route, 'delayMinutes' | 'digest' | 'quietHours'>;

/** What became of rows of the outbox. */
export interface CollectedEvents {
  /** The number of events whose deliveries are written. */
  readonly taken: number;
  readonly failed: readonly FailedEvent[];
}

/** Writes deliveries for what is in the outbox. */
export interface EventCollector {
  /**
   * Takes at most `most` events, the oldest first, and writes their deliveries in one transaction. Of a route with many
   * messages in a short time, the later events share one. A row that fails is kept for later, and the others are taken
   * without it; a row that ended the process several times is begun alone. Several may run at once.
   */
  collect(most: number): Promise<CollectedEvents>;
}

/** Messages of one event that a route sends within `stormMs`; further events wait and share a message. */
export const mostAlone = 10;
const stormMinutes = 10;
/** How long events of a storm are gathered. */
const gatherMs = 5 * 60_000;
/** How long an advisory that was told is no news if further hosts get it; they are told together. */
const toldHours = 24;
const gatherToldMs = 60 * 60_000;

/** The outbox of one database. `timingOf` gets the database's time. */
export function createEventCollector(
  { pool }: Database,
  timingOf: (route: RouteSchedule, now: Date) => Timing,
): EventCollector {
  const write = (ids: readonly string[]) =>
    inPgTransaction(pool, async (tx) => {
      const { rows } = await tx.query<OutboxRow>(
        `SELECT id, event, subject, host_ids AS "hostIds", data, at FROM notification_events
         WHERE id = ANY($1::uuid[]) AND taken_at IS NULL ORDER BY n FOR UPDATE SKIP LOCKED`,
        [ids],
      );
      if (rows.length === 0) return 0;
      const routes = await loadRoutes(tx);
      const notices = routes.length === 0 ? [] : await loadNotices(tx, rows);
      const now = await timeOf(tx);
      for (const route of routes) await writeFor(tx, route, notices, { now, timingOf });
      await tx.query(
        `UPDATE notification_events SET taken_at = now(), error = NULL, next_try_at = NULL WHERE id = ANY($1::uuid[])`,
        [rows.map(({ id }) => id)],
      );
      return rows.length;
    });
  /** Halves what fails until the failing rows are alone. Without a database, noting the first of them fails, too. */
  const writeAll = async (rows: readonly BegunRow[]): Promise<CollectedEvents> => {
    const [first] = rows;
    if (first === undefined) return { taken: 0, failed: [] };
    try {
      return { taken: await write(rows.map(({ id }) => id)), failed: [] };
    } catch (error) {
      if (rows.length === 1) return { taken: 0, failed: [await noteFailure(pool, first, error)] };
      const middle = rows.length >>> 1;
      return joined([await writeAll(rows.slice(0, middle)), await writeAll(rows.slice(middle))]);
    }
  };
  const writeOne = async (row: BegunRow): Promise<CollectedEvents> =>
    row.starts > mostStarts
      ? {
          taken: 0,
          failed: [
            await noteFailure(pool, row, new Error('Collecting it was begun too often without an end.')),
          ],
        }
      : writeAll([row]);
  return {
    async collect(most) {
      const rows = await beginRows(pool, most);
      const results = [await writeAll(rows.filter(({ starts }) => starts <= startsInCompany))];
      for (const row of rows) if (row.starts > startsInCompany) results.push(await writeOne(row));
      return joined(results);
    },
  };
}

function joined(results: readonly CollectedEvents[]): CollectedEvents {
  return {
    taken: results.reduce((sum, { taken }) => sum + taken, 0),
    failed: results.flatMap(({ failed }) => failed),
  };
}

interface ActiveRoute extends Pick<Route, 'id' | 'channelId' | 'name' | 'events' | 'minSeverity' | 'tags'> {
  readonly delayMinutes: number;
  readonly digest: unknown;
  readonly quietHours: unknown;
  readonly channelName: string;
  readonly channelKind: string;
  readonly isLimited: boolean;
  readonly channelTags: string[];
}

async function loadRoutes(tx: PgTransaction): Promise<readonly ActiveRoute[]> {
  const { rows } = await tx.query<ActiveRoute>(
    `SELECT r.id, r.channel_id AS "channelId", r.name, r.events, r.min_severity AS "minSeverity", r.tags,
            r.delay_minutes AS "delayMinutes", r.digest, r.quiet_hours AS "quietHours", c.name AS "channelName",
            c.kind AS "channelKind", c.is_limited AS "isLimited", c.tags AS "channelTags"
     FROM notification_routes r JOIN notification_channels c ON c.id = r.channel_id
     WHERE r.paused_at IS NULL AND c.paused_at IS NULL ORDER BY r.id`,
  );
  return rows;
}

async function timeOf(tx: PgTransaction): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>('SELECT now()');
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}

/** What a route's receiver may know of the notices that it wants. */
function itemsFor(
  route: ActiveRoute,
  notices: readonly Notice[],
): readonly (DeliveryItem & { isFromHosts: boolean })[] {
  const scope = scopeOfRow({ isLimited: route.isLimited, tags: route.channelTags });
  return notices.flatMap((notice) => {
    const event = notice.events.find((name) => route.events.includes(name));
    if (event === undefined || isBelow(route, notice)) return [];
    if (scope.kind === 'tagged' && fleetEvents.includes(event)) return [];
    const hosts = notice.hosts?.filter((host) => isWanted(route, scope, host.tags)) ?? null;
    if (hosts !== null && hosts.length === 0) return [];
    return [
      {
        id: notice.id,
        event,
        subject: notice.subject,
        at: notice.at.toISOString(),
        severity: notice.severity,
        hosts: hosts?.slice(0, mostHosts).map(({ id, name }) => ({ id, display_name: name })) ?? null,
        host_count: hosts?.length ?? 0,
        data: { ...notice.data },
        isFromHosts: notice.isFromHosts,
      },
    ];
  });
}

function isBelow({ minSeverity }: ActiveRoute, { severity }: Notice): boolean {
  return minSeverity !== null && severity !== null && compareSeverity(severity, minSeverity) > 0;
}

function isWanted(route: ActiveRoute, scope: HostScope, tags: readonly string[]): boolean {
  return isInScope(scope, tags) && (route.tags.length === 0 || route.tags.some((tag) => tags.includes(tag)));
}

interface Times {
  readonly now: Date;
  readonly timingOf: (route: RouteSchedule, now: Date) => Timing;
}

async function writeFor(
  tx: PgTransaction,
  route: ActiveRoute,
  notices: readonly Notice[],
  { now, timingOf }: Times,
): Promise<void> {
  const items = itemsFor(route, notices);
  if (items.length === 0) return;
  const schedule = {
    delayMinutes: route.delayMinutes,
    digest: parseDigest(route.digest),
    quietHours: parseQuietHours(route.quietHours),
  };
  const timing = timingOf(schedule, now);
  if (timing.kind !== 'alone') {
    await group(tx, route, timing.kind, timing.at, items);
    return;
  }
  const told = items.some(({ isFromHosts }) => isFromHosts) ? await toldLately(tx, route) : new Set<string>();
  const again = items.filter((item) => item.isFromHosts && told.has(newsKey(item)));
  const fresh = items.filter((item) => !again.includes(item));
  const room = fresh.length === 0 ? 0 : mostAlone - (await countLately(tx, route));
  const alone =
    fresh.length <= room ? fresh : fresh.slice(0, Math.max(0, fresh.length > mostAlone ? 0 : room));
  for (const item of alone) await insert(tx, route, item.event, timing.at, [item]);
  const rest = fresh.slice(alone.length);
  // So many at once have one cause: told at once, together.
  const isBurst = rest.length === fresh.length && rest.length > mostAlone;
  if (rest.length > 0)
    await group(tx, route, 'summary', isBurst ? timing.at : new Date(timing.at.getTime() + gatherMs), rest);
  if (again.length > 0)
    await group(tx, route, 'summary', new Date(timing.at.getTime() + gatherToldMs), again);
}

/** An advisory that was told as one event is news as another. */
function newsKey({ event, subject }: Pick<DeliveryItem, 'event' | 'subject'>): string {
  return `${event} ${subject}`;
}

/** What the route told, or is about to tell, as `newsKey`. */
async function toldLately(tx: PgTransaction, route: ActiveRoute): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<Pick<DeliveryItem, 'event' | 'subject'>>(
    `SELECT DISTINCT e ->> 'event' AS event, e ->> 'subject' AS subject FROM notification_deliveries d, jsonb_array_elements(d.items -> 'events') e
     WHERE d.route_id = $1 AND d.created_at BETWEEN now() - make_interval(hours => $2) AND ${latestTime} AND d.state <> 'cancelled'`,
    [route.id, toldHours],
  );
  return new Set(rows.map(newsKey));
}

async function countLately(tx: PgTransaction, route: ActiveRoute): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM notification_deliveries
     WHERE route_id = $1 AND created_at BETWEEN now() - make_interval(mins => $2) AND ${latestTime} AND event NOT IN ('digest', 'summary')`,
    [route.id, stormMinutes],
  );
  return rows[0]?.n ?? 0;
}

/** Adds events to the route's waiting message of this kind that is due by then, or writes a new one. */
async function group(
  tx: PgTransaction,
  route: ActiveRoute,
  kind: 'digest' | 'summary',
  at: Date,
  added: readonly DeliveryItem[],
): Promise<void> {
  const { rows } = await tx.query<{ id: string; items: unknown }>(
    `SELECT id, items FROM notification_deliveries
     WHERE route_id = $1 AND event = $2 AND state = 'waiting' AND attempts = 0 AND due_at > now() AND due_at <= $3
     ORDER BY due_at LIMIT 1 FOR UPDATE`,
    [route.id, kind, at],
  );
  const [open] = rows;
  if (open === undefined) {
    await insert(tx, route, kind, at, added);
    return;
  }
  await tx.query('UPDATE notification_deliveries SET items = $2 WHERE id = $1', [
    open.id,
    JSON.stringify(addItems(parseItems(open.items), added.map(stored))),
  ]);
}

async function insert(
  tx: PgTransaction,
  route: ActiveRoute,
  event: DeliveryKind,
  at: Date,
  items: readonly DeliveryItem[],
): Promise<void> {
  await tx.query(
    `INSERT INTO notification_deliveries (id, channel_id, route_id, channel_name, channel_kind, route_name, is_limited,
       tags, event, state, items, due_at, next_attempt_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting', $10, $11, $11)`,
    [
      newId<DeliveryId>(),
      route.channelId,
      route.id,
      route.channelName,
      route.channelKind,
      route.name,
      route.isLimited,
      route.channelTags,
      event,
      JSON.stringify(addItems({ events: [], omitted: 0 }, items.map(stored))),
      at,
    ],
  );
}

function stored({ id, event, subject, at, severity, hosts, host_count, data }: DeliveryItem): DeliveryItem {
  return { id, event, subject, at, severity, hosts, host_count, data };
}
