import type { SshHostsAnswer } from '@plimsoll/contract';
import { useState } from 'react';
import { LinkButton } from '../../../../design/button.tsx';
import styles from '../../add-hosts.module.css';
import { Step } from '../../step.tsx';
import { FileStep } from './file-step.tsx';
import { FirstPulls } from './first-pulls.tsx';
import { KeysStep } from './keys-step.tsx';
import type { ReadHosts } from './new-hosts.ts';
import { PreviewStep } from './preview-step.tsx';

/** Adds many hosts over SSH: from a file over the preview to their first pulls. */
export function ManyWay() {
  const [read, setRead] = useState<{ readonly name: string; readonly hosts: ReadHosts } | null>(null);
  const [added, setAdded] = useState<SshHostsAnswer | null>(null);
  const [users, setUsers] = useState<readonly string[]>([]);
  if (added !== null)
    return (
      <div className={styles['steps']}>
        <KeysStep added={added} users={users} />
        <FirstPulls hosts={added.hosts} />
      </div>
    );
  return (
    <div className={styles['steps']}>
      <p className={styles['lead']}>
        Add up to 200 hosts at once, from a table (CSV) or from an ssh_config. Nothing is sent before you have
        seen what was read.
      </p>
      <FileStep onRead={(name, hosts) => setRead({ name, hosts })} />
      {read !== null && (
        <PreviewStep
          key={read.name}
          name={read.name}
          read={read.hosts}
          onAdded={(answer, accounts) => {
            setUsers(accounts);
            setAdded(answer);
          }}
        />
      )}
      {read === null && (
        <Step number={2} title="Check the hosts">
          <p className={styles['lead']}>Choose a file first.</p>
          <div>
            <LinkButton to="/add-hosts" search={{ way: 'ssh' }}>
              Add a single host instead
            </LinkButton>
          </div>
        </Step>
      )}
    </div>
  );
}
