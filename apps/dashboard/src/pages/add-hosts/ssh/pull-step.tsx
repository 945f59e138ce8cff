import type { Host, PullJob } from '@plimsoll/contract';
import { pullErrorWords } from '@plimsoll/words';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { messageOf } from '../../../api/problem.ts';
import { apiQuery, useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Progress } from '../../../design/progress.tsx';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../add-hosts.module.css';
import { HostResult } from '../host-result.tsx';
import { Step } from '../step.tsx';

const pollMs = 1_000;
const waitSeconds = 30;

function isOpen(job: PullJob | undefined): boolean {
  return job?.status === 'queued' || job?.status === 'running';
}

interface PullStepProps {
  readonly host: Host;
  readonly nextPullAt: string | null;
}

/** Pulls the host now and shows the progress live. */
export function PullStep({ host, nextPullAt }: PullStepProps) {
  const params = { id: host.id };
  const pull = useChange(
    () => api.post('/hosts/{id}/pull-now', { params, wait: waitSeconds }),
    ['/hosts', '/fleet'],
  );
  const jobs = useQuery({
    ...apiQuery('/hosts/{id}/pull-jobs', { params }),
    refetchInterval: ({ state }) => (pull.isPending || isOpen(state.data?.[0]) ? pollMs : false),
  });
  return (
    <Step number={3} title="Test the pull">
      <Loaded query={jobs}>
        {([newest]) => {
          const isPulling = pull.isPending || isOpen(newest);
          return (
            <>
              {newest === undefined && !isPulling && (
                <p className={styles['lead']}>
                  Test the pull after you added the line to the host. The next scheduled pull is{' '}
                  <Time at={nextPullAt} />.
                </p>
              )}
              {isPulling && <Progress label={stageOf(newest)} part={null} />}
              {pull.isError && <Notice tone="critical">{messageOf(pull.error)}</Notice>}
              {newest !== undefined && !isPulling && <PullOutcome key={newest.id} job={newest} />}
              <div>
                <Button
                  look={newest?.status === 'succeeded' ? 'plain' : 'primary'}
                  isPending={isPulling}
                  onPress={() => pull.mutate()}
                >
                  {newest === undefined ? 'Test the pull' : 'Test again'}
                </Button>
              </div>
            </>
          );
        }}
      </Loaded>
    </Step>
  );
}

function stageOf(job: PullJob | undefined): string {
  if (job?.status === 'running') return 'Pulling the host and processing its report';
  return 'Waiting for a worker';
}

/** Result of a finished pull. */
function PullOutcome({ job }: { readonly job: PullJob }) {
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
