import type { FleetSummary } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { LinkButton } from '../../design/button.tsx';
import { amountInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { SeverityBadge } from '../../words/badges.tsx';
import { areFleetFindingsKnown } from '../../words/fleet-knowledge.ts';
import type { HostsSearch } from '../hosts/hosts-search.ts';
import { FindingCount } from './finding-count.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** Open findings by severity, with the number of hosts; findings without a fix apart. */
export function SeverityTotals({ fleet }: { readonly fleet: FleetSummary }) {
  const { findings, hosts_with, findings_unknown_hosts } = fleet;
  const isKnown = areFleetFindingsKnown(fleet);
  return (
    <Panel title="Open findings" flush actions={<LinkButton to="/findings">What to do first</LinkButton>}>
      <table className={styles['totals']}>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Findings</th>
            <th scope="col">On hosts</th>
          </tr>
        </thead>
        <tbody>
          {severities.map((severity) => (
            <TotalsRow
              key={severity}
              findings={findings[severity]}
              hosts={hosts_with[severity]}
              isKnown={isKnown}
              list={{ finding_severity: severity, sort: `-${severity}_count` }}
            >
              <SeverityBadge severity={severity} />
            </TotalsRow>
          ))}
          <TotalsRow
            findings={findings.unfixed}
            hosts={hosts_with.unfixed}
            isKnown={isKnown && fleet.by_gap.feed_lists_fixes_only === 0}
            list={{ unfixed: 'true', sort: '-unfixed_count' }}
          >
            <Badge tone="neutral" title="No fix is published or planned.">
              Without a fix
            </Badge>
          </TotalsRow>
        </tbody>
      </table>
      {findings.waived > 0 && (
        <p className={styles['lowerBound']}>
          <Link to="/findings" search={{ group_by: 'host', only_waived: 'true' }}>
            {amountInWords(findings.waived, 'waived finding', 'waived findings')}
          </Link>{' '}
          {findings.waived === 1 ? 'is' : 'are'} in no other number.
        </p>
      )}
      {findings_unknown_hosts > 0 && (
        <p className={styles['lowerBound']}>
          <HostCount count={findings_unknown_hosts} list={{ findings_known: 'false' }}>
            {findings_unknown_hosts === 1 ? 'host' : 'hosts'}
          </HostCount>{' '}
          may have more findings: see “What is not known”.
        </p>
      )}
    </Panel>
  );
}

interface TotalsRowProps {
  readonly findings: number;
  readonly hosts: number;
  readonly isKnown: boolean;
  readonly list: HostsSearch;
  readonly children: ReactNode;
}

function TotalsRow({ findings, hosts, isKnown, list, children }: TotalsRowProps) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <td>
        <FindingCount count={findings} isKnown={isKnown} list={list} />
      </td>
      <td>
        <HostCount count={hosts} isKnown={isKnown} list={list} />
      </td>
    </tr>
  );
}
