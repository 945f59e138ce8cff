/**
 * SQL: when the newest report of a host was made, from the aliases of `host_state` and `host_contacts`. People can bring an old
 * report any day; it is as old as it says.
 */
export function reportedAtSql(state: string, contact: string): string {
  return `CASE WHEN ${state}.is_manual
    THEN least(${contact}.last_confirmed_at, coalesce(${contact}.collected_at, ${state}.snapshot_collected_at, ${contact}.last_confirmed_at))
    ELSE ${contact}.last_confirmed_at END`;
}
