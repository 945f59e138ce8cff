import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AdvisoryKey,
  groupBy,
  type HostId,
  type NotificationEvent,
  type PackageVersionId,
} from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../database.ts';
import { advisoryData, loadAdvisories } from './finding-notices.ts';
import {
  advisoriesDue,
  advisoriesReachable,
  canBeReachable,
  dueSoonIn,
  type ListMarks,
  nextChangeOf,
  overdueIn,
} from './list-marks.ts';
import {
  addHosts,
  DatedStatements,
  type DueTermsOn,
  type HostsByAdvisory,
  loadDueOn,
  loadMarks,
  type WatchedHost,
} from './watched-hosts.ts';

/** Finds what changed on hosts by time, by their repositories or by judging them again, and puts it into the outbox. */
export interface HostWatch {
  /**
   * Compares the findings of every host with those of the last look, in one transaction; once per minute is enough. Tells
   * nothing of a host that it sees for the first time, and remembers nothing while no route wants these events.
   */
  look(): Promise<{ readonly hosts: number; readonly told: number }>;
}

/** Events about one advisory each, found by comparing finding lists. */
const listEvents = ['finding.overdue', 'finding.due_soon', 'fix.reachable'] as const;
type ListEvent = (typeof listEvents)[number];

/** From this number of advisories on, one event of one look is told without naming them. */
export const mostNamedAdvisories = 50;
/** A host has jumped if it has this many disagreements more, and at least twice as many. */
const jump = 5;
const groupsPerTurn = 500;
const hostsPerWrite = 5_000;

/** The watch of one database. */
export function createHostWatch({ pool }: Database): HostWatch {
  return {
    look: () =>
      inPgTransaction(pool, async (tx) => {
        await tx.query(`SELECT pg_advisory_xact_lock(hashtext('plimsoll notification hosts'))`);
        if (!(await isWanted(tx))) {
          await tx.query('DELETE FROM notification_hosts');
          return { hosts: 0, told: 0 };
        }
        const { rows: hosts } = await tx.query<ChangedHost>(changedHosts);
        const now = hosts[0]?.now.getTime() ?? 0;
        const found = newFound();
        const next = new Map<number, Date | null>();
        const groups = groupsOf(hosts);
        for (let at = 0; at < groups.length; at += groupsPerTurn) {
          await compare(tx, groups.slice(at, at + groupsPerTurn), { now, found, next });
          await nextTurn();
        }
        await remember(tx, hosts, next);
        const told = await tell(tx, found, jumpedHosts(hosts));
        return { hosts: hosts.length, told };
      }),
  };
}

async function isWanted(tx: PgTransaction): Promise<boolean> {
  const { rowCount } = await tx.query(
    'SELECT FROM notification_routes WHERE paused_at IS NULL AND events && $1::text[] LIMIT 1',
    [[...listEvents, 'disagreement.jumped']],
  );
  return rowCount === 1;
}

interface ChangedHost extends WatchedHost {
  readonly disagreements: number;
  /** Null: it is new to the watch. */
  readonly seen: { readonly listId: number; readonly disagreements: number; readonly at: number } | null;
  readonly now: Date;
}

const changedHosts = `SELECT s.host_id AS id, s.snapshot_id AS "snapshotId", s.finding_list_id AS "listId", s.disagreements,
    CASE WHEN m.host_id IS NOT NULL THEN jsonb_build_object('listId', m.list_id, 'disagreements', m.disagreements,
      'at', extract(epoch FROM m.seen_at) * 1000) END AS seen, now() AS now
  FROM host_state s JOIN hosts h ON h.id = s.host_id AND h.approval_status = 'approved'
  LEFT JOIN notification_hosts m ON m.host_id = s.host_id
  WHERE s.finding_list_id IS NOT NULL AND s.snapshot_id IS NOT NULL
    AND (m.host_id IS NULL OR m.list_id <> s.finding_list_id OR m.disagreements <> s.disagreements OR m.next_at <= now())
  ORDER BY s.host_id`;

