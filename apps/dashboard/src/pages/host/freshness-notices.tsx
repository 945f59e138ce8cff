import type { HostDetail } from '@plimsoll/contract';
import { useMay } from '../../api/session.ts';
import { Notice } from '../../design/notice.tsx';
import { Time } from '../../design/time.tsx';
import { HostLink } from './host-link.tsx';

/** The host was added, and has told nothing yet. */
export function NoReportYet({ host }: { readonly host: HostDetail }) {
  const mayBring = useMay('operator');
  const settings = <HostLink search={{ tab: 'settings' }}>Settings</HostLink>;
  const next = {
    agent: <>The agent sends its first report within a few minutes of its start. What came in is under </>,
    ssh: <>Put the line from {settings} into its authorized_keys, then pull it. How pulls went is under </>,
    manual: mayBring ? (
      <>Run the collector on the host and drop its report under {settings}. What came in is under </>
    ) : (
      <>An operator has to bring its first report. What came in is under </>
    ),
  };
  const tab = host.onboarding_mode === 'ssh' ? 'pulls' : 'uploads';
  return (
    <Notice tone="neutral">
      <p>
        <strong>Nothing is known of this host yet.</strong> {next[host.onboarding_mode]}
        <HostLink search={{ tab }}>{tab === 'pulls' ? 'Pulls' : 'Uploads'}</HostLink>.
      </p>
    </Notice>
  );
}

/** No report has come for long: what stands below is old. */
export function AgentGone({ host }: { readonly host: HostDetail }) {
  const next = {
    agent: 'Look on the host whether plimsoll-agent runs and reaches this server.',
    ssh: host.ssh?.pull_paused === true ? 'Its pulls are paused.' : 'Pull it now, or see how its pulls went.',
    manual: 'Run the collector on it again and bring the report.',
  };
  return (
    <Notice tone="important">
      <p>
        <strong>
          The last report is of <Time at={host.snapshot_collected_at} />.
        </strong>{' '}
        What stands below was true then. {next[host.onboarding_mode]}
      </p>
    </Notice>
  );
}

/** The last pulls failed. */
export function PullsFail() {
  return (
    <Notice tone="critical">
      <p>
        <strong>The last pulls of this host failed.</strong> What stands below is of the last one that worked.{' '}
        <HostLink search={{ tab: 'pulls' }}>Pulls</HostLink> says why, and what to do.
      </p>
    </Notice>
  );
}
