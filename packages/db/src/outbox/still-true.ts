import type { NotificationEvent } from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import { conditions } from './conditions.ts';
import type { DeliveryItem, DeliveryItems } from './delivery-items.ts';
import { hostsWithFindings } from './finding-notices.ts';
import { askedOfLists, hostsStillConcerned } from './still-on-hosts.ts';

/** SQL by event: those of the hosts `$1` (uuid[]) of which it is still true. */
const hostChecks: Partial<Record<NotificationEvent, string>> = {
  'host.enrolled': `SELECT id FROM hosts WHERE id = ANY($1)`,
  'host.pending': `SELECT id FROM hosts WHERE id = ANY($1) AND approval_status = 'pending'`,
  'host.back': `SELECT id FROM hosts h JOIN host_state ON host_id = id WHERE id = ANY($1) AND approval_status = 'approved' AND status = 'active'
    AND NOT EXISTS (SELECT FROM notification_conditions c WHERE c.event = 'host.stale' AND c.subject = h.id::text)`,
  'pull.failing': `SELECT host_id AS id FROM ssh_targets WHERE host_id = ANY($1) AND failures >= 3`,
  // Of many advisories at once.
  'finding.overdue': `SELECT host_id AS id FROM host_state WHERE host_id = ANY($1) AND overdue > 0`,
  'finding.due_soon': `SELECT host_id AS id FROM host_state WHERE host_id = ANY($1)
    AND (overdue > 0 OR next_due_at <= now() + interval '3 days')`,
  'fix.reachable': `SELECT id FROM hosts WHERE id = ANY($1) AND approval_status = 'approved'`,
  'disagreement.jumped': `SELECT host_id AS id FROM host_state WHERE host_id = ANY($1) AND disagreements > 0`,
  'host_key.changed': `SELECT host_id AS id FROM ssh_targets WHERE host_id = ANY($1) AND other_key_fingerprint IS NOT NULL`,
};

const isFinding = (event: NotificationEvent) =>
  event === 'finding.new' || event === 'finding.known_exploited';

/**
 * What of a message is still true: without hosts that recovered, and without events that are over. Events of which
 * nothing can be said stay.
 */
export async function stillTrue(tx: PgTransaction, items: DeliveryItems): Promise<DeliveryItems> {
  const findings = items.events.filter(({ event }) => isFinding(event));
  const reached =
    findings.length === 0
      ? new Map<string, ReadonlySet<string>>()
      : await hostsWithFindings(
          tx,
          findings.map(({ subject }) => subject),
          [...new Set(findings.flatMap(({ hosts }) => (hosts ?? []).map(({ id }) => id)))],
        );
  const concerned = new Map<NotificationEvent, ReadonlyMap<string, ReadonlySet<string>>>();
  for (const event of askedOfLists) {
    const asked = items.events.filter((item) => item.event === event && item.subject !== '');
    if (asked.length > 0) concerned.set(event, await hostsStillConcerned(tx, event, asked));
  }
  const events: DeliveryItem[] = [];
  for (const item of items.events) {
    const known = item.subject === '' ? undefined : concerned.get(item.event);
    const left =
      isFinding(item.event) || known !== undefined
        ? withHosts(item, (known ?? reached).get(item.subject) ?? new Set())
        : await remaining(tx, item);
    if (left !== null) events.push(left);
  }
  return { events, omitted: items.omitted };
}

async function remaining(tx: PgTransaction, item: DeliveryItem): Promise<DeliveryItem | null> {
  const condition = conditions.find(({ event }) => event === item.event);
  if (item.hosts === null) {
    if (item.event === 'feed.failed')
      return (await some(tx, 'SELECT FROM feeds WHERE id = $1 AND consecutive_failures > 0', [item.subject]))
        ? item
        : null;
    if (condition === undefined) return item;
    const goesOn = 'SELECT FROM notification_conditions WHERE event = $1 AND subject = $2';
    return (await some(tx, goesOn, [item.event, item.subject])) ? item : null;
  }
  const ids = item.hosts.map(({ id }) => id);
  const check = hostChecks[item.event];
  if (check !== undefined) {
    const { rows } = await tx.query<{ id: string }>(check, [ids]);
    return withHosts(item, new Set(rows.map(({ id }) => id)));
  }
  if (condition?.of !== 'hosts') return item;
  const { rows } = await tx.query<{ subject: string }>(
    'SELECT subject FROM notification_conditions WHERE event = $1 AND subject = ANY($2::text[])',
    [item.event, ids],
  );
  return withHosts(item, new Set(rows.map(({ subject }) => subject)));
}

async function some(tx: PgTransaction, statement: string, values: unknown[]): Promise<boolean> {
  return ((await tx.query(statement, values)).rowCount ?? 0) > 0;
}

/** The event with those of its hosts; null if none of the named ones is left. */
function withHosts(item: DeliveryItem, left: ReadonlySet<string>): DeliveryItem | null {
  const hosts = (item.hosts ?? []).filter(({ id }) => left.has(id));
  if (hosts.length === 0) return null;
  const recovered = (item.hosts ?? []).length - hosts.length;
  return { ...item, hosts, host_count: item.host_count - recovered };
}
