import type { DuePolicy } from '@plimsoll/advisories';
import type { HostId, PackageVersionId, Release, UploadId } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot } from '../../core/database.ts';
import { readFindingList } from './finding-list.ts';
import { createHostCounter, type HostCounter } from './host-counter.ts';

/** What a policy would change of something that is overdue or not. */
export interface DueFlow {
  readonly now: number;
  readonly after: number;
  /** Overdue by the policy and not now. */
  readonly become: number;
  /** Overdue now and not by the policy. */
  readonly stop: number;
}

/** What a policy of due dates would change if it were put in force. */
export interface DuePreview {
  /** Approved hosts with a counted report. */
  readonly fleet: number;
  /** Those of them that were counted by the policy. Fewer than all: the numbers below are estimates for all. */
  readonly compared: number;
  readonly hosts: DueFlow;
  readonly findings: DueFlow;
}

/** Counts hosts by policies that are not in force. */
export interface DuePreviewStore {
  /** Counts every approved host, or of a large fleet the same sample each time. Changes nothing. */
  preview(policy: DuePolicy): Promise<DuePreview>;
}

/** Hosts that are counted for a preview: some seconds. */
const mostCompared = 2_000;
const hostsPerStep = 200;
const minuteMs = 60_000;

interface ComparedHost {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  readonly stored: { readonly release: Release; readonly setId: number; readonly input: Uint8Array | null };
  readonly listId: number;
}

/** The previews of one database. @param most the most hosts that are counted for one */
export function createDuePreviewStore({ pool }: Database, most = mostCompared): DuePreviewStore {
  return {
    preview: (policy) =>
      inPgSnapshot(pool, async (tx) => {
        // All as of one moment, so that no lock on advisories is needed.
        const { fleet, hosts, nowMs } = await readHosts(tx, most);
        const flows = new Flows(nowMs);
        const counter = createHostCounter(policy);
        for (let first = 0; first < hosts.length; first += hostsPerStep)
          await compare(tx, { counter, flows, hosts: hosts.slice(first, first + hostsPerStep) });
        const scale = hosts.length === 0 ? 0 : fleet / hosts.length;
        return {
          fleet,
          compared: hosts.length,
          hosts: scaled(flows.hosts, scale),
          findings: scaled(flows.findings, scale),
        };
      }),
  };
}

async function readHosts(
  tx: pg.PoolClient,
  most: number,
): Promise<{ readonly fleet: number; readonly hosts: readonly ComparedHost[]; readonly nowMs: number }> {
  const { rows } = await tx.query<
    Omit<ComparedHost, 'stored'> & ComparedHost['stored'] & { fleet: number; now: Date }
  >(
    `SELECT hs.host_id AS "hostId", hs.snapshot_id AS "snapshotId", r.name AS release, hs.set_id AS "setId",
            hs.counted_input AS input, hs.finding_list_id AS "listId", count(*) OVER ()::int AS fleet, now() AS now
     FROM host_state hs JOIN hosts h ON h.id = hs.host_id JOIN releases r ON r.id = hs.release_id
     WHERE h.approval_status = 'approved' AND hs.snapshot_id IS NOT NULL AND hs.finding_list_id IS NOT NULL
     ORDER BY md5(hs.host_id::text) LIMIT $1`,
    [most],
  );
  const hosts = rows.map(({ hostId, snapshotId, listId, release, setId, input }) => ({
    hostId,
    snapshotId,
    listId,
    stored: { release, setId, input },
  }));
  return { fleet: rows[0]?.fleet ?? 0, hosts, nowMs: rows[0]?.now.getTime() ?? 0 };
}

async function compare(
  tx: pg.PoolClient,
  {
    counter,
    flows,
    hosts,
  }: { readonly counter: HostCounter; readonly flows: Flows; readonly hosts: readonly ComparedHost[] },
): Promise<void> {
  const counted = await counter.count(tx, hosts);
  const { rows } = await tx.query<{ id: number; entries: Uint8Array }>(
    'SELECT id, entries FROM finding_lists WHERE id = ANY($1::int[])',
    [[...new Set(hosts.map(({ listId }) => listId))]],
  );
  const stored = new Map(rows.map(({ id, entries }) => [id, entries]));
  for (const [n, { listId }] of hosts.entries()) {
    const before = stored.get(listId);
    const after = counted[n]?.findings;
    if (before !== undefined && after !== undefined) flows.add(before, after.bytes);
  }
}

/** Adds up what differs between the finding lists of hosts. */
class Flows {
  readonly hosts = { now: 0, after: 0, become: 0, stop: 0 };
  readonly findings = { now: 0, after: 0, become: 0, stop: 0 };
  private readonly nowMs: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  add(before: Uint8Array, after: Uint8Array): void {
    const [now, then] = [this.overdueIn(before), this.overdueIn(after)];
    let become = 0;
    for (const id of then) if (!now.has(id)) become += 1;
    const stop = now.size - (then.size - become);
    this.findings.now += now.size;
    this.findings.after += then.size;
    this.findings.become += become;
    this.findings.stop += stop;
    this.hosts.now += Number(now.size > 0);
    this.hosts.after += Number(then.size > 0);
    this.hosts.become += Number(now.size === 0 && then.size > 0);
    this.hosts.stop += Number(now.size > 0 && then.size === 0);
  }

  private overdueIn(list: Uint8Array): ReadonlySet<PackageVersionId> {
    const overdue = new Set<PackageVersionId>();
    readFindingList(list, {
      version: (id, _place, _waived, dueMinute) => {
        if (dueMinute * minuteMs <= this.nowMs) overdue.add(id);
      },
      exception: () => undefined,
    });
    return overdue;
  }
}

function scaled({ now, after, become, stop }: DueFlow, by: number): DueFlow {
  const of = (value: number): number => Math.round(value * by);
  return { now: of(now), after: of(after), become: of(become), stop: of(stop) };
}
