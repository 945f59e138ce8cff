import {
  type AdvisoryKey,
  groupBy,
  type HostId,
  type NotificationEvent,
  type PackageVersionId,
} from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import type { DeliveryItem } from './delivery-items.ts';
import { advisoriesDated, advisoriesInstallable, dueSoonMs, type ListMarks, nearIn } from './list-marks.ts';
import {
  addHosts,
  DatedStatements,
  type HostsByAdvisory,
  loadDueOn,
  loadMarks,
  type WatchedHost,
} from './watched-hosts.ts';

/** The events of findings that are asked of finding lists. */
export const askedOfLists: readonly NotificationEvent[] = [
  'finding.overdue',
  'finding.due_soon',
  'fix.reachable',
];

/**
 * On which of their hosts events about advisories are still true, by advisory (external id): the finding is due, or its
 * fix can be installed. Events that name no advisory are not asked.
 */
export async function hostsStillConcerned(
  tx: PgTransaction,
  event: NotificationEvent,
  items: readonly DeliveryItem[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const hosts = await loadHosts(tx, [
    ...new Set(items.flatMap((item) => (item.hosts ?? []).map(({ id }) => id))),
  ]);
  const marks = await loadMarks(
    tx,
    hosts.map(({ listId }) => listId),
  );
  const now = hosts[0]?.now.getTime() ?? 0;
  const asked = new Map([...marks].map(([id, list]) => [id, versionsAsked(event, list, now)]));
  const statements = new DatedStatements();
  await statements.load(tx, [...asked.values()].flat());
  const terms = event === 'fix.reachable' ? null : await loadDueOn(tx, hosts);
  const found: HostsByAdvisory = new Map();
  const alikeHosts = [...groupBy(hosts, (host) => `${host.listId} ${terms?.keyOf(host) ?? ''}`).values()];
  const termsOf = await terms?.of(alikeHosts.flatMap(([first]) => first ?? []));
  const until = event === 'finding.overdue' ? now : now + dueSoonMs;
  for (const alike of alikeHosts) {
    const [first] = alike;
    const list = first === undefined ? undefined : marks.get(first.listId);
    if (first === undefined || list === undefined) continue;
    const on = termsOf?.(first) ?? null;
    const ids = alike.map(({ id }) => id);
    for (const version of asked.get(first.listId) ?? []) {
      const entry = list.get(version);
      if (entry === undefined) continue;
      const own = statements.of(version);
      if (terms === null) addHosts(found, advisoriesInstallable(entry, own), ids);
      else if (on !== null) {
        const due = advisoriesDated(entry, own, on).filter(({ at }) => at <= until);
        addHosts(
          found,
          due.map(({ advisory }) => advisory),
          ids,
        );
      }
    }
  }
  return byExternalId(tx, found);
}

function versionsAsked(event: NotificationEvent, list: ListMarks, now: number): readonly PackageVersionId[] {
  if (event === 'fix.reachable') {
    const isReachable = ({
      mark,
      exceptions,
    }: {
      mark: { state: string | null };
      exceptions: readonly { mark: { state: string | null } }[];
    }) => mark.state === 'installable' || exceptions.some((one) => one.mark.state === 'installable');
    return [...list].flatMap(([id, entry]) => (isReachable(entry) ? [id] : []));
  }
  return nearIn(list, now);
}

async function loadHosts(
  tx: PgTransaction,
  ids: readonly string[],
): Promise<readonly (WatchedHost & { readonly now: Date })[]> {
  const { rows } = await tx.query<WatchedHost & { readonly now: Date }>(
    `SELECT s.host_id AS id, s.snapshot_id AS "snapshotId", s.finding_list_id AS "listId", now() AS now
     FROM host_state s JOIN hosts h ON h.id = s.host_id AND h.approval_status = 'approved'
     WHERE s.host_id = ANY($1::uuid[]) AND s.finding_list_id IS NOT NULL AND s.snapshot_id IS NOT NULL`,
    [ids],
  );
  return rows;
}

async function byExternalId(
  tx: PgTransaction,
  found: HostsByAdvisory,
): Promise<ReadonlyMap<string, ReadonlySet<HostId>>> {
  const { rows } = await tx.query<{ id: AdvisoryKey; external: string }>(
    'SELECT id, external_id AS external FROM advisories WHERE id = ANY($1::int[])',
    [[...found.keys()]],
  );
  const byName = new Map<string, Set<HostId>>();
  for (const { id, external } of rows) {
    const hosts = byName.get(external) ?? new Set<HostId>();
    byName.set(external, hosts);
    for (const host of found.get(id) ?? []) hosts.add(host);
  }
  return byName;
}
