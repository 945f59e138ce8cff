import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AdvisoryKey,
  groupBy,
  type HostId,
  type NotificationEvent,
  type PackageVersionId,
} from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../core/database.ts';
import { latestTime } from '../core/has-come.ts';
import { rowTable } from '../core/row-table.ts';
import { type AdvisoryDates, AdvisoryDatesReader, firstAfter } from './advisory-dates.ts';
import { advisoryData, loadAdvisories } from './finding-notices.ts';
import {
  advisoriesReachable,
  canBeReachable,
  type DueOn,
  dueSoonMs,
  type ListMarks,
  nearIn,
  nextNear,
} from './list-marks.ts';
import {
  addHosts,
  DatedStatements,
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
        const forensic = new Set<AdvisoryKey>();
        const next = new Map<HostId, Date>();
        const statements = new DatedStatements();
        const dates = new AdvisoryDatesReader();
        const groups = groupsOf(hosts);
        for (let at = 0; at < groups.length; at += groupsPerTurn) {
          await compare(tx, groups.slice(at, at + groupsPerTurn), {
            now,
            found,
            forensic,
            next,
            statements,
            dates,
          });
          await nextTurn();
        }
        await remember(tx, hosts, next);
        const told = await tell(tx, { found, forensic }, jumpedHosts(hosts));
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
      'at', extract(epoch FROM least(m.seen_at, now())) * 1000) END AS seen, now() AS now
  FROM host_state s JOIN hosts h ON h.id = s.host_id AND h.approval_status = 'approved'
  LEFT JOIN notification_hosts m ON m.host_id = s.host_id
  WHERE s.finding_list_id IS NOT NULL AND s.snapshot_id IS NOT NULL
    AND (m.host_id IS NULL OR m.list_id <> s.finding_list_id OR m.disagreements <> s.disagreements OR m.next_at <= now()
      -- Seen while the clock was ahead.
      OR m.seen_at > ${latestTime})
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
  /** The advisories among them for which the due dates of a host ask for forensics. */
  readonly forensic: Set<AdvisoryKey>;
  /** When each host is to be looked at again; a host without a time is not. */
  readonly next: Map<HostId, Date>;
  readonly statements: DatedStatements;
  readonly dates: AdvisoryDatesReader;
}

/** Two lists of a group, and their package versions that matter. */
interface Difference {
  readonly group: Group;
  /** Null: the group is new to the watch, or its earlier list is deleted. */
  readonly before: {
    readonly marks: ListMarks;
    readonly at: number;
    readonly near: readonly PackageVersionId[];
  } | null;
  readonly after: ListMarks;
  readonly near: readonly PackageVersionId[];
  readonly reachable: readonly PackageVersionId[];
}

async function compare(tx: PgTransaction, groups: readonly Group[], comparison: Comparison): Promise<void> {
  const { now, statements } = comparison;
  const marks = await loadMarks(
    tx,
    groups.flatMap(({ before, listId }) => [listId, ...(before === null ? [] : [before.listId])]),
  );
  const differences = groups.map((group) => differenceOf(group, marks, now));
  await statements.load(
    tx,
    differences.flatMap(({ before, near, reachable }) => [...near, ...reachable, ...(before?.near ?? [])]),
  );
  const terms = await loadDueOn(
    tx,
    groups.flatMap(({ hosts }) => hosts),
  );
  const alike = differences.flatMap((difference) =>
    [...groupBy(difference.group.hosts, (host) => terms.keyOf(host)).values()].flatMap((hosts) => {
      const [first] = hosts;
      return first === undefined ? [] : [{ difference, hosts, first }];
    }),
  );
  const dated = alike.filter(({ difference }) => difference.near.length > 0);
  const termsOf = await terms.of(dated.map(({ first }) => first));
  for (const { difference, hosts, first } of alike)
    nameDue(difference, { hosts: hosts.map(({ id }) => id), on: termsOf(first) }, comparison);
  for (const difference of differences) nameReachable(difference, comparison);
}

function differenceOf(group: Group, marks: ReadonlyMap<number, ListMarks>, now: number): Difference {
  const after: ListMarks = marks.get(group.listId) ?? new Map();
  const earlier = group.before === null ? undefined : marks.get(group.before.listId);
  const before =
    group.before === null || earlier === undefined
      ? null
      : { marks: earlier, at: group.before.at, near: nearIn(earlier, group.before.at) };
  const reachable = [...after].flatMap(([id, entry]) => {
    const was = earlier?.get(id);
    return was !== undefined && canBeReachable(was, entry) ? [id] : [];
  });
  return { group, before, after, near: nearIn(after, now), reachable };
}

