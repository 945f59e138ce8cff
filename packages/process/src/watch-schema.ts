import { type SchemaCheck, SchemaError } from '@plimsoll/db';
import type { Logger } from './logger.ts';

const everyMs = 15_000;
/** Between two looks until the database has answered one. */
const firstMs = 1_000;

/** The watch of a process over the schema. */
export interface SchemaWatch {
  stop(): Promise<void>;
}

/**
 * Looks every 15 seconds whether a newer program has migrated the database, and ends the process with the reason if one
 * has: it would answer with errors, or store what the newer program does not expect. Rejects with SchemaError if the
 * first look finds one, or a server that is too old. A database that does not answer is looked at again every second.
 */
export async function watchSchema(check: SchemaCheck, log: Logger): Promise<SchemaWatch> {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    let nextMs = everyMs;
    try {
      await check.findMissing();
    } catch (error) {
      if (error instanceof SchemaError) throw error;
      log.debug({ err: error }, 'the schema is not known');
      nextMs = firstMs;
    }
    timer = setTimeout(() => {
      // An error is not handled: it ends the process, as any that nothing else handles (runApp).
      looking = look();
    }, nextMs);
  };
  await look();
  return {
    async stop() {
      clearTimeout(timer);
      await looking;
      clearTimeout(timer);
    },
  };
}
