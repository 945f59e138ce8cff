import { setTimeout as delay } from 'node:timers/promises';
import { diskSpace, leastFreeBytes, saysDiskFull } from './disk-space.ts';
import type { ServerProcess } from './start-server-process.ts';

/** Consecutive restarts of a server before it is given up. */
const maxRestarts = 5;
/** A server that runs this long has recovered, in milliseconds. */
const steadyMs = 60_000;
const restartPauseMs = 500;
/** Time between two attempts on a full disk, which can have space for the measure but not for this user. */
const fullPauseMs = 5_000;

/** What to keep running. */
export interface KeptServer {
  readonly first: ServerProcess;
  /** Starts it again in the same place. */
  readonly serveAgain: () => Promise<ServerProcess>;
  /** The folder that it writes to. */
  readonly folder: string;
  /** Called when it has ended because its disk is full: it starts again when there is space. */
  readonly onDiskFull: (folder: string) => void;
}

/**
 * Restarts a server whenever it ends without being stopped: five times in a row, and without limit as long as its disk is
 * full.
 */
export function keepServing({ first, serveAgain, folder, onDiskFull }: KeptServer): {
  readonly ended: Promise<string>;
  stop(): Promise<void>;
} {
  let current = first;
  const stopping = new AbortController();
  const { signal } = stopping;

  const keep = async (): Promise<string> => {
    for (let restarts = 0; ; ) {
      const startedAt = performance.now();
      const how = await current.ended;
      const isFull = await lacksSpace(current.lastOutput());
      restarts = isFull || performance.now() - startedAt > steadyMs ? 0 : restarts + 1;
      if (signal.aborted || restarts > maxRestarts) return how;
      if (isFull) onDiskFull(folder);
      const started = await restart(isFull, restartPauseMs * Math.max(0, restarts - 1));
      if (started === null) return how;
      current = started;
      // It was stopped during its restart.
      if (signal.aborted) await current.stop();
    }
  };

  /** The server, started again, if its disk is full then when there is space; null if it cannot be, or was stopped. */
  async function restart(isDiskFull: boolean, pauseMs: number): Promise<ServerProcess | null> {
    for (let isFull = isDiskFull; ; ) {
      await pause(isFull ? fullPauseMs : pauseMs);
      if (signal.aborted) return null;
      isFull = await lacksSpace('');
      if (isFull) continue;
      try {
        return await serveAgain();
      } catch (error) {
        isFull = await lacksSpace(String(error));
        // The server's log has the reason; `how` says how it ended.
        if (!isFull) return null;
      }
    }
  }

  async function lacksSpace(output: string): Promise<boolean> {
    return saysDiskFull(output) || (await freeBytes(folder)) < leastFreeBytes;
  }

  /** Ends early when the server is stopped. */
  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }

  const ended = keep();
  return {
    ended,
    async stop() {
      stopping.abort();
      await current.stop();
      await ended;
    },
  };
}

/** Unlimited if it cannot be measured: the start then shows what is wrong. */
async function freeBytes(folder: string): Promise<number> {
  return diskSpace(folder).then(
    ({ free }) => free,
    () => Number.POSITIVE_INFINITY,
  );
}
