import type { AcceptedReport, FinishedReport, Host } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { apiQuery, useChange } from '../../../api/queries.ts';
import { FileDrop } from '../../../design/form/file-drop.tsx';
import { Progress } from '../../../design/progress.tsx';
import { Failed } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../add-hosts.module.css';
import { HostResult } from '../host-result.tsx';
import { Step } from '../step.tsx';
import { RejectedLines } from './rejected-lines.tsx';
import { ReportFailure } from './report-failure.tsx';

const waitSeconds = 30;
const mebibyte = 1024 * 1024;
/** Largest report that the service accepts, in bytes. */
const limitBytes = 32 * mebibyte;

interface ChosenReport {
  readonly file: File;
  /** Whether to accept a report of another machine, or one that is older than the last. */
  readonly force: boolean;
}

async function send(hostId: string, { file, force }: ChosenReport) {
  if (file.size > limitBytes) {
    const size = (file.size / mebibyte).toFixed(1);
    throw new Error(`The file has ${size} MiB. Reports have at most 32 MiB, so it cannot be a report.`);
  }
  return api.post('/hosts/{id}/report', {
    params: { id: hostId },
    query: force ? { force: 'true' } : {},
    body: new Blob([file], { type: 'text/plain' }),
    wait: waitSeconds,
  });
}

/** Uploads the host's report, and shows its result or its errors. */
export function ReportStep({ host }: { readonly host: Host }) {
  const upload = useChange((chosen: ChosenReport) => send(host.id, chosen), ['/hosts', '/fleet']);
  const file = upload.variables?.file;
  return (
    <Step number={3} title="Upload the report">
      <FileDrop
        label="Drop the report here"
        isPending={upload.isPending}
        onFile={(dropped) => {
          if (!upload.isPending) upload.mutate({ file: dropped, force: false });
        }}
      />
      {file !== undefined && (
        <p className={styles['lead']}>
          <ForeignText text={file.name} oneLine />
        </p>
      )}
      {upload.isPending && <Progress label="Sending and processing the report" part={null} />}
      {upload.isError && file !== undefined && (
        <ReportFailure
          host={host}
          file={file}
          error={upload.error}
          onForce={() => upload.mutate({ file, force: true })}
          onRetry={() => upload.mutate(upload.variables)}
        />
      )}
      {upload.isSuccess && (
        <ReportOutcome
          key={upload.submittedAt}
          host={host}
          file={upload.variables.file}
          answer={upload.data}
        />
      )}
    </Step>
  );
}

const pollMs = 1_000;

interface ReportOutcomeProps {
  readonly host: Host;
  readonly file: File;
  readonly answer: AcceptedReport | FinishedReport;
}

/** Result of an accepted report; waits for a slow one. */
function ReportOutcome({ host, file, answer }: ReportOutcomeProps) {
  const isOpen = answer.status !== 'done';
  const { data, error, refetch } = useQuery({
    ...apiQuery('/hosts/{id}/reports/{reportId}', { params: { id: host.id, reportId: answer.report_id } }),
    enabled: isOpen,
    refetchInterval: ({ state }) =>
      isOpen && (state.data?.status ?? 'queued') === 'queued' ? pollMs : false,
  });
  if (!isOpen || data?.status === 'done') {
    return <HostResult hostId={host.id} words="The report was imported. Result:" />;
  }
  if (data?.status === 'rejected') return <RejectedLines file={file} faults={data.errors} />;
  if (error !== null) return <Failed error={error} retry={() => void refetch()} />;
  return <Progress label="The report is stored and will be processed" part={null} />;
}
