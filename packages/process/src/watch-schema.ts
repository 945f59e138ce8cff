import { setTimeout as delay } from 'node:timers/promises';
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
 * Waits until the database has this program's schema. Then looks every 15 seconds, and ends the process with the reason if
 * a newer program has migrated the database: it would answer with errors, or store what the newer program does not expect.
 * Rejects with SchemaError if the first look finds that, or a server that is too old. A database that does not answer is not
 * waited for; it is looked at again every second.
 */
export async function watchSchema(check: SchemaCheck, log: Logger): Promise<SchemaWatch> {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isKnown = false;
  const look = async (): Promise<void> => {
    const missing = await findMissing(check, log);
    if (!isKnown && missing !== null && missing.length > 0) throw new SchemaError(waitingWords(missing));
    isKnown ||= missing !== null;
    timer = setTimeout(
      () => {
        // An error is not handled: it ends the process, as any that nothing else handles (runApp).
        looking = look();
      },
      missing === null ? firstMs : everyMs,
    );
  };
  await migrated(check, log);
  await look();
  return {
    async stop() {
      clearTimeout(timer);
      await looking;
      clearTimeout(timer);
    },
  };
}

/** Resolves when the database lacks nothing, or does not answer. */
async function migrated(check: SchemaCheck, log: Logger): Promise<void> {
  for (let told = false; ; told = true) {
    const missing = await findMissing(check, log);
    if (missing === null || missing.length === 0) return;
    if (!told) log.warn({ missing }, waitingWords(missing));
    await delay(firstMs);
  }
}

function waitingWords(missing: readonly string[]): string {
  return `the database lacks ${missing.length} migrations of this program, which does no work until "plimsoll migrate" has applied them`;
}

/** What the database lacks; null if it does not answer. */
async function findMissing(check: SchemaCheck, log: Logger): Promise<readonly string[] | null> {
  try {
    return await check.findMissing();
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    log.debug({ err: error }, 'the schema is not known');
    return null;
  }
}
