import { useState } from 'react';
import { messageOf } from '../../../api/problem.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { hostsInWords } from '../../../design/number-words.ts';
import styles from '../hosts.module.css';
import type { SelectedHost } from '../table/selected-host.ts';
import { useSelection } from '../table/selection.ts';
import { type ActionInput, useActionInput } from './action-input.tsx';
import { type BulkAction, doubtfulFor, elsewhereInWords } from './bulk-actions.ts';
import { Doubtful, HostNames } from './doubtful-hosts.tsx';
import { LeftOnHosts } from './uninstall-agent.tsx';

interface BulkQuestionProps {
  readonly action: BulkAction;
  readonly hosts: readonly SelectedHost[];
  readonly onStart: (concerned: readonly SelectedHost[], input: ActionInput) => Promise<void>;
  readonly onCancel: () => void;
}

/** The number and names of the hosts, and the consequences of the action. */
export function BulkQuestion({ action, hosts, onStart, onCancel }: BulkQuestionProps) {
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
