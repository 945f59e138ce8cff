import type { Host, Upload } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';
import { Notice } from '../../../design/notice.tsx';
import { Progress } from '../../../design/progress.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { FindingCounts } from '../finding-counts.tsx';

const pollMs = 3_000;

/** Progress of a host's first report, up to its result. */
export function FirstReport({ host }: { readonly host: Host }) {
  const isWaiting = host.status === 'new';
  const uploads = useQuery({
    ...apiQuery('/hosts/{id}/uploads', { params: { id: host.id }, query: { limit: '1' } }),
    enabled: isWaiting,
    refetchInterval: isWaiting ? pollMs : false,
  });
  if (!isWaiting) {
    return (
      <>
        <p>Result of its first report:</p>
        <FindingCounts host={host} />
      </>
    );
  }
  const newest = uploads.data?.[0];
  if (newest?.state === 'rejected') return <Rejected upload={newest} />;
  return <Progress label={progressOf(host, newest)} part={null} />;
}

function progressOf({ approval_status }: Host, newest: Upload | undefined): string {
  if (newest === undefined) return 'Waiting for its first report';
  return newest.state === 'received' && approval_status === 'pending'
    ? 'Its first report waits: those of approved hosts are processed first'
    : 'Processing its first report';
}

function Rejected({ upload: { errors } }: { readonly upload: Upload }) {
  const [first] = errors;
  return (
    <Notice tone="critical">
      <p>Its first report was rejected. The host sends it again after it has changed.</p>
      {first !== undefined && (
        <p>
          <ForeignText text={first.pointer === '' ? first.detail : `${first.pointer}: ${first.detail}`} />
        </p>
      )}
    </Notice>
  );
}
