import type { HostDetail, PullJob } from '@plimsoll/contract';
import { pullErrorWords, pullStatusWords } from '@plimsoll/words';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Progress } from '../../../design/progress.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';
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

/** Columns of a list of pulls. */
const pullColumns: readonly Column<PullJob>[] = [
  column('state', 'State', { width: '11rem', cell: (job) => <State job={job} /> }),
  column('outcome', 'Outcome', { width: '30rem', cell: (job) => <Outcome job={job} /> }),
  column('asked', 'Requested', { width: '9rem', cell: ({ queued_at }) => <Time at={queued_at} /> }),
  column('trigger', 'By', {
    width: '8rem',
    from: 'medium',
    cell: ({ trigger }) => (trigger === 'manual' ? 'User' : 'Schedule'),
  }),
  column('took', 'Took', { width: '7rem', align: 'end', from: 'medium', cell: (job) => took(job) }),
];

function State({ job: { status } }: { readonly job: PullJob }) {
  const { words, tone } = pullStatusWords[status];
  if (status === 'running') return <Progress label={words} part={null} />;
  return <Badge tone={tone}>{words}</Badge>;
}

function Outcome({ job: { status, error_code, error_message, snapshot_id } }: { readonly job: PullJob }) {
  if (error_code !== null) {
    return (
      <span className={`${styles['words']} ${styles['tight']}`}>
        <strong>{pullErrorWords[error_code].words}</strong>
        {error_message === null ? pullErrorWords[error_code].advice : <ForeignText text={error_message} />}
        {error_code === 'host_key_mismatch' && (
          <HostLink search={{ tab: 'settings' }}>Compare the host keys</HostLink>
        )}
        {(error_code === 'auth_failed' || error_code === 'collector_refused') && (
          <HostLink search={{ tab: 'settings' }}>Line for authorized_keys</HostLink>
        )}
        {error_code === 'report_invalid' && <HostLink search={{ tab: 'uploads' }}>Show the errors</HostLink>}
      </span>
    );
  }
  if (snapshot_id !== null) return <HostLink search={{ tab: 'history' }}>New snapshot</HostLink>;
  return status === 'succeeded' ? <HostLink search={{ tab: 'uploads' }}>Report received</HostLink> : '–';
}

const seconds = new Intl.NumberFormat('en', { style: 'unit', unit: 'second', maximumFractionDigits: 1 });

function took({ started_at, finished_at }: PullJob): string {
  if (started_at === null || finished_at === null) return '–';
  return seconds.format((Date.parse(finished_at) - Date.parse(started_at)) / 1000);
}
