import type { Socket } from 'node:net';
import type { Client, ParsedKey } from 'ssh2';
import ssh2 from 'ssh2';
import { type HostKeyType, offeredAlgorithms } from './algorithms.ts';
import { authFailure, handshakeFailure, lostFailure } from './connection-failures.ts';
import { createDeferred } from './deferred.ts';
import { type HostKey, readHostKey } from './host-key.ts';
import { createLogins } from './logins.ts';
import { discard } from './open-socket.ts';
import type { SessionFailure } from './session-failure.ts';

/** The result of a completed key exchange. */
export type Handshake =
  /** The server has proved that it holds the key, and the key is accepted: the login has started. */
  | { readonly kind: 'accepted'; readonly hostKey: HostKey }
  /** Proved but not accepted: the connection is closed, and nothing about a login was sent. */
  | { readonly kind: 'refused'; readonly hostKey: HostKey }
  /** The server has no key of the offered types. */
  | { readonly kind: 'no_such_type' };

/** An SSH connection. Its promises reject with SessionFailure, never as unhandled rejections. */
export interface Connection {
  readonly client: Client;
  readonly socket: Socket;
  readonly handshake: Promise<Handshake>;
  /** The position of the identity that the server accepted. */
  readonly login: Promise<number>;
  /** Never resolves; rejects when the connection ends, for any reason. */
  readonly lost: Promise<never>;
  /** Ends the connection at once. May be called repeatedly. */
  destroy(): void;
}

/** The settings of a connection. `accepts` checks the host's key before anything else happens. */
export interface ConnectionSettings {
  readonly at: string;
  readonly user: string;
  readonly identities: readonly ParsedKey[];
  readonly hostKeyTypes: readonly HostKeyType[];
  readonly accepts: (hostKey: HostKey) => boolean;
}

/** Starts SSH on a socket whose server has identified itself. */
export function createConnection(socket: Socket, settings: ConnectionSettings): Connection {
  const client = new ssh2.Client();
  const handshake = createDeferred<Handshake>();
  const login = createDeferred<number>();
  const lost = createDeferred<never>();
  const presented = rememberHostKey();
  const logins = createLogins(settings.user, settings.identities);
  let phase: 'handshake' | 'login' | 'open' = 'handshake';

  const end = (failure: SessionFailure) => {
    handshake.reject(failure);
    login.reject(failure);
    lost.reject(failure);
    discard(socket);
  };
  client.on('handshake', () => {
    const hostKey = presented.hostKey();
    if (phase !== 'handshake' || hostKey === null) return;
    if (settings.accepts(hostKey)) {
      phase = 'login';
      handshake.resolve({ kind: 'accepted', hostKey });
      return;
    }
    handshake.resolve({ kind: 'refused', hostKey });
    end(lostFailure(settings.at, 'handshake'));
  });
  client.on('ready', () => {
    const position = logins.current();
    // A server that accepts every client has not checked that this client holds the key.
    if (phase !== 'login' || position === null) return end(authFailure(settings.at, logins));
    phase = 'open';
    login.resolve(position);
  });
  // Stays attached: late errors must not become uncaught ones.
  client.on('error', (error) => {
    if (phase === 'login' && isAboutLogin(error)) return end(authFailure(settings.at, logins));
    if (phase !== 'handshake') return end(lostFailure(settings.at, phase, error));
    if (error.message.endsWith('no matching host key format')) handshake.resolve({ kind: 'no_such_type' });
    end(handshakeFailure(error, settings.at));
  });
  client.on('close', () => end(lostFailure(settings.at, phase)));
  client.connect({
    sock: socket,
    username: settings.user,
    ident: 'plimsoll',
    algorithms: offeredAlgorithms(settings.hostKeyTypes),
    readyTimeout: 0,
    keepaliveInterval: 0,
    hostVerifier: (blob: Buffer) => presented.remember(blob),
    // Offers nothing before a successful key exchange, even if the server asks earlier.
    authHandler: (methods, partial) => (phase === 'login' ? logins.next(methods, partial) : false),
  });
  return {
    client,
    socket,
    handshake: handshake.promise,
    login: login.promise,
    lost: lost.promise,
    destroy() {
      client.end();
      end(lostFailure(settings.at, phase));
    },
  };
}

/**
 * Accepts the key of the first key exchange unchecked, so that the server must prove that it holds it before the key is
 * checked; later key exchanges of the connection must use the same key.
 */
function rememberHostKey() {
  let first: Buffer | null = null;
  return {
    remember(blob: Buffer): boolean {
      first ??= Buffer.from(blob);
      return first.equals(blob);
    },
    hostKey: () => (first === null ? null : readHostKey(first)),
  };
}

/** ssh2 ran out of keys, or the server ended the connection because of the offered keys. */
function isAboutLogin(error: Error & { level?: string }): boolean {
  return error.level === 'client-authentication' || /authentication failures/i.test(error.message);
}
