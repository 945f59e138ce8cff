import { missingInCommon } from './algorithms.ts';
import type { Logins } from './logins.ts';
import { printable } from './printable.ts';
import { SessionFailure } from './session-failure.ts';

/** Why a key exchange was broken off, from ssh2's error. */
export function handshakeFailure(error: Error, at: string): SessionFailure {
  const missing = missingInCommon(error.message);
  if (missing !== null) {
    return new SessionFailure(
      'connect_refused',
      `The SSH server at ${at} has no ${missing.words} in common with this service: allow a modern one in its sshd_config (${missing.setting}).`,
      { cause: error },
    );
  }
  if (error.message.endsWith('signature verification failed')) {
    return new SessionFailure(
      'host_key_mismatch',
      `The server at ${at} did not prove that it has the host key it sent: an attacker may intercept the connection.`,
      { cause: error },
    );
  }
  return new SessionFailure(
    'connect_refused',
    `The key exchange with ${at} failed (${printable(error.message)}): see sshd's log on the host.`,
    { mayHeal: true, cause: error },
  );
}

/** Why no login succeeded. */
export function authFailure(at: string, logins: Logins): SessionFailure {
  const who = `user "${printable(logins.user, 64)}"`;
  const methods = printable(logins.methods().join(', '), 100);
  if (logins.partial()) {
    return new SessionFailure(
      'auth_failed',
      `${at} accepted the key of ${who} but requires more than a key (${methods}): allow publickey alone for this user (AuthenticationMethods in sshd_config).`,
    );
  }
  if (methods !== '' && !logins.methods().includes('publickey')) {
    return new SessionFailure(
      'auth_failed',
      `${at} accepts no key for ${who} (it offers ${methods}): set PubkeyAuthentication yes in sshd_config.`,
    );
  }
  const keys = logins.count === 1 ? 'the key' : 'any of its keys';
  return new SessionFailure(
    'auth_failed',
    `${at} does not let ${who} in with ${keys}: check that the user exists, that the public key is in its ~/.ssh/authorized_keys, that only the user can write to that file and the folders above it, and AllowUsers, AllowGroups and DenyUsers in sshd_config.`,
  );
}

/** A connection that ended by itself; `phase` is how far it had come. */
export function lostFailure(
  at: string,
  phase: 'handshake' | 'login' | 'open',
  error?: Error,
): SessionFailure {
  const options = { mayHeal: true, ...(error === undefined ? {} : { cause: error }) };
  const why = error === undefined ? '' : ` (${printable(error.message)})`;
  switch (phase) {
    case 'handshake':
      return new SessionFailure(
        'connect_refused',
        `The connection to ${at} was closed in the key exchange${why}: see sshd's log on the host.`,
        options,
      );
    case 'login':
      return new SessionFailure(
        'connect_refused',
        `The connection to ${at} was closed before the login had ended${why}: see sshd's log on the host.`,
        options,
      );
    case 'open':
      return new SessionFailure(
        'command_failed',
        `The connection to ${at} was lost while the collector ran${why}: see whether the host or its sshd was restarted.`,
        options,
      );
    default:
      return phase satisfies never;
  }
}
