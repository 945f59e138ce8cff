import type { HostDetail, PullJob } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../host.module.css';
import { pullColumns } from './pull-columns.tsx';
import { PullNow } from './pull-now.tsx';

/** Polling interval while a pull runs, in case its events do not arrive. */
const unfinishedMs = 2_000;

/** The last pulls of a host, with advice on failures. */
export function PullsTab({ host }: { readonly host: HostDetail }) {
  const query = useQuery({
    ...apiQuery('/hosts/{id}/pull-jobs', { params: { id: host.id } }),
    refetchInterval: ({ state: { data } }) => (data?.some(isUnfinished) === true ? unfinishedMs : false),
  });
  const { ssh } = host;
  return (
    <div className={styles['stack']}>
      {ssh !== null && (
        <Panel title="Schedule">
          <Facts
            facts={[
              [
                'Account',
                <ForeignText key="at" text={`${ssh.user}@${host.hostname}, port ${ssh.port}`} mono />,
              ],
              ['Every', `${ssh.frequency_minutes} minutes`],
              [
                'Next',
                ssh.pull_paused ? (
                  <Badge key="next" tone="moderate">
                    Paused
                  </Badge>
                ) : (
                  <Time key="next" at={ssh.next_pull_at} />
                ),
              ],
              ['Failures since the last success', String(ssh.failures)],
            ]}
          />
        </Panel>
      )}
      <Panel title="Last ten pulls" flush>
        <Loaded query={query} what="Loading the pulls">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="Not pulled yet" action={<PullNow id={host.id} />}>
                Add the line from Settings to authorized_keys on the host first.
              </Empty>
            ) : (
              <DataTable label="Pulls" columns={pullColumns} rows={rows} rowId={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}

function isUnfinished({ status }: PullJob): boolean {
  return status === 'queued' || status === 'running';
}
