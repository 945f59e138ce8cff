import type { PullErrorCode, PullStatus, UploadState } from '@plimsoll/model';
import type { Label, Word } from './word.ts';

/** The state of an upload. */
export const uploadWords: Readonly<Record<UploadState, Word>> = {
  received: {
    words: 'Received',
    tone: 'neutral',
    meaning:
      'Stored. Waiting to be parsed. Reports of hosts that are not approved are parsed last, and may wait for the approval. Those of a host that its registration token approved may wait for up to a day after it enrolled.',
  },
  parsed: { words: 'Parsed', tone: 'low', meaning: 'Parsed. Waiting to be matched with advisories.' },
  matched: { words: 'Done', tone: 'good', meaning: 'Parsed and matched with advisories.' },
  rejected: {
    words: 'Rejected',
    tone: 'critical',
    meaning: 'It was refused or could not be parsed. Nothing was changed.',
  },
  superseded: {
    words: 'Superseded',
    tone: 'neutral',
    meaning:
      'A newer upload of the host came before it was matched. The history of the host has what it says if it was parsed.',
  },
};

/** Pull errors with general advice; the job's message has the details. */
export const pullErrorWords: Readonly<
  Record<PullErrorCode, { readonly words: string; readonly advice: string }>
> = {
  dns_failed: {
    words: 'The hostname could not be resolved',
    advice: 'Check the spelling and the DNS servers of the machine that runs the SSH worker.',
  },
  address_refused: {
    words: 'Connections to this address are blocked',
    advice:
      'Loopback, link-local and metadata addresses are blocked. Use an address in the network of the host, or allow this one in ssh.allowed_networks.',
  },
  collector_refused: {
    words: 'The host refused the collector',
    advice: 'Its authorized_keys names an unknown collector. Replace the line with the one shown here.',
  },
  connect_refused: {
    words: 'The connection was refused',
    advice: 'Check the port, whether sshd is running, and the firewalls in between.',
  },
  connect_timeout: {
    words: 'The host did not answer',
    advice: 'The host may be off, a firewall may drop the connection, or another program may use the port.',
  },
  host_key_mismatch: {
    words: 'The host key is not the pinned one',
    advice:
      'Find out why before you accept it: the connection may be intercepted. An administrator can accept a new key in the settings of the host.',
  },
  auth_failed: {
    words: 'The login was refused',
    advice:
      'Check the user name, that authorized_keys contains the line, that only root and the account can write to that file, and AllowUsers in sshd_config.',
  },
  command_failed: {
    words: 'The collector did not finish',
    advice: 'Run it on the host as that user and read its output.',
  },
  output_too_large: {
    words: 'The host sent more than 32 MiB',
    advice: 'Another program than the collector prints output, for example the login shell.',
  },
  timeout: {
    words: 'The pull took too long',
    advice: 'The host may be overloaded, or its package manager may hang.',
  },
  report_invalid: {
    words: 'The output is not a complete report',
    advice: 'The login shell may print output of its own, or authorized_keys may name another script.',
  },
  internal: {
    words: 'Internal error',
    advice: 'Try again. If it fails again, see the log of the SSH worker.',
  },
};

/** The state of a pull. */
export const pullStatusWords: Readonly<Record<PullStatus, Label>> = {
  queued: { words: 'Queued', tone: 'neutral' },
  running: { words: 'Running', tone: 'low' },
  succeeded: { words: 'Succeeded', tone: 'good' },
  failed: { words: 'Failed', tone: 'critical' },
  cancelled: { words: 'Cancelled', tone: 'neutral' },
};
