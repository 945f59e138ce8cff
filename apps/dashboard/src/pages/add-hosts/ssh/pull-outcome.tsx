import type { PullJob } from '@plimsoll/contract';
import { pullErrorWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../../design/notice.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { HostResult } from '../host-result.tsx';

/** Result of a finished pull. */
export function PullOutcome({ job }: { readonly job: PullJob }) {
  switch (job.status) {
    case 'queued':
    case 'running':
      return null;
    case 'succeeded':
      return (
        <HostResult
          hostId={job.host_id}
          words={
            <>
              The pull succeeded <Time at={job.finished_at} />. The host is now pulled on its schedule.
            </>
          }
        />
      );
    case 'cancelled':
      return (
        <Notice tone="neutral">
          <p>The pull was cancelled.</p>
        </Notice>
      );
    case 'failed':
      return <FailedPull job={job} />;
    default:
      return job.status satisfies never;
  }
}

function FailedPull({ job }: { readonly job: PullJob }) {
  const { words, advice } = pullErrorWords[job.error_code ?? 'internal'];
  return (
    <Notice tone="critical">
      <p>
        <strong>{words}</strong> (<code>{job.error_code ?? 'internal'}</code>, <Time at={job.finished_at} />)
      </p>
      <p>{job.error_message === null ? advice : <ForeignText text={job.error_message} />}</p>
      {job.error_code === 'host_key_mismatch' && (
        <p>
          If the key belongs to the host, an administrator can accept it in the{' '}
          <Link to="/hosts/$id" params={{ id: job.host_id }} search={{ tab: 'settings' }}>
            settings of the host
          </Link>
          .
        </p>
      )}
    </Notice>
  );
}
