import { getRouteApi } from '@tanstack/react-router';
import { type TextSearch, textSearch } from '../../shell/text-search.ts';
import { useTextSearch } from '../../shell/use-text-search.ts';

const page = getRouteApi('/signed-in/hosts');

/** Reads the search parameters of the hosts' page: the filters and the order of GET /hosts, by the same names. */
export const hostsSearch = textSearch(
  'q',
  'tag',
  'os_family',
  'os_name',
  'os_major',
  'status',
  'approval_status',
  'onboarding_mode',
  'severity',
  'finding_severity',
  'open_severity',
  'has_findings',
  'unfixed',
  'known_exploited',
  'overall_action',
  'coverage',
  'reboot_state',
  'restart_state',
  'updates_state',
  'repositories_state',
  'overall_known',
  'gap',
  'findings_known',
  'updates_known',
  'has_updates',
  'has_disagreements',
  'has_broken_packages',
  'exposure',
  'overdue',
  'machine_id_conflict',
  'patch_rhythm',
  'retired',
  'sort',
);

/** The search parameters of the hosts' page; each may be missing. */
export type HostsSearch = TextSearch<keyof ReturnType<typeof hostsSearch>>;

/** The search parameters, with a function that changes some of them in place; '' or undefined removes one. */
export function useHostsSearch() {
  return useTextSearch(page, hostsSearch);
}
