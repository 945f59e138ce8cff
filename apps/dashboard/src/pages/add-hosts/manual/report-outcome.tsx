import type { AcceptedReport, FinishedReport, Host } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';
import { Progress } from '../../../design/progress.tsx';
import { Failed } from '../../../design/states.tsx';
import { HostResult } from '../host-result.tsx';
import { RejectedLines } from './rejected-lines.tsx';

const pollMs = 1_000;

interface ReportOutcomeProps {
  readonly host: Host;
  readonly file: File;
  readonly answer: AcceptedReport | FinishedReport;
}

/** Result of an accepted report; waits for a slow one. */
export function ReportOutcome({ host, file, answer }: ReportOutcomeProps) {
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
