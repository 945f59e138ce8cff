import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../api/problem.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Notice } from '../../../design/notice.tsx';
import { hostsInWords } from '../../../design/number-words.ts';
import { Progress } from '../../../design/progress.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../hosts.module.css';
import type { SelectedHost } from '../table/selected-host.ts';
import { useSelection } from '../table/selection.ts';
import { type ActionInput, useActionInput } from './action-input.tsx';
import { type BulkAction, doubtfulFor, elsewhereInWords } from './bulk-actions.ts';
import { leftOf } from './bulk-progress.ts';
import { Doubtful, HostNames } from './doubtful-hosts.tsx';
import { LeftOnHosts } from './uninstall-agent.tsx';
import { type BulkState, useBulk } from './use-bulk.ts';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly hosts: readonly SelectedHost[];
  readonly onClose: () => void;
}

/** Confirms an action on many hosts, runs it, and lists the failures. Closing it stops the action. */
export function BulkDialog({ action, hosts, onClose }: BulkDialogProps) {
  const { state, start, stop } = useBulk(action);
  const { set } = useSelection();
  const begin = async (concerned: readonly SelectedHost[], input: ActionInput) => {
    const { done, failed } = await start(concerned, input);
    if (done.length < concerned.length || failed.length > 0) return;
    toast.done(`${hostsInWords(done.length)} ${action.done}.`);
    set([]);
    onClose();
  };
  const close = () => {
    // Hosts that are done or gone leave the selection.
    if (state.kind === 'ended') set(leftOf(hosts, state.progress));
    onClose();
  };
  return (
    <Dialog title={`${action.words}: ${hostsInWords(hosts.length)} selected`} isOpen onClose={close}>
      <div className={styles['dialog']}>
        {state.kind === 'asking' && (
          <BulkQuestion action={action} hosts={hosts} onStart={begin} onCancel={close} />
        )}
        {state.kind === 'running' && <BulkRunning action={action} state={state} onStop={stop} />}
        {state.kind === 'ended' && (
          <BulkOutcome action={action} hosts={hosts} state={state} onClose={close} />
        )}
      </div>
    </Dialog>
  );
}

interface BulkRunningProps {
  readonly action: BulkAction;
  readonly state: Extract<BulkState, { kind: 'running' }>;
  readonly onStop: () => void;
}

/** Progress of the action, with a button that ends the wait for pulls. */
function BulkRunning({ action, state: { of, progress }, onStop }: BulkRunningProps) {
  const ended = progress.done.length + progress.failed.length;
  return (
    <>
      <Progress
        label={`${action.words}: ${ended} of ${of}`}
        part={action.kind === 'pull_now' ? ended / of : null}
      />
      {progress.failed.length > 0 && <p>{progress.failed.length} failed so far.</p>}
      {action.kind === 'pull_now' && (
        <div className={styles['buttons']}>
          <Button onPress={onStop}>Do not wait</Button>
        </div>
      )}
    </>
  );
}

const shownFailures = 100;

interface BulkOutcomeProps {
  readonly action: BulkAction;
  /** The selection. */
  readonly hosts: readonly SelectedHost[];
  readonly state: Extract<BulkState, { kind: 'ended' }>;
  readonly onClose: () => void;
}

/** The hosts on which the action failed, with the reasons; they stay selected for a retry. */
function BulkOutcome({ action, hosts, state, onClose }: BulkOutcomeProps) {
  const { of, progress, isStopped } = state;
  const { done, failed } = progress;
  return (
    <>
      <Notice tone={failed.length > 0 ? 'critical' : 'neutral'}>
        {isStopped && 'Stopped. '}
        {done.length} of {hostsInWords(of)} {action.done}
        {failed.length > 0 && `, ${failed.length} failed`}.
        {leftOf(hosts, progress).length > 0 && ' The other hosts stay selected.'}
      </Notice>
      {failed.length > 0 && (
        <ul className={styles['names']} aria-label="Hosts that failed">
          {failed.slice(0, shownFailures).map(({ host, error }) => (
            <li key={host.id}>
              <Link to="/hosts/$id" params={{ id: host.id }}>
                <ForeignText text={host.display_name} oneLine />
              </Link>
              : <ForeignText text={messageOf(error)} />
            </li>
          ))}
          {failed.length > shownFailures && <li>and {failed.length - shownFailures} more</li>}
        </ul>
      )}
      <div className={styles['buttons']}>
        <Button look="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}

interface BulkQuestionProps {
  readonly action: BulkAction;
  readonly hosts: readonly SelectedHost[];
  readonly onStart: (concerned: readonly SelectedHost[], input: ActionInput) => Promise<void>;
  readonly onCancel: () => void;
}

/** The number and names of the hosts, and the consequences of the action. */
function BulkQuestion({ action, hosts, onStart, onCancel }: BulkQuestionProps) {
  const [failure, setFailure] = useState<unknown>(null);
  const { input, fields, isComplete } = useActionInput(action);
  const concerned = hosts.filter(action.concerns);
  const leftOut = hosts.length - concerned.length;
  const doubtful = doubtfulFor(action, concerned);
  const { elsewhere: notShown, isElsewhereKnown } = useSelection();
  const elsewhere = elsewhereInWords(notShown, hosts.length, isElsewhereKnown);
  return (
    <form
      className={styles['dialog']}
      onSubmit={(event) => {
        event.preventDefault();
        void onStart(concerned, input).catch(setFailure);
      }}
    >
      {fields}
      {failure !== null && <Notice tone="critical">{messageOf(failure)}</Notice>}
      {elsewhere !== null && <Notice tone="important">{elsewhere}</Notice>}
      <p>{action.meaning}</p>
      <Doubtful hosts={doubtful} total={doubtful.length} />
      {action.endsReports === true && (
        <LeftOnHosts
          hasAgents={concerned.some(({ onboarding_mode }) => onboarding_mode === 'agent')}
          arePulled={concerned.some(({ onboarding_mode }) => onboarding_mode === 'ssh')}
        />
      )}
      {leftOut > 0 && (
        <p>
          {hostsInWords(leftOut)} left out: {action.leftOut}.
        </p>
      )}
      <HostNames label="Selected hosts" hosts={concerned} total={concerned.length} />
      <div className={styles['buttons']}>
        <Button onPress={onCancel}>Cancel</Button>
        <Button
          type="submit"
          look={action.isDangerous === true ? 'danger' : 'primary'}
          isDisabled={!isComplete}
        >
          {action.words}: {hostsInWords(concerned.length)}
        </Button>
      </div>
    </form>
  );
}
