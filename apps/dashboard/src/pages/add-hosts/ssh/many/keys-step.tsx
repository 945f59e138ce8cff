import type { SshHostsAnswer } from '@plimsoll/contract';
import { Notice } from '../../../../design/notice.tsx';
import { hostsInWords } from '../../../../design/number-words.ts';
import { CopyField } from '../../../../design/text/copy-field.tsx';
import { ForeignText } from '../../../../design/text/foreign-text.tsx';
import styles from '../../add-hosts.module.css';
import { Step } from '../../step.tsx';
import { accountCommands } from '../account-commands.ts';

interface KeysStepProps {
  readonly added: SshHostsAnswer;
  /** The account of each host. */
  readonly users: readonly string[];
}

/** Accounts for which commands are shown. */
const mostAccounts = 5;

/** The line to install: one for all hosts, or one each where hosts have their own keys. */
export function KeysStep({ added, users }: KeysStepProps) {
  const { hosts, skipped, shared_authorized_keys_line: shared } = added;
  const accounts = [...new Set(users)];
  return (
    <Step number={3} title="Authorise the key" takesFocus>
      <Notice tone="good">
        {hostsInWords(hosts.length)} added.
        {skipped.length > 0 && ` ${hostsInWords(skipped.length)} left out: pulled already.`}
      </Notice>
      {shared === null ? (
        <>
          <p>Each host has a key of its own. Add its line to the authorized_keys of its account:</p>
          <ul className={styles['steps']}>
            {hosts.map(({ id, display_name, authorized_keys_line }) => (
              <li key={id}>
                <ForeignText text={display_name} />
                <CopyField text={authorized_keys_line} what={`line of ${display_name.slice(0, 60)}`} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>
            The same line for every host, to be added to the <code>authorized_keys</code> of its account. With
            it the key can only run the collector whose hash it contains.
          </p>
          <CopyField text={shared} what="authorized_keys line" />
          {accounts.slice(0, mostAccounts).map((user) => (
            <AccountCommands key={user} user={user} line={shared} />
          ))}
          {accounts.length > mostAccounts && (
            <p>The hosts have {accounts.length - mostAccounts} more accounts; they need the line, too.</p>
          )}
        </>
      )}
    </Step>
  );
}

/** How to create the account; nothing for an account that is not to be created. */
function AccountCommands({ user, line }: { readonly user: string; readonly line: string }) {
  const commands = accountCommands(user, line);
  if (commands === null) return null;
  return (
    <>
      <p>
        Where the account <ForeignText text={user} mono /> does not exist yet, run this as root, by hand or
        with your configuration management. It changes nothing where the account exists:
      </p>
      <CopyField text={commands} what={`commands for ${user}`} />
    </>
  );
}
