import type { SshAccess } from '@plimsoll/contract';
import { CopyField } from '../../design/copy-field.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import { Notice } from '../../design/notice.tsx';
import { accountCommands } from './account-commands.ts';
import styles from './add-hosts.module.css';
import { Step } from './step.tsx';

/** The line that lets the service in, and where it goes. */
export function KeyStep({ ssh }: { readonly ssh: SshAccess }) {
  const commands = accountCommands(ssh.user, ssh.authorized_keys_line);
  return (
    <Step number={2} title="Let the service in">
      <p>
        This line lets the key do one thing: run the collector whose hash stands in it. Terminals, file
        transfer and forwarding are refused.
      </p>
      <CopyField text={ssh.authorized_keys_line} what="authorized_keys line" />
      {ssh.user === 'root' && (
        <Notice tone="important">
          <p>
            The collector needs no root. An account of its own is safer: add the host with another user, and
            the commands that make that account are shown here.
          </p>
        </Notice>
      )}
      {commands !== null && (
        <>
          <h3>If the host has no such account yet</h3>
          <p>
            As root. It makes the account <ForeignText text={ssh.user} mono /> for this alone, without rights
            and without a password, and puts the line in its place.
          </p>
          <CopyField text={commands} what="commands" />
        </>
      )}
      <h3>If the account is there already</h3>
      <p>
        Append the line to <code>~/.ssh/authorized_keys</code> of <ForeignText text={ssh.user} mono />, whole
        and unbroken, with an editor: a shell would take its quotes apart. sshd ignores the file where anybody
        but the account and root can write to it or to a folder above it.
      </p>
      <p className={styles['lead']}>
        The host needs OpenSSH 7.2 or newer, timeout, head and sha256sum. Where sshd_config has AllowUsers or
        AllowGroups, the account belongs there, too.
      </p>
    </Step>
  );
}
