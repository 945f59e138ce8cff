import type { PullJob } from '@plimsoll/contract';
import type { Tone } from '../design/badge.tsx';

type PullErrorCode = NonNullable<PullJob['error_code']>;

/** What went wrong with a pull, and what usually helps; the job's own message says it for the case at hand. */
export const pullErrorWords: Readonly<
  Record<PullErrorCode, { readonly words: string; readonly advice: string }>
> = {
  dns_failed: {
    words: 'The hostname could not be resolved',
    advice: 'Check its spelling, and the name servers of the machine the SSH worker runs on.',
  },
  address_refused: {
    words: 'The address is one that is not connected to',
    advice:
      'Loopback, link-local and metadata addresses are refused. Give an address in the network of the host, or list it in ssh.allowed_networks if it is meant.',
  },
  collector_refused: {
    words: 'The host refused the collector',
    advice:
      'Its authorized_keys names a collector that this service never had. Replace the line by the one shown here.',
  },
  connect_refused: {
    words: 'The connection was refused',
    advice: 'Check the port, that sshd runs, and firewalls on the way.',
  },
  connect_timeout: {
    words: 'The host did not answer',
    advice: 'It is off, a firewall drops the connection, or something else than sshd listens there.',
  },
  host_key_mismatch: {
    words: 'The host showed another key than the pinned one',
    advice:
      'Find out why before you accept it: somebody may be on the way between. An administrator accepts a new key in the settings of the host.',
  },
  auth_failed: {
    words: 'The login was refused',
    advice:
      'Check the user, that the line stands in its authorized_keys, that nobody else can write there, and AllowUsers in sshd_config.',
  },
  command_failed: {
    words: 'The collector did not run to its end',
    advice: 'Run it on the host by hand as that user, and see what it says.',
  },
  output_too_large: {
    words: 'The host sent more than 32 MiB',
    advice: 'Something else than the collector prints there, such as the login shell.',
  },
  timeout: {
    words: 'The pull took too long',
    advice: 'The host is overloaded, or its package manager hangs.',
  },
  report_invalid: {
    words: 'What came is no whole report',
    advice: 'A login shell that prints something of its own, or a line with another script.',
  },
  internal: {
    words: 'The service failed',
    advice: 'See the log of the SSH worker, and try again.',
  },
};

/** How far a pull got. */
export const pullStatusWords: Readonly<
  Record<PullJob['status'], { readonly words: string; readonly tone: Tone }>
> = {
  queued: { words: 'Queued', tone: 'neutral' },
  running: { words: 'Running', tone: 'low' },
  succeeded: { words: 'Succeeded', tone: 'good' },
  failed: { words: 'Failed', tone: 'critical' },
  cancelled: { words: 'Cancelled', tone: 'neutral' },
};
