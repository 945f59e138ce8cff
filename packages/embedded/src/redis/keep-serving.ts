import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../start-server-process.ts';

/** How often a server that ends by itself is started again in a row before it is given up. */
const maxRestarts = 5;
/** It has come back for good when it lives so long, milliseconds. */
const steadyMs = 60_000;
const restartPauseMs = 500;

/** Starts a server again, at the same place, whenever it ends without having been asked to. */
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
        // It was asked to stop while it was on its way back.
        if (stopping) await current.stop();
      } catch {
        // The server's log says why; `how` says how it came to that.
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
