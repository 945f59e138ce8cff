import type { FleetSummary } from '@plimsoll/contract';
import { gapOrder, gapWords, statusWords } from '@plimsoll/words';
import { Server } from 'lucide-react';
import { useAgeingApi, useApi } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { LinkButton } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { GapBadge, StatusBadge } from '../../words/badges.tsx';
import { groupNumberColumns } from '../groups/group-columns.tsx';
import { ActionTiles } from './action-tiles.tsx';
import { CountList } from './count-list.tsx';
import { DueRestarts } from './due-restarts.tsx';
import { ExploitedNotice } from './exploited-notice.tsx';
import { FeedAges } from './feed-ages.tsx';
import styles from './fleet.module.css';
import { HostCount } from './host-count.tsx';
import { OverdueNotice } from './overdue-notice.tsx';
import { PendingApprovals } from './pending-approvals.tsx';
import { SeverityTotals } from './severity-totals.tsx';
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

/** Says that the numbers are not those of the whole fleet, for users who are limited to tags. */
function LimitedNotice() {
  const tags = useSession()?.user.tags ?? null;
  if (tags === null) return null;
  return (
    <Notice tone="neutral">
      <p>
        You see only hosts tagged <ForeignText text={tags.join(' or ')} oneLine />. All numbers and lists are
        of these hosts.
      </p>
    </Notice>
  );
}

/** The fleet by groups; nothing without a group. */
function GroupsInFleet() {
  const { data: groups = [] } = useApi('/groups');
  if (groups.length === 0) return null;
  return (
    <Panel title="By group" flush actions={<LinkButton to="/groups">All groups</LinkButton>}>
      <DataTable label="Groups" columns={groupNumberColumns} rows={groups} rowId={({ id }) => id} />
    </Panel>
  );
}

const silent = ['unreachable', 'stale', 'new'] as const;

/** Hosts without a recent report. */
function SilentHosts({ fleet }: { readonly fleet: FleetSummary }) {
  return (
    <Panel title="Silent hosts">
      <CountList
        allZero="Every host reports on schedule."
        lines={silent.map((status) => ({
          key: status,
          count: fleet.by_status[status],
          list: { status, sort: 'reported_at' },
          what: <StatusBadge status={status} />,
          meaning: statusWords[status].meaning,
        }))}
      />
    </Panel>
  );
}

/** How to add the first host. */
function EmptyFleet() {
  const isOperator = useMay('operator');
  return (
    <Panel title="Get started">
      <Empty
        title={isOperator ? 'No hosts yet: add one' : 'No hosts yet'}
        icon={Server}
        action={
          isOperator && (
            <LinkButton to="/add-hosts" look="primary">
              Add a host
            </LinkButton>
          )
        }
      >
        {isOperator
          ? 'Use an agent, SSH or a manual upload. Findings are shown here after the first report and the first sync of its feed.'
          : 'An operator or administrator can add hosts. Their findings are then shown here.'}
      </Empty>
    </Panel>
  );
}

/** Reasons why the numbers may be too low, each with its number of hosts. */
function KnowledgeGaps({ fleet }: { readonly fleet: FleetSummary }) {
  const found = gapOrder.filter((gap) => fleet.by_gap[gap] > 0);
  const lastOfSilent = found.includes('report_outdated') ? 'report_outdated' : 'no_report';
  return (
    <Panel title="What is not known">
      <CountList
        allZero="Every host reported everything, and every package was checked."
        lines={found.map((gap) => ({
          key: gap,
          count: fleet.by_gap[gap],
          list: { gap },
          what: <GapBadge gap={gap} />,
          meaning: gapWords[gap].meaning,
        }))}
      />
      {found.includes('no_report') && (
        <p className={styles['counting']}>
          The lines below “{gapWords[lastOfSilent].words}” do not count hosts without a report.
        </p>
      )}
    </Panel>
  );
}
