import type { FleetSummary } from '@plimsoll/contract';
import { Badge } from '../../design/badge.tsx';
import { Panel } from '../../design/page.tsx';
import { SeverityBadge } from '../../words/badges.tsx';
import { FindingCount } from './finding-count.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';

const severities = ['critical', 'important', 'moderate', 'low', 'unrated'] as const;

/** Open findings by severity, those without a fix apart, each with its number of hosts. */
export function SeverityTotals({ fleet: { findings, hosts_with } }: { readonly fleet: FleetSummary }) {
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
              <Badge tone="neutral" title="No fix is published or planned.">
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
