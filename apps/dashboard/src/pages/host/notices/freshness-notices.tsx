import type { HostDetail, Upload } from '@plimsoll/contract';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Notice } from '../../../design/notice.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ExactTime, Time } from '../../../design/time/time.tsx';
import { reportedAt } from '../../../words/knowledge.ts';
import { HostLink } from '../host-link.tsx';

/** Shown while no report has arrived: how to get one. */
export function NoReportYet({ host }: { readonly host: HostDetail }) {
  return useWaitingReport(host.id) === null ? <NoReport host={host} /> : null;
}

/** Shown while the newest report is not parsed: the page shows older data, or none. */
export function WaitingReport({ host }: { readonly host: HostDetail }) {
  const waiting = useWaitingReport(host.id);
  if (waiting === null || waiting === 'unknown') return null;
  return (
    <Notice tone={host.status === 'new' || host.approval_status === 'pending' ? 'important' : 'neutral'}>
      <p>
        <strong>
          The report of <ExactTime at={waiting.received_at} /> is not processed yet.
        </strong>{' '}
        {host.status === 'new' ? 'Until then nothing is known of this host.' : 'Everything below is older.'}{' '}
        {host.approval_status === 'pending' &&
          'Reports of hosts that are not approved are processed last; one that brings many new packages may wait for the approval.'}
        {host.approval_status === 'approved' &&
          host.onboarding_mode === 'agent' &&
          isNew(host) &&
          'The host is new. If its registration token approved it, a report that brings many new packages may wait for up to a day after it enrolled.'}
      </p>
    </Notice>
  );
}

/** Whether the host is less than a day old. Until then a host that its token approved shares an allowance. */
function isNew({ created_at: at }: HostDetail): boolean {
  return Date.now() - Date.parse(at) < 24 * 60 * 60_000;
}

function NoReport({ host }: { readonly host: HostDetail }) {
  const mayBring = useMay('operator');
  const settings = <HostLink search={{ tab: 'settings' }}>Settings</HostLink>;
  const next = {
    agent: <>The agent sends its first report within a few minutes after its start. See </>,
    ssh: <>Add the line from {settings} to its authorized_keys, then pull it. See </>,
    manual: mayBring ? (
      <>Run the collector on the host and upload its report under {settings}. See </>
    ) : (
      <>An operator can upload its first report. See </>
    ),
  };
  const tab = host.onboarding_mode === 'ssh' ? 'pulls' : 'uploads';
  return (
    <Notice tone="neutral">
      <p>
        <strong>No report received yet.</strong> {next[host.onboarding_mode]}
        <HostLink search={{ tab }}>{tab === 'pulls' ? 'Pulls' : 'Uploads'}</HostLink>.
      </p>
    </Notice>
  );
}

/** Shown while the last report is outdated. */
export function StaleReport({ host }: { readonly host: HostDetail }) {
  const mayRetire = useMay('operator');
  const next = {
    agent: 'If the host is running, run this on it as root. It sends a report, or says why it cannot:',
    ssh: host.ssh?.pull_paused === true ? 'Its pulls are paused.' : 'Pull it now, or see Pulls for errors.',
    manual: 'Run the collector on it again and upload the report.',
  };
  return (
    <Notice tone="important">
      <p>
        <strong>
          No report since <ExactTime at={reportedAt(host)} /> (<Time at={reportedAt(host)} />
          ).
        </strong>{' '}
        Everything below is from then. {next[host.onboarding_mode]}
      </p>
      {host.onboarding_mode === 'agent' && <CopyField text="plimsoll-agent run" what="command" />}
      {mayRetire && (
        <p>
          {host.onboarding_mode === 'agent'
            ? 'If it is not enrolled any more, connect it again, and if the host no longer exists, retire it: both under '
            : 'If the host no longer exists, retire it under '}
          <HostLink search={{ tab: 'settings' }}>Settings</HostLink>.
        </p>
      )}
    </Notice>
  );
}

/** Shown while pulls fail. */
export function FailedPulls() {
  return (
    <Notice tone="critical">
      <p>
        <strong>The last pulls of this host failed.</strong> Everything below is from the last successful
        report. See <HostLink search={{ tab: 'pulls' }}>Pulls</HostLink> for the cause and what to do.
      </p>
    </Notice>
  );
}

const pollMs = 5_000;

/**
 * The newest upload of a host if it is not parsed yet; null if it is parsed or the host has no upload, `unknown` until it
 * is read.
 */
function useWaitingReport(id: string): Upload | 'unknown' | null {
  const { data } = useQuery({
    ...apiQuery('/hosts/{id}/uploads', { params: { id }, query: { limit: '1' } }),
    refetchInterval: pollMs,
  });
  if (data === undefined) return 'unknown';
  const [newest] = data;
  return newest?.state === 'received' ? newest : null;
}
