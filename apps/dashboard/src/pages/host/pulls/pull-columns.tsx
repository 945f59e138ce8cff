import type { PullJob } from '@plimsoll/contract';
import { pullErrorWords, pullStatusWords } from '@plimsoll/words';
import { Badge } from '../../../design/badge.tsx';
import { Progress } from '../../../design/progress.tsx';
import type { Column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';

/** Columns of a list of pulls. */
export const pullColumns: readonly Column<PullJob>[] = [
  { id: 'state', header: 'State', width: '11rem', cell: (job) => <State job={job} /> },
  { id: 'outcome', header: 'Outcome', width: '30rem', cell: (job) => <Outcome job={job} /> },
  { id: 'asked', header: 'Requested', width: '9rem', cell: ({ queued_at }) => <Time at={queued_at} /> },
  {
    id: 'trigger',
    header: 'By',
    width: '8rem',
    from: 'medium',
    cell: ({ trigger }) => (trigger === 'manual' ? 'User' : 'Schedule'),
  },
  { id: 'took', header: 'Took', width: '7rem', align: 'end', from: 'medium', cell: (job) => took(job) },
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
