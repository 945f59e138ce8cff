import type { FleetSummary } from '@plimsoll/contract';
import { Badge } from '../../design/badge.tsx';
import { hostsInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page.tsx';
import { SeverityBadge } from '../../words/badges.tsx';
import { areFleetFindingsKnown } from '../../words/fleet-knowledge.ts';
import { FindingCount } from './finding-count.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** Open findings by severity, with the number of hosts; findings without a fix apart. */
export function SeverityTotals({ fleet }: { readonly fleet: FleetSummary }) {
  const { findings, hosts_with, findings_unknown_hosts } = fleet;
  const isKnown = areFleetFindingsKnown(fleet);
  return (
    <Panel title="Open findings" flush>
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
            <tr key={severity}>
              <th scope="row">
                <SeverityBadge severity={severity} />
              </th>
              <td>
                <FindingCount
                  count={findings[severity]}
                  isKnown={isKnown}
                  list={{ finding_severity: severity, sort: `-${severity}_count` }}
                />
              </td>
              <td>
                <HostCount
                  count={hosts_with[severity]}
                  isKnown={isKnown}
                  list={{ finding_severity: severity, sort: `-${severity}_count` }}
                />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <Badge tone="neutral" title="No fix is published or planned.">
                Without a fix
              </Badge>
            </th>
            <td>
              <FindingCount
                count={findings.unfixed}
                isKnown={isKnown && fleet.by_gap.feed_lists_fixes_only === 0}
                list={{ unfixed: 'true', sort: '-unfixed_count' }}
              />
            </td>
            <td>
              <HostCount
                count={hosts_with.unfixed}
                isKnown={isKnown && fleet.by_gap.feed_lists_fixes_only === 0}
                list={{ unfixed: 'true', sort: '-unfixed_count' }}
              />
            </td>
          </tr>
        </tbody>
      </table>
      {findings_unknown_hosts > 0 && (
        <p className={styles['lowerBound']}>
          {hostsInWords(findings_unknown_hosts)} may have more findings: see “What is not known”.
        </p>
      )}
    </Panel>
  );
}
