import type { HostDetail } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { DeleteHost } from '../delete-host.tsx';
import styles from '../host.module.css';

/** Warns that another host has the same machine id: one machine with two names, or a clone. */
export function MachineConflict({ host, otherId }: { readonly host: HostDetail; readonly otherId: string }) {
  const mayDelete = useMay('operator');
  const [isDeleting, setIsDeleting] = useState(false);
  const other = useApi('/hosts/{id}', { params: { id: otherId } });
  return (
    <Notice tone="important">
      <p>
        <strong>
          Another host has the same machine id:{' '}
          <Link to="/hosts/$id" params={{ id: otherId }} search={{}}>
            <ForeignText text={other.data?.display_name ?? 'another host'} oneLine />
          </Link>
        </strong>
        {other.data !== undefined && (
          <>
            , seen <Time at={other.data.last_seen_at} />
          </>
        )}
        . If the machine was enrolled twice, delete the older host. If it is a clone, give it its own machine
        id (<code>systemd-machine-id-setup</code>) and enrol it again.
      </p>
      {mayDelete && (
        <div className={styles['inline']}>
          <Button isDisabled={other.data === undefined} onPress={() => setIsDeleting(true)}>
            Delete the other host…
          </Button>
          {other.data !== undefined && (
            <DeleteHost host={other.data} isOpen={isDeleting} onClose={() => setIsDeleting(false)} stay />
          )}
          {host.approval_status === 'approved' && (
            <span className={styles['muted']}>This host can be deleted under Settings.</span>
          )}
        </div>
      )}
    </Notice>
  );
}
