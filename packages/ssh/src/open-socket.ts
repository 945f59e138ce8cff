import { connect, type Socket } from 'node:net';
import { untilAborted } from './deadline.ts';
import { SessionFailure } from './session-failure.ts';

/** An address to connect to; resolved and checked by the caller. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN']);

/** An address and port as written in a sentence. */
export function nameOf(address: Address, port: number): string {
  return `${address.address} port ${port}`;
}

/** Connects to exactly this address, resolving nothing. Rejects with SessionFailure, or the signal's reason. */
export function openSocket(address: Address, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: address.address, port, family: address.family, noDelay: true });
  const opened = untilAborted<Socket>(signal, (resolve, reject) => {
    const connected = () => resolve(socket);
    const failed = (error: NodeJS.ErrnoException) => reject(socketFailure(error, nameOf(address, port)));
    socket.once('connect', connected).once('error', failed);
    return () => {
      socket.off('connect', connected).off('error', failed);
    };
  });
  return opened.catch((error: unknown) => {
    discard(socket);
    throw error;
  });
}

/** Destroys a socket; later errors of it are ignored. */
export function discard(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.destroy();
}

/** The meaning of a connect(2) error for an operator. */
export function socketFailure(error: NodeJS.ErrnoException, at: string): SessionFailure {
  const options = { mayHeal: true, cause: error };
  const code = error.code ?? '';
  if (unreachable.has(code)) {
    return new SessionFailure(
      'connect_timeout',
      `${at} is unreachable (${code}): check the address and the network between this service and the host.`,
      options,
    );
  }
  if (code === 'ETIMEDOUT') return new SessionFailure('connect_timeout', silent(at), options);
  if (code === 'EACCES' || code === 'EPERM') {
    return new SessionFailure(
      'connect_refused',
      `The machine of this service forbids connections to ${at} (${code}): check its firewall.`,
      options,
    );
  }
  return new SessionFailure(
    'connect_refused',
    `The connection to ${at} was refused (${code}): check that sshd runs there and listens on this port.`,
    options,
  );
}

/** The message for an address that does not answer. */
export function silent(at: string): string {
  return `Nothing answers at ${at}: check the address, the port and the firewalls on the way.`;
}