/** Hosts that had one list, seen at one time, and have another one now. */
interface Group {
  readonly before: { readonly listId: number; readonly at: number } | null;
  readonly listId: number;
  readonly hosts: ChangedHost[];
}

function groupsOf(hosts: readonly ChangedHost[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const host of hosts) {
    const { seen, listId } = host;
    const key = `${seen?.listId ?? ''} ${seen?.at ?? ''} ${listId}`;
    const group = groups.get(key) ?? { before: seen, listId, hosts: [] };
    groups.set(key, group);
    group.hosts.push(host);
  }
  return [...groups.values()];
}

type Found = Readonly<Record<ListEvent, HostsByAdvisory>>;

function newFound(): Found {
  return { 'finding.overdue': new Map(), 'finding.due_soon': new Map(), 'fix.reachable': new Map() };
}

interface Comparison {
  readonly now: number;
  readonly found: Found;
  /** When each list is to be looked at again. */
  readonly next: Map<number, Date | null>;
}

/** What changed between two lists, by package version. */
interface Difference {
  readonly group: Group;
  readonly before: ListMarks;
  readonly after: ListMarks;
  readonly due: Readonly<Record<'finding.overdue' | 'finding.due_soon', readonly PackageVersionId[]>>;
  readonly reachable: readonly PackageVersionId[];
}

async function compare(
  tx: PgTransaction,
  groups: readonly Group[],
  { now, found, next }: Comparison,
): Promise<void> {
  const marks = await loadMarks(
    tx,
    groups.flatMap(({ before, listId }) => [listId, ...(before === null ? [] : [before.listId])]),
  );
  const differences: Difference[] = [];
  for (const group of groups) {
    const after = marks.get(group.listId) ?? new Map();
    const at = nextChangeOf(after, now);
    next.set(group.listId, at === null ? null : new Date(at));
    const before = group.before === null ? undefined : marks.get(group.before.listId);
    if (group.before !== null && before !== undefined)
      differences.push(differenceOf(group, { before, after, seenAt: group.before.at, now }));
  }
  const changed = differences.filter(
    ({ due, reachable }) =>
      due['finding.overdue'].length + due['finding.due_soon'].length + reachable.length > 0,
  );
  const statements = new DatedStatements();
  await statements.load(
    tx,
    changed.flatMap(({ due, reachable }) => [
      ...due['finding.overdue'],
      ...due['finding.due_soon'],
      ...reachable,
    ]),
  );
  const terms = await loadDueOn(
    tx,
    changed.flatMap(({ group }) => group.hosts),
  );
  for (const difference of changed) await name(difference, { statements, terms, found });
}

function differenceOf(
  group: Group,
  { before, after, seenAt, now }: { before: ListMarks; after: ListMarks; seenAt: number; now: number },
): Difference {
  const [overdue, wasOverdue] = [overdueIn(after, now), overdueIn(before, seenAt)];
  const [soon, wasSoon] = [dueSoonIn(after, now), dueSoonIn(before, seenAt)];
  return {
    group,
    before,
    after,
    due: {
      'finding.overdue': [...overdue].filter((id) => !wasOverdue.has(id)),
      'finding.due_soon': [...soon].filter((id) => !wasSoon.has(id) && !wasOverdue.has(id)),
    },
    reachable: [...after].flatMap(([id, entry]) => {
      const earlier = before.get(id);
      return earlier !== undefined && canBeReachable(earlier, entry) ? [id] : [];
    }),
  };
}

