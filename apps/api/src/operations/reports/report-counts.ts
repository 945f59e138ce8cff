import type { FinishedReport } from '@plimsoll/contract';
import type { HostOverview } from '@plimsoll/db';
import { hostAnswer } from '../hosts/host-answer.ts';

/** The counts of a host, from its own fields. */
export function reportCounts(overview: HostOverview): FinishedReport['counts'] {
  const host = hostAnswer(overview);
  return {
    critical_count: host.critical_count,
    important_count: host.important_count,
    moderate_count: host.moderate_count,
    low_count: host.low_count,
    unrated_count: host.unrated_count,
    unfixed_count: host.unfixed_count,
    known_exploited_count: host.known_exploited_count,
    waived_count: host.waived_count,
    unknown_count: host.unknown_count,
    available_updates: host.available_updates,
    needs_reboot: host.needs_reboot,
    needs_restart: host.needs_restart,
  };
}
