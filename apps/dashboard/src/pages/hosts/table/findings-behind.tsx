import type { FleetSummary } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';
import { groupedNumber } from '../../../design/number-words.ts';
import type { HostQuery } from '../host-query.ts';
import styles from '../hosts.module.css';

const kinds: readonly (readonly [
  filter: 'finding_severity' | 'unfixed' | 'known_exploited',
  value: string,
  total: keyof FleetSummary['findings'],
  words: string,
])[] = [
  ['finding_severity', 'critical', 'critical', 'critical'],
  ['finding_severity', 'important', 'important', 'important'],
  ['finding_severity', 'moderate', 'moderate', 'moderate'],
  ['finding_severity', 'low', 'low', 'low'],
  ['finding_severity', 'unrated', 'unrated', 'unrated'],
  ['unfixed', 'true', 'unfixed', 'unfixed'],
  ['known_exploited', 'true', 'known_exploited', 'known exploited'],
];

/** For lists that a number of findings links to: that number, with the number of hosts in the list. */
export function FindingsBehind({ filters }: { readonly filters: HostQuery }) {
  const kind =
    filters.approval_status === 'approved' && Object.keys(filters).length === 2
      ? kinds.find(([filter, value]) => filters[filter] === value)
      : undefined;
  const { data } = useQuery({ ...apiQuery('/fleet/summary'), enabled: kind !== undefined });
  if (kind === undefined || data === undefined) return null;
  const [, , total, words] = kind;
  const count = data.findings[total];
  return (
    <span className={styles['muted']}>
      {groupedNumber(count)} {words} {count === 1 ? 'finding' : 'findings'}
    </span>
  );
}
