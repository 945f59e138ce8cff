import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/problem.ts';
import { isBelow } from '../../../api/query-path.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Notice } from '../../../design/notice.tsx';
import { groupedNumber, hostsInWords } from '../../../design/number-words.ts';
import { Progress } from '../../../design/progress.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../hosts.module.css';
import { type ActionInput, useActionInput } from './action-input.tsx';
import type { BulkAction } from './bulk-actions.ts';
import { canBeDoubtful, DoubtfulMatches } from './doubtful-hosts.tsx';
import { type Agreed, type EverythingProgress, runEverything } from './run-everything.ts';
import { LeftOnHosts } from './uninstall-agent.tsx';
import { changedPaths } from './use-bulk.ts';

interface EverythingDialogProps {
  readonly action: BulkAction;
  readonly agreed: Agreed;
  readonly onClose: () => void;
}

type State =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running' | 'ended'; readonly progress: EverythingProgress | null };

/** Confirms an action on all hosts that match the filters, runs it in parts, and says what became of them. */
export function EverythingDialog({ action, agreed, onClose }: EverythingDialogProps) {
  const client = useQueryClient();
  const [state, setState] = useState<State>({ kind: 'asking' });
  const [failure, setFailure] = useState<unknown>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const start = async (input: ActionInput) => {
    const controller = new AbortController();
    stopper.current = controller;
    let latest: EverythingProgress | null = null;
    setFailure(null);
    setState({ kind: 'running', progress: null });
    try {
      await runEverything(action, agreed, { input, signal: controller.signal }, (progress) => {
        latest = progress;
        setState({ kind: 'running', progress });
      });
    } catch (error) {
      setFailure(error);
    }
    setState(latest === null ? { kind: 'asking' } : { kind: 'ended', progress: latest });
    void client.invalidateQueries({ predicate: ({ queryKey }) => isBelow(queryKey[0], changedPaths) });
  };
  return (
    <Dialog title={`${action.words}: all ${hostsInWords(agreed.total)} that match`} isOpen onClose={onClose}>
      <div className={styles['dialog']}>
        {failure !== null && <Notice tone="critical">{messageOf(failure)}</Notice>}
        {state.kind === 'asking' && (
          <Question action={action} agreed={agreed} onStart={start} onCancel={onClose} />
        )}
        {state.kind === 'running' && (
          <Running action={action} progress={state.progress} onStop={() => stopper.current?.abort()} />
        )}
        {state.kind === 'ended' && <Outcome action={action} progress={state.progress} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

interface QuestionProps {
  readonly action: BulkAction;
  readonly agreed: Agreed;
  readonly onStart: (input: ActionInput) => Promise<void>;
  readonly onCancel: () => void;
}

function Question({ action, agreed: { total, filters }, onStart, onCancel }: QuestionProps) {
  const { input, fields, isComplete } = useActionInput(action);
  const [typed, setTyped] = useState('');
  const mayBeDoubtful = action.kind === 'approve' && canBeDoubtful(filters);
  const [isShown, setIsShown] = useState(false);
  const onShown = useCallback(() => setIsShown(true), []);
  const isAgreed = action.isDangerous !== true || typed.replaceAll(/\D/g, '') === String(total);
  return (
    <form
      className={styles['dialog']}
      onSubmit={(event) => {
        event.preventDefault();
        void onStart(input);
      }}
    >
      {fields}
      <p>{action.meaning}</p>
      {mayBeDoubtful && <DoubtfulMatches filters={filters} onShown={onShown} />}
      {action.endsReports === true && <LeftOnHosts hasAgents arePulled />}
      <p>
        This concerns exactly the {hostsInWords(total)} that match the filters now, 1,000 at a time. If
        another number matches by then, nothing is done. Hosts to which the action does not apply are not
        changed.
      </p>
      {action.isDangerous === true && (
        <TextField
          label={`Type the number of hosts, ${groupedNumber(total)}, to confirm`}
          value={typed}
          onChange={setTyped}
          isRequired
          autoComplete="off"
        />
      )}
      <div className={styles['buttons']}>
        <Button onPress={onCancel}>Cancel</Button>
        <Button
          type="submit"
          look={action.isDangerous === true ? 'danger' : 'primary'}
          isDisabled={!isComplete || !isAgreed || (mayBeDoubtful && !isShown)}
        >
          {action.words}: {hostsInWords(total)}
        </Button>
      </div>
    </form>
  );
}

interface RunningProps {
  readonly action: BulkAction;
  readonly progress: EverythingProgress | null;
  readonly onStop: () => void;
}

function Running({ action, progress, onStop }: RunningProps) {
  const ended = progress === null ? 0 : progress.done + progress.unchanged + progress.refused;
  const of = progress?.of ?? 0;
  return (
    <>
      <Progress
        label={`${action.words}: ${groupedNumber(ended)} of ${groupedNumber(of)}`}
        part={of === 0 ? null : ended / of}
      />
      <div className={styles['buttons']}>
        <Button onPress={onStop}>Stop</Button>
      </div>
    </>
  );
}

interface OutcomeProps {
  readonly action: BulkAction;
  readonly progress: EverythingProgress | null;
  readonly onClose: () => void;
}

function Outcome({ action, progress, onClose }: OutcomeProps) {
  if (progress === null) return null;
  const { of, done, unchanged, refused, refusals } = progress;
  const left = of - done - unchanged - refused;
  return (
    <>
      <Notice tone={refused + left > 0 ? 'important' : 'neutral'}>
        {groupedNumber(done)} of {hostsInWords(of)} {action.done}
        {unchanged > 0 && `, ${groupedNumber(unchanged)} needed no change`}
        {refused > 0 && `, ${groupedNumber(refused)} refused`}
        {left > 0 && `, ${groupedNumber(left)} not reached`}.
      </Notice>
      {refusals.length > 0 && (
        <ul className={styles['names']} aria-label="Hosts that were refused">
          {refusals.map(({ id, name, detail }) => (
            <li key={id}>
              <Link to="/hosts/$id" params={{ id }}>
                <ForeignText text={name} oneLine />
              </Link>
              : <ForeignText text={detail} />
            </li>
          ))}
          {refused > refusals.length && <li>and {groupedNumber(refused - refusals.length)} more</li>}
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
