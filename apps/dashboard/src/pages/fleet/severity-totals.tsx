import type { FleetSummary } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LinkButton } from '../../design/button.tsx';
import { amountInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { SeverityBadge } from '../../words/badges.tsx';
import { areFleetFindingsKnown } from '../../words/fleet-knowledge.ts';
import { FindingCount } from './finding-count.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** Open findings by severity, with and without a fix, and the hosts with either. */
export function SeverityTotals({ fleet }: { readonly fleet: FleetSummary }) {
  const { findings, by_severity, findings_unknown_hosts } = fleet;
  const isKnown = areFleetFindingsKnown(fleet);
  const areUnfixedKnown = isKnown && fleet.by_gap.feed_lists_fixes_only === 0;
  return (
    <Panel title="Open findings" flush actions={<LinkButton to="/findings">What to do first</LinkButton>}>
      <table className={styles['totals']}>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Fix</th>
            <th scope="col">No fix</th>
            <th scope="col">Hosts</th>
          </tr>
        </thead>
        <tbody>
          {severities.map((severity) => (
            <TotalsRow
              key={severity}
              open={by_severity[severity]}
              isKnown={isKnown}
              areUnfixedKnown={areUnfixedKnown}
              severity={severity}
            >
              <SeverityBadge severity={severity} />
            </TotalsRow>
          ))}
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
  readonly open: FleetSummary['by_severity']['critical'];
  readonly isKnown: boolean;
  readonly areUnfixedKnown: boolean;
  readonly severity: (typeof severities)[number];
  readonly children: ReactNode;
}

function TotalsRow({ open, isKnown, areUnfixedKnown, severity, children }: TotalsRowProps) {
  const sort = `-${severity}_count`;
  const list = { open_severity: severity, sort };
  return (
    <tr>
      <th scope="row">{children}</th>
      <td>
        <FindingCount count={open.with_fix} isKnown={isKnown} list={{ finding_severity: severity, sort }} />
      </td>
      <td>
        <FindingCount count={open.without_fix} isKnown={areUnfixedKnown} list={list} />
      </td>
      <td>
        <HostCount count={open.hosts} isKnown={areUnfixedKnown} list={list} />
      </td>
    </tr>
  );
}
