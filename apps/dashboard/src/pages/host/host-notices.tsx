import type { HostDetail } from '@plimsoll/contract';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session.ts';
import { Notice } from '../../design/notice.tsx';
import { AgentGone, NoReportYet, PullsFail } from './freshness-notices.tsx';
import { HostLink } from './host-link.tsx';
import { MachineConflict } from './machine-conflict.tsx';
import { PendingApproval } from './pending-approval.tsx';

/** What somebody has to decide or mend before the rest of the page can be trusted. */
export function HostNotices({ host }: { readonly host: HostDetail }) {
  const { ssh } = host;
  const notices: ReactNode[] = [];
  if (host.approval_status === 'pending') notices.push(<PendingApproval key="pending" host={host} />);
  if (host.machine_id_conflict_with !== null) {
    notices.push(<MachineConflict key="conflict" host={host} otherId={host.machine_id_conflict_with} />);
  }
  if (ssh !== null && ssh.other_host_key !== null) notices.push(<OtherHostKey key="key" />);
  else if (host.status === 'unreachable') notices.push(<PullsFail key="pulls" />);
  if (host.status === 'new') notices.push(<NoReportYet key="new" host={host} />);
  if (host.status === 'stale') notices.push(<AgentGone key="stale" host={host} />);
  if (ssh?.collector_outdated === true) notices.push(<CollectorOutdated key="collector" />);
  return notices;
}

function OtherHostKey() {
  const mayAccept = useMay('admin');
  return (
    <Notice tone="critical">
      <p>
        <strong>The host shows another key than the pinned one.</strong> It was reinstalled, or somebody
        stands in its place. Nothing was sent to it.{' '}
        {mayAccept ? (
          <>
            Compare the keys and accept the new one under{' '}
            <HostLink search={{ tab: 'settings' }}>Settings</HostLink>.
          </>
        ) : (
          'Ask an administrator to compare the keys and accept the new one.'
        )}
      </p>
    </Notice>
  );
}

function CollectorOutdated() {
  return (
    <Notice tone="neutral">
      <p>
        The host lets an older collector run, and may tell less than it could. Put the new line into its
        authorized_keys: <HostLink search={{ tab: 'settings' }}>Settings</HostLink> has it to copy.
      </p>
    </Notice>
  );
}
