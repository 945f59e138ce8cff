import type { HostDetail } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../design/badge.tsx';
import { Notice } from '../../../design/notice.tsx';
import { ExploitedBadge, SeverityBadge } from '../../../words/badges.tsx';
import { areFindingsKnown, blindingGaps, fixableFindings, reasonsInWords } from '../../../words/knowledge.ts';
import styles from '../host.module.css';
import type { HostSearch } from '../host-search.ts';

const counted = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** Number of findings of each kind, linked to their rows. */
export function FindingCounts({ host }: { readonly host: HostDetail }) {
  const { unfixed_count, known_exploited_count, waived_count, overdue_count } = host;
  return (
    <ul className={styles['counts']} aria-label="Findings by kind">
      {counted
        .filter((severity) => host[`${severity}_count`] > 0)
        .map((severity) => (
          <Count key={severity} host={host} search={{ severity }} number={host[`${severity}_count`]}>
            <SeverityBadge severity={severity} />
          </Count>
        ))}
      {unfixed_count > 0 && (
        <Count host={host} search={{ fix: 'unfixed' }} number={unfixed_count}>
          <Badge tone="neutral">Without a fix</Badge>
        </Count>
      )}
      {known_exploited_count > 0 && (
        <Count host={host} search={{ fix: 'all', exploited: 'true' }} number={known_exploited_count}>
          <ExploitedBadge />
        </Count>
      )}
      {waived_count > 0 && (
        <Count host={host} search={{ waived: 'only' }} number={waived_count}>
          <Badge
            tone="neutral"
            icon={ShieldOff}
            title="Accepted, mitigated or judged false: in no other number."
          >
            Waived
          </Badge>
        </Count>
      )}
      {overdue_count > 0 && (
        <Count host={host} search={{ fix: 'all', overdue: 'true' }} number={overdue_count}>
          <Badge tone="critical">Overdue</Badge>
        </Count>
      )}
    </ul>
  );
}

interface CountProps {
  readonly host: HostDetail;
  readonly search: HostSearch;
  readonly number: number;
  readonly children: ReactNode;
}

function Count({ host, search, number, children }: CountProps) {
  return (
    <li>
      <Link
        to="/hosts/$id"
        params={{ id: host.id }}
        search={{ tab: 'vulnerable', ...search }}
        resetScroll={false}
        className={styles['count'] ?? ''}
      >
        {children}
        <strong>{number}</strong>
      </Link>
    </li>
  );
}

/** Says why there may be more findings than listed. */
export function MayBeMore({ host }: { readonly host: HostDetail }) {
  if (areFindingsKnown(host) || fixableFindings(host) === 0) return null;
  return (
    <Notice tone="important">
      <p>There may be more findings than listed: {reasonsInWords(host, blindingGaps, Date.now())}.</p>
    </Notice>
  );
}