/** Finds the advisories that a difference is about. */
async function name(
  { group, before, after, due, reachable }: Difference,
  {
    statements,
    terms,
    found,
  }: { readonly statements: DatedStatements; readonly terms: DueTermsOn; readonly found: Found },
): Promise<void> {
  const all = group.hosts.map(({ id }) => id);
  for (const id of reachable) {
    const [earlier, entry] = [before.get(id), after.get(id)];
    if (earlier !== undefined && entry !== undefined)
      addHosts(found['fix.reachable'], advisoriesReachable(earlier, entry, statements.of(id)), all);
  }
  const alike = groupBy(group.hosts, (host) => terms.keyOf(host));
  for (const hosts of alike.values()) {
    const [first] = hosts;
    const on = first === undefined ? null : await terms.of(first);
    if (on === null) continue;
    const ids = hosts.map(({ id }) => id);
    for (const event of ['finding.overdue', 'finding.due_soon'] as const)
      for (const id of due[event]) {
        const entry = after.get(id);
        if (entry !== undefined) addHosts(found[event], advisoriesDue(entry, statements.of(id), on), ids);
      }
  }
}

function jumpedHosts(hosts: readonly ChangedHost[]): readonly HostId[] {
  return hosts.flatMap(({ id, disagreements, seen }) =>
    seen !== null && disagreements >= seen.disagreements + jump && disagreements >= 2 * seen.disagreements
      ? [id]
      : [],
  );
}

async function remember(
  tx: PgTransaction,
  hosts: readonly ChangedHost[],
  next: ReadonlyMap<number, Date | null>,
): Promise<void> {
  for (let at = 0; at < hosts.length; at += hostsPerWrite) {
    const some = hosts.slice(at, at + hostsPerWrite);
    await tx.query(
      `INSERT INTO notification_hosts (host_id, list_id, disagreements, next_at, seen_at)
       SELECT n.*, now() FROM unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[]) AS n
       ON CONFLICT (host_id) DO UPDATE SET list_id = excluded.list_id, disagreements = excluded.disagreements,
         next_at = excluded.next_at, seen_at = excluded.seen_at`,
      [
        some.map(({ id }) => id),
        some.map(({ listId }) => listId),
        some.map(({ disagreements }) => disagreements),
        some.map(({ listId }) => next.get(listId) ?? null),
      ],
    );
  }
}

/** Puts what was found into the outbox: one event per advisory, or one for all of them if they are many. */
async function tell(tx: PgTransaction, found: Found, jumped: readonly HostId[]): Promise<number> {
  let told = 0;
  for (const event of listEvents) {
    const byAdvisory = found[event];
    if (byAdvisory.size > mostNamedAdvisories) {
      const hosts = new Set([...byAdvisory.values()].flatMap((some) => [...some]));
      await add(tx, { event, subject: '', hosts: [...hosts], data: {} });
      told += 1;
      continue;
    }
    told += await tellAdvisories(tx, event, byAdvisory);
  }
  if (jumped.length === 0) return told;
  await add(tx, { event: 'disagreement.jumped', subject: '', hosts: jumped, data: {} });
  return told + 1;
}

async function tellAdvisories(
  tx: PgTransaction,
  event: ListEvent,
  byAdvisory: HostsByAdvisory,
): Promise<number> {
  const keys: readonly AdvisoryKey[] = [...byAdvisory.keys()];
  if (keys.length === 0) return 0;
  const advisories = await loadAdvisories(tx, keys);
  for (const advisory of advisories)
    await add(tx, {
      event,
      subject: advisory.externalId,
      hosts: [...(byAdvisory.get(advisory.id) ?? [])],
      data: { advisory: advisoryData(advisory), severity: advisory.severity },
    });
  return advisories.length;
}

async function add(
  tx: PgTransaction,
  event: {
    readonly event: NotificationEvent;
    readonly subject: string;
    readonly hosts: readonly HostId[];
    readonly data: object;
  },
): Promise<void> {
  await tx.query('SELECT add_notification_event($1, $2, $3::uuid[], $4::jsonb)', [
    event.event,
    event.subject,
    event.hosts,
    JSON.stringify(event.data),
  ]);
}
