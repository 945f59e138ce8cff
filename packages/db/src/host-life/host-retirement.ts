import { z } from 'zod';
import { recordAuditEvents, systemActor } from '../audit/audit-events.ts';
import { inTransaction, queryRows } from '../connection/transaction.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { lockHosts } from '../hosts/locked-hosts.ts';
import { retireHosts } from './retire-hosts.ts';

/** Retires hosts that are silent, without a user. */
export interface HostRetirement {
  /**
   * Retires hosts without a contact for this many days, at least seven, by the database's clock; returns their number.
   * None while the service has not run on each of the last seven days.
   */
  retireSilent(days: number): Promise<number>;
}

const silentRow = z.object({ hostId: z.string() });

/** Hosts retired in one transaction. */
const hostsPerStep = 200;
/** A host that is in service reports within this time, once the service runs again. */
const leastDays = 7;

/** The retirement of the hosts of one database. */
export function createHostRetirement({ pool, prisma }: Database): HostRetirement {
  return {
    async retireSilent(wanted) {
      const days = Math.max(wanted, leastDays);
      for (let retired = 0; ; ) {
        const { rows } = await pool.query<{ id: string }>(
          `SELECT h.id FROM hosts h JOIN host_contacts c ON c.host_id = h.id
           WHERE h.approval_status <> 'retired' AND c.last_seen_at < now() - make_interval(days => $1)
             AND (SELECT count(*) FROM fleet_days d
                  WHERE d.day > (now() AT TIME ZONE 'UTC')::date - $2::int) >= $2
           ORDER BY h.id LIMIT $3`,
          [days, leastDays, hostsPerStep],
        );
        if (rows.length === 0) return retired;
        const now = await inTransaction(prisma, async (tx) => {
          const hosts = await lockHosts(
            tx,
            rows.map(({ id }) => id),
            true,
          );
          // One that sent something meanwhile stays.
          const silent = await queryRows(
            tx,
            silentRow,
            Prisma.sql`SELECT host_id::text AS "hostId" FROM host_contacts
              WHERE host_id = ANY(${hosts.map(({ id }) => id)}::uuid[])
                AND last_seen_at < now() - make_interval(days => ${days}::int)`,
          );
          const ids = new Set(silent.map(({ hostId }) => hostId));
          const due = hosts.filter(({ id, approvalStatus }) => ids.has(id) && approvalStatus !== 'retired');
          const deeds = await retireHosts(tx, due, { silent_days: days });
          await recordAuditEvents(
            tx,
            deeds.map(({ host, details }) => ({
              action: 'host.retired',
              actor: systemActor('scheduler'),
              target: { kind: 'host', id: host.id, name: host.name },
              details,
            })),
          );
          return deeds.length;
        });
        if (now === 0) return retired;
        retired += now;
      }
    },
  };
}
