import { useAgeingApi } from '../../api/queries.ts';
import { Page } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { Time } from '../../design/time/time.tsx';
import { ActionTiles } from './action-tiles.tsx';
import { DueRestarts } from './due-restarts.tsx';
import { EmptyFleet } from './empty-fleet.tsx';
import { ExploitedNotice } from './exploited-notice.tsx';
import { FeedAges } from './feed-ages.tsx';
import styles from './fleet.module.css';
import { GroupsInFleet } from './groups-in-fleet.tsx';
import { HostCount } from './host-count.tsx';
import { KnowledgeGaps } from './knowledge-gaps.tsx';
import { LimitedNotice } from './limited-notice.tsx';
import { OverdueNotice } from './overdue-notice.tsx';
import { PendingApprovals } from './pending-approvals.tsx';
import { SeverityTotals } from './severity-totals.tsx';
import { SilentHosts } from './silent-hosts.tsx';
import { TrendPanel } from './trend/trend-panel.tsx';

/** Overview of the fleet: what is wrong, how urgent it is, what to do, and the trend. */
export function FleetPage() {
  const query = useAgeingApi('/fleet/summary');
  const summary = query.data;
  const lead = summary !== undefined && summary.hosts > 0 && (
    <>
      <HostCount count={summary.hosts} list={{}}>
        {summary.hosts === 1 ? 'host' : 'hosts'}
      </HostCount>
      {summary.by_gap.no_report > 0 && (
        <>
          , of which{' '}
          <HostCount count={summary.by_gap.no_report} list={{ gap: 'no_report' }}>
            {summary.by_gap.no_report === 1 ? 'has no report' : 'have no report'}
          </HostCount>
        </>
      )}
      ; updated <Time at={summary.as_of} />
    </>
  );
  return (
    <Page title="Fleet" lead={lead}>
      <LimitedNotice />
      <Loaded query={query} what="Loading the fleet">
        {(fleet) =>
          fleet.hosts === 0 && fleet.pending_approvals === 0 ? (
            <EmptyFleet />
          ) : (
            <>
              <ExploitedNotice fleet={fleet} />
              <OverdueNotice fleet={fleet} />
              <ActionTiles fleet={fleet} />
              <div className={styles['halves']}>
                <SeverityTotals fleet={fleet} />
                <TrendPanel />
              </div>
              <GroupsInFleet />
              <div className={styles['thirds']}>
                <PendingApprovals count={fleet.pending_approvals} />
                <SilentHosts fleet={fleet} />
                <DueRestarts fleet={fleet} />
                <KnowledgeGaps fleet={fleet} />
                <FeedAges feeds={fleet.feeds} />
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
