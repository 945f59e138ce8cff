import type { ClientChannel } from 'ssh2';
import { collectorCommand, unpinnedWord } from './authorized-keys-line.ts';
import type { Connection } from './connection.ts';
import { lostFailure } from './connection-failures.ts';
import { createDeferred } from './deferred.ts';
import { createOutput, type Output } from './output.ts';
import type { Places } from './places.ts';
import { printable } from './printable.ts';
import { SessionFailure } from './session-failure.ts';
import { createStandardError, type StandardError } from './standard-error.ts';

/** Bytes that a session may hold without a place. Ordinary reports are smaller. */
const freeBytes = 1_048_576;

/** A script to run, and its SHA-256 in hexadecimal. */
export interface Collector {
  readonly script: Uint8Array;
  readonly sha256: string;
}

/** How the remote command ended. */
export interface Exit {
  /** Null if a signal ended it or the host did not report a status. */
  readonly status: number | null;
  readonly signalName: string | null;
  readonly output: Buffer;
  readonly standardError: StandardError;
  /** Gives back the place of a large output. Must be called once `output` is no longer held. */
  release(): void;
}

/** How to run it. */
export interface RunOptions {
  readonly at: string;
  readonly outputBytes: number;
  readonly largeOutputs: Places;
  readonly signal: AbortSignal;
  /** Called when the host has started the command. */
  readonly started: () => void;
}

/**
 * Runs the collector on an open connection: no terminal, no environment, the script on standard input. Once the output
 * is large, stops reading the socket until a place is free. Rejects with SessionFailure or the signal's reason; the
 * caller destroys the connection.
 */
export async function runCollector(
  connection: Connection,
  { script, sha256 }: Collector,
  { at, outputBytes, largeOutputs, signal, started }: RunOptions,
): Promise<Exit> {
  const standardError = createStandardError(unpinnedWord);
  const output = createOutput(outputBytes);
  const place = placeFor(output, connection, largeOutputs, signal);
  const exit = createDeferred<Pick<Exit, 'status' | 'signalName'>>();
  const aborted = () => exit.reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  try {
    startCommand(connection, collectorCommand(sha256), at, exit.reject, (channel) => {
      started();
      follow(channel, at, exit);
      channel.stderr.on('data', (chunk: Buffer) => {
        standardError.append(chunk);
        if (standardError.length > outputBytes) exit.reject(tooLarge(at, outputBytes));
      });
      channel.on('data', (chunk: Buffer) => {
        if (!output.append(chunk)) exit.reject(tooLarge(at, outputBytes));
        else place.check(exit.reject);
      });
      channel.end(script);
    });
    const ended = await Promise.race([exit.promise, connection.lost]);
    return { ...ended, output: output.take(), standardError, release: place.release };
  } catch (error) {
    place.release();
    throw error;
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}

function startCommand(
  { client }: Connection,
  command: string,
  at: string,
  fail: (reason: unknown) => void,
  started: (channel: ClientChannel) => void,
): void {
  try {
    client.exec(command, (error, channel) => (error ? fail(noCommand(at, error)) : started(channel)));
  } catch (error) {
    // ssh2 throws if the connection has just ended.
    fail(lostFailure(at, 'open', error instanceof Error ? error : undefined));
  }
}

/** Settles when the channel is closed: only then has all output arrived. */
function follow(
  channel: ClientChannel,
  at: string,
  exit: { resolve(value: Pick<Exit, 'status' | 'signalName'>): void; reject(reason: unknown): void },
): void {
  let ended: Pick<Exit, 'status' | 'signalName'> | null = null;
  channel.on('exit', (status: number | null, signalName?: string) => {
    ended = { status, signalName: signalName ?? null };
  });
  channel.on('error', (error: Error) => exit.reject(lostFailure(at, 'open', error)));
  // A lost connection was already reported.
  channel.on('close', () => exit.resolve(ended ?? { status: null, signalName: null }));
}

/** Takes a place among the large outputs when needed, and stops reading until it has one. */
function placeFor(output: Output, { socket }: Connection, largeOutputs: Places, signal: AbortSignal) {
  let asked = false;
  let released = false;
  let giveBack: (() => void) | null = null;
  return {
    check(fail: (reason: unknown) => void): void {
      if (asked || output.length <= freeBytes) return;
      asked = true;
      socket.pause();
      largeOutputs.acquire(signal).then((give) => {
        if (released) return give();
        giveBack = give;
        socket.resume();
      }, fail);
    },
    release(): void {
      released = true;
      giveBack?.();
      giveBack = null;
    },
  };
}

function tooLarge(at: string, outputBytes: number): SessionFailure {
  return new SessionFailure(
    'output_too_large',
    `The collector's output on ${at} is larger than ${Math.floor(outputBytes / 1024)} KiB: run the collector there by hand and check its output, and the output of the login shell's start files.`,
  );
}

function noCommand(at: string, error: Error): SessionFailure {
  return new SessionFailure(
    'command_failed',
    `${at} logged the user in but runs no command (${printable(error.message)}): see ForceCommand, MaxSessions and the user's login shell.`,
    { cause: error },
  );
}
