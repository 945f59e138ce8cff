import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../start-server-process.ts';

/** Consecutive restarts of a server before it is given up. */
const maxRestarts = 5;
/** A server that runs this long has recovered, in milliseconds. */
const steadyMs = 60_000;
const restartPauseMs = 500;

/** Restarts a server in the same place whenever it ends without being stopped. */
export function keepServing(
  first: ServerProcess,
  serveAgain: () => Promise<ServerProcess>,
): { readonly ended: Promise<string>; stop(): Promise<void> } {
  let current = first;
  let stopping = false;
  const keep = async (): Promise<string> => {
    for (let restarts = 0; ; restarts += 1) {
      const startedAt = performance.now();
      const how = await current.ended;
      if (performance.now() - startedAt > steadyMs) restarts = 0;
      if (stopping || restarts === maxRestarts) return how;
      await delay(restartPauseMs * restarts);
      if (stopping) return how;
      try {
        current = await serveAgain();
        // It was stopped during its restart.
        if (stopping) await current.stop();
      } catch {
        // The server's log has the reason; `how` says how it ended.
        return how;
      }
    }
  };
  const ended = keep();
  return {
    ended,
    async stop() {
      stopping = true;
      await current.stop();
      await ended;
    },
  };
}
