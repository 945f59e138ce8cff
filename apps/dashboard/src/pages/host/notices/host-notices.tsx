import type { HostDetail } from '@plimsoll/contract';
import { brokenWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';
import { useApi } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { dateInWords } from '../../../design/time/moment-words.ts';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import { rhythmInWords } from '../../../words/rhythm-words.ts';
import { ApproveButton } from '../../hosts/approve-button.tsx';
import { DeleteHost } from '../delete-host.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';
import { useOpenTab } from '../host-search.ts';
import { useHostLife } from '../retire-host.tsx';
import { FailedPulls, NoReportYet, StaleReport, WaitingReport } from './freshness-notices.tsx';

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
  if (host.broken_count > 0) notices.push(<BrokenPackages key="broken" host={host} />);
  const facts = host.incomplete_facts.filter(({ fact }) => decisiveFacts.includes(fact));
  if (facts.length > 0) notices.push(<IncompleteFacts key="facts" facts={facts} />);
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

/** The most packages and messages that are listed. */
const mostListed = 10;

/** Installations that did not end, and how to finish them. */
function BrokenPackages({ host }: { readonly host: HostDetail }) {
  const { broken_packages, broken_count, repair } = host;
  const others = broken_count - Math.min(broken_count, mostListed);
  return (
    <Notice tone="important">
      <p>
        <strong>The installation of {amountInWords(broken_count, 'package', 'packages')} did not end.</strong>{' '}
        A fix that it brings does not count yet. Finish it on the host
        {repair.map((command, index) => (
          <Fragment key={command}>
            {index === 0 ? ' with ' : ', then '}
            <code>{command}</code>
          </Fragment>
        ))}
        .
      </p>
      <ul>
        {broken_packages.slice(0, mostListed).map(({ name, architecture, version, state }) => (
          <li key={`${name} ${architecture} ${version}`}>
            <ForeignText text={`${name} ${version}`.trim()} />: {brokenWords[state]}
          </li>
        ))}
        {others > 0 && <li>and {others} more</li>}
      </ul>
    </Notice>
  );
}

/** Facts on which findings and updates depend. Without root the services are never known in whole. */
const decisiveFacts: readonly string[] = ['packages', 'upgradable', 'origins', 'platform'];

/** What a tool of the host said beside an answer that may not be complete. */
function IncompleteFacts({ facts }: { readonly facts: HostDetail['incomplete_facts'] }) {
  return (
    <Notice tone="neutral">
      <p>
        <strong>The host could not read everything.</strong> What depends on it is not known.
      </p>
      <ul>
        {facts.slice(0, mostListed).map(({ fact, detail }) => (
          <li key={`${fact} ${detail}`}>
            <ForeignText text={detail} />
          </li>
        ))}
      </ul>
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

/** Asks to approve or delete a host that enrolled by itself. */
function PendingApproval({ host }: { readonly host: HostDetail }) {
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

/** Says that a host is retired, and takes it back into service. */
function RetiredHost({ host }: { readonly host: HostDetail }) {
  const mayReinstate = useMay('operator');
  const life = useHostLife(host.id);
  const openTab = useOpenTab();
  const isAgent = host.onboarding_mode === 'agent';
  const reinstate = () =>
    toast.outcome(
      life.mutateAsync('reinstate').then(() => {
        if (isAgent) openTab('settings');
      }),
      isAgent ? 'The host is reinstated. Connect its agent again.' : 'The host is reinstated.',
    );
  return (
    <Notice tone="important">
      <p>
        <strong>
          This host was retired <Time at={host.retired_at} />.
        </strong>{' '}
        It is in no list and in no total, and its reports are refused. What is shown here is as of its last
        report.
        {isAgent && ' After it is reinstated, its agent must be connected again: Settings has the command.'}
      </p>
      {mayReinstate && (
        <div className={styles['inline']}>
          <Button isPending={life.isPending} onPress={reinstate}>
            Reinstate
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** Warns that another host has the same machine id: one machine with two names, or a clone. */
function MachineConflict({ host, otherId }: { readonly host: HostDetail; readonly otherId: string }) {
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
