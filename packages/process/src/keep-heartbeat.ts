import { hostname } from 'node:os';
import { createInstanceStore, type Database } from '@plimsoll/db';
import { productVersion } from '@plimsoll/model';
import type { Logger } from './logger.ts';

const everyMs = 15_000;

/** The heartbeat of a process. */
export interface Heartbeat {
  /** Deletes the process's row. */
  stop(): Promise<void>;
}

/** Stores in the database every 15 seconds that this process runs. For display only. */
export function keepHeartbeat(app: string, db: Database, log: Logger): Heartbeat {
  const store = createInstanceStore(db);
  const self = { app, hostname: hostname(), pid: process.pid, version: productVersion };
  let id: string | null = null;
  let beating: Promise<void> = Promise.resolve();
  const beat = async (): Promise<void> => {
    try {
      if (id === null) id = await store.begin(self);
      else await store.touch(id, self);
    } catch (error) {
      log.debug({ err: error }, 'heartbeat not kept');
    }
  };
  const again = () => {
    beating = beating.then(beat);
  };
  again();
  const timer = setInterval(again, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await beating;
      if (id === null) return;
      // Otherwise the row is deleted after a day.
      await store.end(id).catch((error: unknown) => log.debug({ err: error }, 'heartbeat not ended'));
    },
  };
}
