import { z } from 'zod';
import type { Database } from '../../core/database.ts';
import { inTransaction, queryRows } from '../../core/transaction.ts';
import { Prisma } from '../../generated/client.ts';
import { recordAuditEvents, systemActor } from '../../people/audit-events.ts';
import { lockHosts } from '../hosts/locked-hosts.ts';
import { retireHosts } from './retire-hosts.ts';

/** Retires hosts that are silent, without a user. */
export interface HostRetirement {
  /**
   * Retires hosts without a contact in this many days before a time, at least seven, except for those whose
   * pulls are paused. A silence that most hosts share does not mean that they were switched off: none are retired while the
   * service has not run on each of the last seven days, or on one of these days most hosts were stale or unreachable; and
   * none of an onboarding mode of which most hosts have been silent for a week.
   */
  retireSilent(days: number, now: Date): Promise<RetiredSilent>;
}

/** What became of silent hosts. */
export interface RetiredSilent {
  readonly retired: number;
  /** Hosts that are silent for long enough and stay, because most hosts are silent or the service did not run. */
  readonly heldBack: number;
}

const silentRow = z.object({ hostId: z.string() });

/** Hosts retired in one transaction. */
const hostsPerStep = 200;
/** A host that is in service reports within this time, once the service runs again. */
const leastDays = 7;

/** Hosts in service that can be missed: $1 days before $3, at least $2. */
const silentHosts = `
  WITH days AS (
    SELECT count(*) >= $2::int AS "areSound" FROM fleet_days
    WHERE day > ($3::timestamptz AT TIME ZONE 'UTC')::date - $2::int
      AND 2 * (coalesce((totals #>> '{byStatus,stale}')::int, 0) + coalesce((totals #>> '{byStatus,unreachable}')::int, 0))
        <= coalesce((totals ->> 'hosts')::int, 0)),
  serving AS (
    SELECT h.id, h.onboarding_mode AS mode, c.last_seen_at AS seen_at
    FROM hosts h JOIN host_contacts c ON c.host_id = h.id LEFT JOIN ssh_targets t ON t.host_id = h.id
    WHERE h.approval_status <> 'retired' AND NOT coalesce(t.pull_paused, false)),
  -- Hosts that were silent long before say nothing of today.
  heard AS (
    SELECT mode FROM serving WHERE seen_at > $3::timestamptz - make_interval(days => $1::int + $2::int)
    GROUP BY mode
    HAVING 2 * count(*) FILTER (WHERE seen_at > $3::timestamptz - make_interval(days => $2::int)) >= count(*)),
  silent AS (
    SELECT id, mode IN (SELECT mode FROM heard) AND (SELECT "areSound" FROM days) AS "isMissed"
    FROM serving WHERE seen_at < $3::timestamptz - make_interval(days => $1::int))`;

/** The retirement of the hosts of one database. */
export function createHostRetirement({ pool, prisma }: Database): HostRetirement {
  return {
    async retireSilent(wanted, now) {
      const days = Math.max(wanted, leastDays);
      for (let retired = 0; ; ) {
        const { rows } = await pool.query<{ id: string }>(
          `${silentHosts}
           SELECT id FROM silent WHERE "isMissed" ORDER BY id LIMIT $4`,
          [days, leastDays, now, hostsPerStep],
        );
        if (rows.length === 0) return { retired, heldBack: await heldBack(pool, days, now) };
        const retiredNow = await inTransaction(prisma, async (tx) => {
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
                AND last_seen_at < ${now}::timestamptz - make_interval(days => ${days}::int)`,
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
        if (retiredNow === 0) return { retired, heldBack: await heldBack(pool, days, now) };
        retired += retiredNow;
      }
    },
  };
}

async function heldBack(pool: Database['pool'], days: number, now: Date): Promise<number> {
  const { rows } = await pool.query<{ hosts: number }>(
    `${silentHosts}
     SELECT count(*)::int AS hosts FROM silent WHERE NOT "isMissed"`,
    [days, leastDays, now],
  );
  return rows[0]?.hosts ?? 0;
}
