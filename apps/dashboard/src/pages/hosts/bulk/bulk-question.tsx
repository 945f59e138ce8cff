import { useState } from 'react';
import { messageOf } from '../../../api/problem.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { hostsInWords } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../hosts.module.css';
import type { SelectedHost } from '../table/selected-host.ts';
import { useSelection } from '../table/selection.ts';
import { type ActionInput, useActionInput } from './action-input.tsx';
import { type BulkAction, doubtfulFor, elsewhereInWords } from './bulk-actions.ts';
import { LeftOnHosts } from './uninstall-agent.tsx';

const namedHosts = 8;

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
      <Doubtful hosts={doubtfulFor(action, concerned)} />
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
      <Names label="Selected hosts" hosts={concerned} />
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

interface NamesProps {
  readonly label: string;
  readonly hosts: readonly SelectedHost[];
}

/** The first names, and how many more there are. */
function Names({ label, hosts }: NamesProps) {
  return (
    <ul className={styles['names']} aria-label={label}>
      {hosts.slice(0, namedHosts).map(({ id, display_name }) => (
        <li key={id}>
          <ForeignText text={display_name} oneLine />
        </li>
      ))}
      {hosts.length > namedHosts && <li>and {hosts.length - namedHosts} more</li>}
    </ul>
  );
}

/** Hosts to look at before they are approved. */
function Doubtful({ hosts }: { readonly hosts: readonly SelectedHost[] }) {
  if (hosts.length === 0) return null;
  return (
    <Notice tone="important">
      <p>
        <strong>{hostsInWords(hosts.length)} with the machine id of another host:</strong> a clone, or a
        machine that was enrolled twice. Look at their pages before you approve them.
      </p>
      <Names label="Hosts with the machine id of another host" hosts={hosts} />
    </Notice>
  );
}
