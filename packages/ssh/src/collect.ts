import { type HostKeyType, hostKeyTypes } from './algorithms.ts';
import { type CollectRequest, type CollectResult, checkRequest } from './collect-request.ts';
import { orAborted, within } from './deadline.ts';
import type { HostKey } from './host-key.ts';
import { createIdentity } from './identity.ts';
import { nameOf } from './open-socket.ts';
import type { Places } from './places.ts';
import { type Reached, reach, type Target } from './reach.ts';
import { readExit } from './read-exit.ts';
import { runCollector } from './run-collector.ts';
import { SessionFailure } from './session-failure.ts';
import type { Startups } from './startups.ts';

/** The state shared by all sessions of a process. */
export interface CollectOptions {
  /** Ends the session at once when aborted; collect rejects with its reason. */
  readonly signal: AbortSignal;
  /**
   * For outputs of more than a mebibyte. One object for the whole process, so that hosts with endless output cost a few
   * times the limit, not once per session.
   */
  readonly largeOutputs: Places;
  /** Also one object for the whole process. */
  readonly startups: Startups;
}

/** The progress of a session. */
interface Progress {
  hostKey: HostKey | null;
  address: string | null;
}

/**
 * Connects to a host, checks its key, logs in, runs the collector and returns its output. Failures of host and network
 * are results; throws RangeError for an invalid request, and the signal's reason. Does not resolve names. When it
 * settles, every socket, timer and listener is gone.
 */
export async function collect(request: CollectRequest, options: CollectOptions): Promise<CollectResult> {
  checkRequest(request);
  const progress: Progress = { hostKey: null, address: null };
  const { totalMs, connectMs } = request.limits;
  const expired = () =>
    new SessionFailure(
      'timeout',
      `The pull took longer than ${Math.ceil(totalMs / 1000)} s: see what keeps the collector busy on the host, or whether the login hangs.`,
      { mayHeal: false },
    );
  try {
    const identities = request.identities.map(createIdentity);
    const target = { ...request, identities, connectMs };
    return await within(options.signal, totalMs, expired, (signal) =>
      visit(request, target, progress, { ...options, signal }),
    );
  } catch (error) {
    if (!(error instanceof SessionFailure)) throw error;
    return { kind: 'failed', code: error.code, message: error.message, mayHeal: error.mayHeal, ...progress };
  }
}

async function visit(
  { collector, limits, hostKey: expected, port }: CollectRequest,
  target: Target,
  progress: Progress,
  { signal, largeOutputs, startups }: CollectOptions,
): Promise<CollectResult> {
  const started = await startups.acquire(serverOf(target), signal);
  const { address, connection, handshake } = await open(expected, target, progress, signal).catch(
    (error: unknown) => {
      started();
      throw error;
    },
  );
  const at = nameOf(address, port);
  try {
    const identity = await orAborted(signal, connection.login);
    const exit = await runCollector(connection, collector, {
      at,
      outputBytes: limits.outputBytes,
      largeOutputs,
      signal,
      // sshd counts a connection until some moments after the login, but not once it runs a command.
      started,
    });
    const found = { identity, hostKey: handshake.hostKey, address: address.address };
    try {
      const findings = readExit(exit, at, collector.sha256);
      if (findings.kind === 'pin') {
        exit.release();
        return { ...findings, ...found };
      }
      const pinned = !exit.standardError.said;
      return { kind: 'collected', output: findings.report, release: exit.release, pinned, ...found };
    } catch (error) {
      exit.release();
      throw error;
    }
  } finally {
    started();
    connection.destroy();
  }
}

/** The key shared by hosts behind one port forwarding or load balancer. */
function serverOf({ addresses, port }: Target): string {
  return addresses.map(({ address }) => `${address} ${port}`).join(' ');
}

/** A connection to a host with the expected key. */
type Opened = Reached & { readonly handshake: { readonly kind: 'accepted' } };

async function open(
  expected: CollectRequest['hostKey'],
  target: Target,
  progress: Progress,
  signal: AbortSignal,
): Promise<Opened> {
  const accepts = (hostKey: HostKey) =>
    expected.kind === 'unknown' || hostKey.fingerprint === expected.fingerprint;
  let { addresses } = target;
  for (const types of typesToTry(expected)) {
    const reached = await reach({ ...target, addresses }, { types, accepts }, signal);
    // Further connections must reach the same server.
    addresses = [reached.address];
    const accepted = note(reached, progress);
    if (accepted !== null) return accepted;
  }
  if (progress.hostKey === null && expected.kind === 'pinned') {
    // The pinned type is gone: get the host's other key, so that it can be shown and accepted.
    const other = await reach(
      { ...target, addresses },
      { types: hostKeyTypes, accepts: () => false },
      signal,
    );
    note(other, progress);
  }
  throw mismatch(
    expected,
    progress.hostKey,
    nameOf(addresses[0] ?? { address: '?', family: 4 }, target.port),
  );
}

/** One connection for each entry. */
function typesToTry(expected: CollectRequest['hostKey']): readonly (readonly HostKeyType[])[] {
  switch (expected.kind) {
    case 'unknown':
      return [hostKeyTypes];
    case 'pinned':
      return [[expected.type]];
    case 'fingerprint':
      return hostKeyTypes.map((type) => [type]);
    default:
      return expected satisfies never;
  }
}

/** Records the key that was seen; the first stays unless a later one is accepted. */
function note(reached: Reached, progress: Progress): Opened | null {
  const { address, connection, handshake } = reached;
  progress.address = address.address;
  switch (handshake.kind) {
    case 'accepted':
      progress.hostKey = handshake.hostKey;
      return { address, connection, handshake };
    case 'refused':
      progress.hostKey ??= handshake.hostKey;
      return null;
    case 'no_such_type':
      return null;
    default:
      return handshake satisfies never;
  }
}

function mismatch(expected: CollectRequest['hostKey'], shown: HostKey | null, at: string): SessionFailure {
  if (shown === null && expected.kind !== 'pinned') {
    return new SessionFailure(
      'connect_refused',
      `The SSH server at ${at} has no type of host key in common with this service: give it one of ${hostKeyTypes.join(', ')} (HostKey and HostKeyAlgorithms in sshd_config).`,
    );
  }
  const wanted =
    expected.kind === 'unknown'
      ? 'any'
      : `${expected.kind === 'pinned' ? `${expected.type} ` : ''}${expected.fingerprint}`;
  const found = shown === null ? 'is of an unknown type' : `is ${shown.type} ${shown.fingerprint}`;
  return new SessionFailure(
    'host_key_mismatch',
    `The host key of ${at} ${found}, not the expected ${wanted}: if the host was reinstalled, an admin can accept the new key; otherwise an attacker may intercept the connection.`,
  );
}
