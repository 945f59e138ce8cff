import type { FleetSummary } from '@plimsoll/contract';
import { Badge } from '../../design/badge.tsx';
import { Panel } from '../../design/page.tsx';
import { SeverityBadge } from '../../words/badges.tsx';
import { FindingCount } from './finding-count.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** How bad it is: findings that have a fix by severity and those without, each with the hosts they are on. */
export function SeverityTotals({ fleet: { findings, hosts_with } }: { readonly fleet: FleetSummary }) {
  return (
    <Panel title="How bad it is" flush>
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
                  list={{ finding_severity: severity, sort: `-${severity}_count` }}
                />
              </td>
              <td>
                <HostCount
                  count={hosts_with[severity]}
                  list={{ finding_severity: severity, sort: `-${severity}_count` }}
                />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <Badge tone="neutral" title="No fix is published, or there will be none.">
                Without a fix
              </Badge>
            </th>
            <td>
              <FindingCount count={findings.unfixed} list={{ unfixed: 'true', sort: '-unfixed_count' }} />
            </td>
            <td>
              <HostCount count={hosts_with.unfixed} list={{ unfixed: 'true', sort: '-unfixed_count' }} />
            </td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}
