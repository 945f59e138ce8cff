import { useState } from 'react';
import { FileDrop } from '../../../../design/form/file-drop.tsx';
import { Notice } from '../../../../design/notice.tsx';
import { Step } from '../../step.tsx';
import { hostsOfCsv } from './hosts-of-csv.ts';
import { hostsOfSshConfig } from './hosts-of-ssh-config.ts';
import type { ReadHosts } from './new-hosts.ts';

/** Bytes of the largest file that is read: a host of 200 has seldom more than a line. */
const largestFile = 1_000_000;

/** Whether a text is an ssh_config: it has a line that begins with Host. */
function isSshConfig(text: string): boolean {
  return /^[ \t]*host[ \t=]/im.test(text);
}

/** Takes a file with hosts. It is read in the browser and not sent. */
export function FileStep({ onRead }: { readonly onRead: (name: string, hosts: ReadHosts) => void }) {
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
