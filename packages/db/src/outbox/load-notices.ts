import { notificationEvents, severities } from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import { findingNotices } from './finding-notices.ts';
import type { Notice, NoticeHost, OutboxRow } from './notice.ts';
import { askedOfLists } from './still-on-hosts.ts';

/** What rows of the outbox tell. Rows whose hosts are all deleted tell nothing. */
export async function loadNotices(tx: PgTransaction, rows: readonly OutboxRow[]): Promise<readonly Notice[]> {
  const hosts = await loadHosts(
    tx,
    rows.filter(({ event }) => event !== 'ledger.hosts'),
  );
  const plain = rows.flatMap((row): Notice[] => {
    const event = notificationEvents.find((name) => name === row.event);
    if (event === undefined) return [];
    const own = row.hostIds.flatMap((id) => hosts.get(id) ?? []).sort(byName);
    if (row.hostIds.length > 0 && own.length === 0) return [];
    const severity = severityOf(row);
    return [
      {
        id: row.id,
        events: [event],
        subject: row.subject,
        at: row.at,
        severity,
        hosts: row.hostIds.length === 0 ? null : own,
        isFromHosts: askedOfLists.includes(event) && row.subject !== '',
        data: row.data,
      },
    ];
  });
  return [...plain, ...(await findingNotices(tx, rows))];
}

function severityOf({ data }: OutboxRow): Notice['severity'] {
  return severities.find((severity) => severity === data['severity']) ?? null;
}

function byName(a: NoticeHost, b: NoticeHost): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;
}

async function loadHosts(
  tx: PgTransaction,
  rows: readonly OutboxRow[],
): Promise<ReadonlyMap<string, NoticeHost>> {
  const ids = [...new Set(rows.flatMap(({ hostIds }) => hostIds))];
  if (ids.length === 0) return new Map();
  const found = await tx.query<NoticeHost>(
    'SELECT id, display_name AS name, tags FROM hosts WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return new Map(found.rows.map((host) => [host.id, host]));
}
