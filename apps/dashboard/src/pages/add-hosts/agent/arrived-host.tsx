import type { Host, Upload } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { messageOf } from '../../../api/problem.ts';
import { apiQuery, useChange } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Progress } from '../../../design/progress.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { Time } from '../../../design/time/time.tsx';
import styles from '../add-hosts.module.css';
import { FindingCounts } from '../finding-counts.tsx';

/** A host that has just enrolled: its approval and the progress of its first report. */
export function ArrivedHost({ host }: { readonly host: Host }) {
  return (
    <li className={styles['entry']}>
      <div className={styles['row']}>
        <Link to="/hosts/$id" params={{ id: host.id }} className={styles['name'] ?? ''}>
          <ForeignText text={host.display_name} oneLine />
        </Link>
        <span>
          enrolled <Time at={host.created_at} />
        </span>
        {host.approval_status === 'approved' ? (
          <Badge tone="good">Approved</Badge>
        ) : (
          <Badge tone="moderate">Waiting for approval</Badge>
        )}
      </div>
      {host.machine_id_conflict_with !== null && <Conflict otherId={host.machine_id_conflict_with} />}
      {host.approval_status === 'pending' && <Approve host={host} />}
      <FirstReport host={host} />
    </li>
  );
}

function Conflict({ otherId }: { readonly otherId: string }) {
  return (
    <Notice tone="important">
      <p>
        <Link to="/hosts/$id" params={{ id: otherId }}>
          Another host
        </Link>{' '}
        has the same machine id. If this host is a clone, give it its own machine id. If it was added twice,
        delete one of the two.
      </p>
    </Notice>
  );
}

function Approve({ host }: { readonly host: Host }) {
  const approve = useChange(
    () => api.post('/hosts/{id}/approve', { params: { id: host.id } }),
    ['/hosts', '/fleet'],
  );
  return (
    <>
      {approve.isError && <Notice tone="critical">{messageOf(approve.error)}</Notice>}
      <div>
        <Button
          look="primary"
          isPending={approve.isPending}
          onPress={() => approve.mutate()}
          aria-label={`Approve ${printable(host.display_name, 60)}`}
        >
          Approve
        </Button>
      </div>
    </>
  );
}

const pollMs = 3_000;

/** Progress of a host's first report, up to its result. */
function FirstReport({ host }: { readonly host: Host }) {
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
