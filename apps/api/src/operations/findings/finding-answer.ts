import type { FleetFinding } from '@plimsoll/contract';
import type { FindingRow } from '@plimsoll/db';

/** A row of the fleet's findings as the contract has it. */
export function findingAnswer(row: FindingRow): FleetFinding {
  return {
    key: row.key,
    title: row.title,
    severity: row.severity,
    known_exploited: row.knownExploited,
    epss: row.epss,
    due_at: row.dueAt === null ? null : new Date(row.dueAt).toISOString(),
    overdue_hosts: row.overdueHosts,
    hosts: row.hosts,
    waived_hosts: row.waivedHosts,
    hosts_by_fix_state: row.byState,
    first_seen_at: new Date(row.firstSeenAt).toISOString(),
  };
}
