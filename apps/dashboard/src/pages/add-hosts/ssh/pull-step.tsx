import type { Host, PullJob } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { messageOf } from '../../../api/problem.ts';
import { apiQuery, useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Progress } from '../../../design/progress.tsx';
import { Loaded } from '../../../design/states.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../add-hosts.module.css';
import { Step } from '../step.tsx';
import { PullOutcome } from './pull-outcome.tsx';

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