/** Finds the advisories that became due soon or overdue on hosts, and when the next one does. */
function nameDue(
  { before, after, near }: Difference,
  { hosts, on }: { readonly hosts: readonly HostId[]; readonly on: DueOn | null },
  { now, found, forensic, next, statements, dates }: Comparison,
): void {
  const datesOf = (marks: ListMarks, ids: readonly PackageVersionId[]): readonly AdvisoryDates[] =>
    on === null
      ? []
      : ids.flatMap((id) => {
          const entry = marks.get(id);
          return entry === undefined ? [] : dates.of(entry, statements.of(id), on);
        });
  const present = datesOf(after, near);
  const nextAt = present.reduce(
    (earliest, { times }) =>
      Math.min(earliest, firstAfter(times, now), firstAfter(times, now + dueSoonMs) - dueSoonMs),
    nextNear(after, now),
  );
  if (Number.isFinite(nextAt)) for (const id of hosts) next.set(id, new Date(nextAt));
  if (before === null) return;
  const earlier = datesOf(before.marks, before.near);
  const overdue = dueSince({ present, earlier }, now, before.at);
  const soon = dueSince({ present, earlier }, now + dueSoonMs, before.at + dueSoonMs);
  const isOverdue = (advisory: AdvisoryKey) => isDueIn(present, advisory, now);
  for (const advisory of [...overdue, ...soon])
    if (present.some((one) => one.forensic.has(advisory))) forensic.add(advisory);
  addHosts(found['finding.overdue'], overdue, hosts);
  addHosts(
    found['finding.due_soon'],
    soon.filter((advisory) => !isOverdue(advisory)),
    hosts,
  );
}

/** The advisories that are due by a time, and by an earlier time were not by earlier dates. */
function dueSince(
  {
    present,
    earlier,
  }: { readonly present: readonly AdvisoryDates[]; readonly earlier: readonly AdvisoryDates[] },
  until: number,
  untilEarlier: number,
): readonly AdvisoryKey[] {
  const same = new Set(earlier);
  const due = new Set(
    present.flatMap((dates) => {
      // Most versions have the dates that they had, and none of these came.
      if (same.has(dates) && firstAfter(dates.times, untilEarlier) > until) return [];
      return [...dates.at].flatMap(([advisory, at]) => (at <= until ? [advisory] : []));
    }),
  );
  return [...due].filter((advisory) => !isDueIn(earlier, advisory, untilEarlier));
}

function isDueIn(all: readonly AdvisoryDates[], advisory: AdvisoryKey, until: number): boolean {
  return all.some(({ at }) => (at.get(advisory) ?? Number.POSITIVE_INFINITY) <= until);
}

/** Finds the advisories whose fix hosts can install and could not before. */
function nameReachable(
  { group, before, after, reachable }: Difference,
  { found, statements }: Comparison,
): void {
  const hosts = group.hosts.map(({ id }) => id);
  for (const id of reachable) {
    const [earlier, entry] = [before?.marks.get(id), after.get(id)];
    if (earlier !== undefined && entry !== undefined)
      addHosts(found['fix.reachable'], advisoriesReachable(earlier, entry, statements.of(id)), hosts);
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
  next: ReadonlyMap<HostId, Date>,
): Promise<void> {
  for (let at = 0; at < hosts.length; at += hostsPerWrite) {
    const { table, values } = rowTable(
      'id uuid, list_id int, disagreements int, next_at timestamptz?',
      hosts.slice(at, at + hostsPerWrite).map((host) => ({ nextAt: next.get(host.id) ?? null, ...host })),
    );
    await tx.query(
      `INSERT INTO notification_hosts (host_id, list_id, disagreements, next_at, seen_at)
       SELECT n.*, now() FROM ${table} n
       ON CONFLICT (host_id) DO UPDATE SET list_id = excluded.list_id, disagreements = excluded.disagreements,
         next_at = excluded.next_at, seen_at = excluded.seen_at`,
      values,
    );
  }
}

/** Puts what was found into the outbox: one event per advisory, or one for all of them if they are many. */
async function tell(
  tx: PgTransaction,
  { found, forensic }: Pick<Comparison, 'found' | 'forensic'>,
  jumped: readonly HostId[],
): Promise<number> {
  let told = 0;
  for (const event of listEvents) {
    const byAdvisory = found[event];
    if (byAdvisory.size > mostNamedAdvisories) {
      const hosts = new Set([...byAdvisory.values()].flatMap((some) => [...some]));
      const data = forensicsIn(event, [...byAdvisory.keys()], forensic);
      await add(tx, { event, subject: '', hosts: [...hosts], data });
      told += 1;
      continue;
    }
    told += await tellAdvisories(tx, event, byAdvisory, forensic);
  }
  if (jumped.length === 0) return told;
  await add(tx, { event: 'disagreement.jumped', subject: '', hosts: jumped, data: {} });
  return told + 1;
}

async function tellAdvisories(
  tx: PgTransaction,
  event: ListEvent,
  byAdvisory: HostsByAdvisory,
  forensic: ReadonlySet<AdvisoryKey>,
): Promise<number> {
  const keys: readonly AdvisoryKey[] = [...byAdvisory.keys()];
  if (keys.length === 0) return 0;
  const advisories = await loadAdvisories(tx, keys);
  for (const advisory of advisories)
    await add(tx, {
      event,
      subject: advisory.externalId,
      hosts: [...(byAdvisory.get(advisory.id) ?? [])],
      data: {
        advisory: advisoryData(advisory),
        severity: advisory.severity,
        ...forensicsIn(event, [advisory.id], forensic),
      },
    });
  return advisories.length;
}

/** Of an event about due dates: whether they ask for forensics for any of its advisories. */
function forensicsIn(
  event: ListEvent,
  advisories: readonly AdvisoryKey[],
  forensic: ReadonlySet<AdvisoryKey>,
): { readonly forensics?: true } {
  if (event === 'fix.reachable' || !advisories.some((id) => forensic.has(id))) return {};
  return { forensics: true };
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
