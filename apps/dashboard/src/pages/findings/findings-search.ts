import { textSearch } from '../../shell/text-search.ts';

/** Reads the search parameters of the page of findings: those of GET /findings. */
export const findingsSearch = textSearch(
  'group_by',
  'q',
  'severity',
  'known_exploited',
  'fix_state',
  'overdue',
  'tag',
  'first_seen_before',
  'include_waived',
  'only_waived',
  'advisory',
  'cve',
  'package',
  'host',
);

/** The search parameters of the page of findings; each may be missing. */
export type FindingsSearch = ReturnType<typeof findingsSearch>;
