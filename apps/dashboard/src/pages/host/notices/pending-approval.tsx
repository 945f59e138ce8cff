import type { HostDetail } from '@plimsoll/contract';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { ApproveButton } from '../../hosts/approve-button.tsx';
import { DeleteHost } from '../delete-host.tsx';
import styles from '../host.module.css';

/** Asks to approve or delete a host that enrolled by itself. */
export function PendingApproval({ host }: { readonly host: HostDetail }) {
  const mayApprove = useMay('operator');
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Notice tone="important">
      <p>
        <strong>This host is waiting for approval.</strong> Until then it is not included in any total.{' '}
        {mayApprove ? 'Approve it if you know it. Delete it if you do not.' : 'An operator can approve it.'}
      </p>
      {mayApprove && (
        <div className={styles['inline']}>
          <ApproveButton id={host.id} />
          <Button onPress={() => setIsDeleting(true)}>Delete…</Button>
          <DeleteHost host={host} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
        </div>
      )}
    </Notice>
  );
}
