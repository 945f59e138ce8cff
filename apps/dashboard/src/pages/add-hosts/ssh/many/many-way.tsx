import type { SshHostsAnswer } from '@plimsoll/contract';
import { useState } from 'react';
import { LinkButton } from '../../../../design/button.tsx';
import { FileDrop } from '../../../../design/form/file-drop.tsx';
import { Notice } from '../../../../design/notice.tsx';
import styles from '../../add-hosts.module.css';
import { Step } from '../../step.tsx';
import { FirstPulls } from './first-pulls.tsx';
import { hostsOfCsv } from './hosts-of-csv.ts';
import { hostsOfSshConfig } from './hosts-of-ssh-config.ts';
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

/** Bytes of the largest file that is read: a host of 200 has seldom more than a line. */
const largestFile = 1_000_000;

/** Whether a text is an ssh_config: it has a line that begins with Host. */
function isSshConfig(text: string): boolean {
  return /^[ \t]*host[ \t=]/im.test(text);
}

/** Takes a file with hosts. It is read in the browser and not sent. */
function FileStep({ onRead }: { readonly onRead: (name: string, hosts: ReadHosts) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const read = async (file: File) => {
    if (file.size > largestFile) {
      setFault('The file has more than 1 MB. A file with hosts is much smaller.');
      return;
    }
    const text = await file.text();
    setFault(null);
    onRead(`${file.name} ${Date.now()}`, isSshConfig(text) ? hostsOfSshConfig(text) : hostsOfCsv(text));
  };
  return (
    <Step number={1} title="Choose the file">
      <p>
        A table has a first line that names its columns: <code>hostname</code>, and any of{' '}
        <code>display_name</code>, <code>ssh_user</code>, <code>port</code>, <code>tags</code> and{' '}
        <code>host_key_fingerprint</code>. Or use <code>~/.ssh/config</code> as it is.
      </p>
      {fault !== null && <Notice tone="critical">{fault}</Notice>}
      <FileDrop label="Drop a CSV or an ssh_config here" onFile={(file) => void read(file)} />
    </Step>
  );
}
