import type { HostDetail } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { ApiProblem, messageOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/queries.ts';
import { Button, LinkButton } from '../../../design/button.tsx';
import { FileDrop } from '../../../design/form/file-drop.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Progress } from '../../../design/progress.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';
import { LineErrors } from '../line-errors.tsx';

/** Seconds to wait for the result; a longer one is listed under Uploads. */
const waitSeconds = 30;

interface ChosenReport {
  readonly file: File;
  readonly force: boolean;
}

/** Uploads a report of the collector by hand, for hosts of every onboarding mode. */
export function ReportUpload({ host }: { readonly host: HostDetail }) {
  const [chosen, setChosen] = useState<ChosenReport | null>(null);
  const upload = useChange(
    ({ file, force }: ChosenReport) =>
      api.post('/hosts/{id}/report', {
        params: { id: host.id },
        query: force ? { force: 'true' } : {},
        body: new Blob([file], { type: 'text/plain' }),
        wait: waitSeconds,
      }),
    ['/hosts', '/fleet'],
  );
  const send = (next: ChosenReport) => {
    setChosen(next);
    upload.mutate(next);
  };
  return (
    <Panel
      title="Upload a report"
      actions={
        <LinkButton to="/add-hosts" search={{ way: 'manual' }}>
          Download the collector
        </LinkButton>
      }
    >
      <div className={styles['stack']}>
        <FileDrop
          label="Drop the collector's report here"
          isPending={upload.isPending}
          onFile={(file) => send({ file, force: false })}
        />
        {upload.isPending && <Progress label="Processing the report" part={null} />}
        {upload.isSuccess && <Outcome answer={upload.data} />}
        {upload.isError && (
          <Refusal
            error={upload.error}
            onForce={chosen === null ? null : () => send({ ...chosen, force: true })}
          />
        )}
      </div>
    </Panel>
  );
}

function Outcome({ answer }: { readonly answer: { readonly status: 'queued' | 'unchanged' | 'done' } }) {
  const words = {
    done: (
      <>
        The report was processed. See the <HostLink search={{ tab: 'vulnerable' }}>findings</HostLink>.
      </>
    ),
    unchanged: 'The report is identical to the last one. Nothing changed.',
    queued: (
      <>
        The report is stored and will be processed. See{' '}
        <HostLink search={{ tab: 'uploads' }}>Uploads</HostLink> for its state.
      </>
    ),
  };
  return (
    <Notice tone="good">
      <p>{words[answer.status]}</p>
    </Notice>
  );
}

interface RefusalProps {
  readonly error: Error;
  readonly onForce: (() => void) | null;
}

function Refusal({ error, onForce }: RefusalProps) {
  const problem = error instanceof ApiProblem ? error : null;
  const canForce = problem?.code === 'machine_id_mismatch' || problem?.code === 'report_outdated';
  return (
    <Notice tone="critical">
      <p>
        <ForeignText text={problem === null ? messageOf(error) : problem.message} />
      </p>
      {problem !== null && <LineErrors errors={problem.fields} />}
      {canForce && onForce !== null && (
        <div>
          <Button onPress={onForce}>Import anyway</Button>
        </div>
      )}
    </Notice>
  );
}
