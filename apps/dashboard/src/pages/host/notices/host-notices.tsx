import type { HostDetail } from '@plimsoll/contract';
import type { ReactNode } from 'react';
import { useMay } from '../../../api/session.ts';
import { Notice } from '../../../design/notice.tsx';
import { dateInWords } from '../../../design/time/moment-words.ts';
import { rhythmInWords } from '../../../words/rhythm-words.ts';
import { HostLink } from '../host-link.tsx';
import { FailedPulls, NoReportYet, StaleReport, WaitingReport } from './freshness-notices.tsx';
import { MachineConflict } from './machine-conflict.tsx';
import { PendingApproval } from './pending-approval.tsx';
import { RetiredHost } from './retired-host.tsx';

/** Problems that limit how reliable the rest of the page is. */
export function HostNotices({ host }: { readonly host: HostDetail }) {
  const { ssh } = host;
  const notices: ReactNode[] = [];
  if (host.approval_status === 'retired') return [<RetiredHost key="retired" host={host} />];
  if (host.approval_status === 'pending') notices.push(<PendingApproval key="pending" host={host} />);
  if (host.machine_id_conflict_with !== null) {
    notices.push(<MachineConflict key="conflict" host={host} otherId={host.machine_id_conflict_with} />);
  }
  if (ssh !== null && ssh.other_host_key !== null) notices.push(<OtherHostKey key="key" />);
  else if (host.status === 'unreachable') notices.push(<FailedPulls key="pulls" />);
  if (host.status === 'new' || host.approval_status === 'pending')
    notices.push(<WaitingReport key="waiting" host={host} />);
  if (host.status === 'new') notices.push(<NoReportYet key="new" host={host} />);
  if (host.status === 'stale') notices.push(<StaleReport key="stale" host={host} />);
  if (host.patch_rhythm.state === 'stopped') notices.push(<RhythmStopped key="rhythm" host={host} />);
  if (ssh?.collector_outdated === true) notices.push(<CollectorOutdated key="collector" />);
  return notices;
}

function OtherHostKey() {
  const mayAccept = useMay('admin');
  return (
    <Notice tone="critical">
      <p>
        <strong>The host key is not the pinned one.</strong> The host was reinstalled, or another machine
        answers at its address. No credentials were sent.{' '}
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

/** The host no longer installs updates as often as it used to. */
function RhythmStopped({ host }: { readonly host: HostDetail }) {
  const { last_round_at } = host.patch_rhythm;
  return (
    <Notice tone="important">
      <p>
        <strong>No update was installed since {dateInWords(new Date(last_round_at ?? 0), 'UTC')}.</strong>{' '}
        {rhythmInWords(host.patch_rhythm)}{' '}
        {host.updates_state === 'known' && `${host.available_updates} wait: `}
        <HostLink search={{ tab: 'updates' }}>updates</HostLink>. Is its timer or maintenance window off?
      </p>
    </Notice>
  );
}

function CollectorOutdated() {
  return (
    <Notice tone="neutral">
      <p>
        The host runs an older collector, which may report less. Replace the line in its authorized_keys:{' '}
        <HostLink search={{ tab: 'settings' }}>Settings</HostLink> has it to copy.
      </p>
    </Notice>
  );
}
