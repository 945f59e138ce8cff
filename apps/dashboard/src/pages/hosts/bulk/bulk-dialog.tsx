import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { hostsInWords } from '../../../design/number-words.ts';
import { Progress } from '../../../design/progress.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../hosts.module.css';
import type { SelectedHost } from '../table/selected-host.ts';
import { useSelection } from '../table/selection.ts';
import type { ActionInput } from './action-input.tsx';
import type { BulkAction } from './bulk-actions.ts';
import { BulkOutcome } from './bulk-outcome.tsx';
import { leftOf } from './bulk-progress.ts';
import { BulkQuestion } from './bulk-question.tsx';
import type { BulkState } from './use-bulk.ts';
import { useBulk } from './use-bulk.ts';

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
