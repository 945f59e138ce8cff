import type { Host } from '@plimsoll/contract';
import type { ReactNode } from 'react';
import { ApiProblem, messageOf } from '../../../api/problem.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { RejectedLines } from './rejected-lines.tsx';

interface ReportFailureProps {
  readonly host: Host;
  readonly file: File;
  readonly error: Error;
  readonly onForce: () => void;
  readonly onRetry: () => void;
}

/** Why a report was refused, and what to do. */
export function ReportFailure({ host, file, error, onForce, onRetry }: ReportFailureProps) {
  const code = error instanceof ApiProblem ? error.code : null;
  if (error instanceof ApiProblem && code === 'report_invalid') {
    return <RejectedLines file={file} faults={error.fields} />;
  }
  if (code === 'machine_id_mismatch') {
    return (
      <ImportAnyway onForce={onForce}>
        <p>
          <strong>This report is from another machine.</strong> Its machine id differs from this host. Choose
          the right host. If this host was reinstalled or replaced, import it anyway.
        </p>
      </ImportAnyway>
    );
  }
  if (code === 'report_outdated') {
    return (
      <ImportAnyway onForce={onForce}>
        <p>
          <strong>This report is older than the last report of the host</strong>
          {host.snapshot_collected_at !== null && (
            <>
              , which was collected at <ExactTime at={host.snapshot_collected_at} />
            </>
          )}
          . Run the collector again. If the clock of the host was wrong, import it anyway.
        </p>
      </ImportAnyway>
    );
  }
  return (
    <Notice tone="critical">
      <p>{messageOf(error)}</p>
      {error instanceof ApiProblem && error.requestId !== null && (
        <p>
          Request <code>{error.requestId}</code>
        </p>
      )}
      <div>
        <Button onPress={onRetry}>Try again</Button>
      </div>
    </Notice>
  );
}

function ImportAnyway({ onForce, children }: { readonly onForce: () => void; readonly children: ReactNode }) {
  return (
    <Notice tone="important">
      {children}
      <div>
        <Button onPress={onForce}>Import anyway</Button>
      </div>
    </Notice>
  );
}
