import type { ParsedKey } from 'ssh2';
import type { HostKeyType } from './algorithms.ts';
import { type Connection, createConnection, type Handshake } from './connection.ts';
import { orAborted, within } from './deadline.ts';
import type { HostKey } from './host-key.ts';
import { readIdentification } from './identification.ts';
import { type Address, discard, nameOf, openSocket, silent } from './open-socket.ts';
import { SessionFailure } from './session-failure.ts';

/** A connection whose key exchange is over, and how that ended. */
export interface Reached {
  readonly address: Address;
  readonly connection: Connection;
  readonly handshake: Handshake;
}

/** Where to connect to and as whom. */
export interface Target {
  readonly addresses: readonly Address[];
  readonly port: number;
  readonly user: string;
  readonly identities: readonly ParsedKey[];
  readonly connectMs: number;
}

/** What is offered and accepted for the host's key. */
export interface HostKeyChoice {
  readonly types: readonly HostKeyType[];
  readonly accepts: (hostKey: HostKey) => boolean;
}

/**
 * Connects to the first address at which an SSH server completes a key exchange. Addresses that refuse or stay
 * silent are passed over; each gets its share of the time that is left. Rejects with the SessionFailure of the
 * address that came furthest, or with the signal's reason. The caller destroys the connection.
 */
export async function reach(target: Target, choice: HostKeyChoice, signal: AbortSignal): Promise<Reached> {
  const { addresses, connectMs } = target;
  const until = Date.now() + connectMs;
  const failures: SessionFailure[] = [];
  for (const [position, address] of addresses.entries()) {
    const share = Math.max(1, (until - Date.now()) / (addresses.length - position));
    try {
      return await reachOne(target, address, choice, share, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SessionFailure) || !isPassedOver(error)) throw error;
      failures.push(error);
    }
  }
  throw failures.find(({ code }) => code === 'connect_refused') ?? failures[0];
}

function isPassedOver({ code }: SessionFailure): boolean {
  return code === 'connect_refused' || code === 'connect_timeout';
}

async function reachOne(
  { port, user, identities, connectMs }: Target,
  address: Address,
  { types, accepts }: HostKeyChoice,
  shareMs: number,
  signal: AbortSignal,
): Promise<Reached> {
  const at = nameOf(address, port);
  let waitingFor = silent(at);
  const expired = () => new SessionFailure('connect_timeout', waitingFor, { mayHeal: true });
  return within(signal, Math.min(shareMs, connectMs), expired, async (limited) => {
    const socket = await openSocket(address, port, limited);
    try {
      waitingFor = `${at} takes connections but does not say that it speaks SSH: check that it is sshd's port and that sshd is not overloaded.`;
      await readIdentification(socket, at, limited);
      waitingFor = `${at} did not finish the key exchange in time: check the network (MTU) and the load of the host.`;
      const connection = createConnection(socket, { at, user, identities, hostKeyTypes: types, accepts });
      const handshake = await orAborted(limited, connection.handshake);
      return { address, connection, handshake };
    } catch (error) {
      discard(socket);
      throw error;
    }
  });
}
