import type { ParsedKey } from 'ssh2';
import type { HostKeyType } from './algorithms.ts';
import { type Connection, createConnection, type Handshake } from './connection.ts';
import { orAborted, within } from './deadline.ts';
import type { HostKey } from './host-key.ts';
import { readIdentification } from './identification.ts';
import { type Address, discard, nameOf, openSocket, silent } from './open-socket.ts';
import { SessionFailure } from './session-failure.ts';

/** A connection after its key exchange, and the result of that. */
export interface Reached {
  readonly address: Address;
  readonly connection: Connection;
  readonly handshake: Handshake;
}

/** Where to connect, and as which user. */
export interface Target {
  readonly addresses: readonly Address[];
  readonly port: number;
  readonly user: string;
  readonly identities: readonly ParsedKey[];
  readonly connectMs: number;
}

/** Which host keys are offered and accepted. */
export interface HostKeyChoice {
  readonly types: readonly HostKeyType[];
  readonly accepts: (hostKey: HostKey) => boolean;
}

/**
 * Connects to the first address at which an SSH server completes a key exchange. Skips addresses that refuse or do not
 * answer; each gets its share of the remaining time. Rejects with the SessionFailure of the address that got furthest,
 * or with the signal's reason. The caller destroys the connection.
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
