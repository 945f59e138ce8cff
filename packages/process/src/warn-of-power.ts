import { type Database, powerWarning, readConnectedRole } from '@plimsoll/db';
import type { Logger } from './logger.ts';

/** Logs a warning where this process may do more in the database than its app needs to. A database that is away is not waited for. */
export async function warnOfPower(db: Database, log: Logger): Promise<void> {
  try {
    const warning = powerWarning(await readConnectedRole(db));
    if (warning !== null) log.warn(warning);
  } catch (error) {
    log.debug({ err: error }, 'the database role is not known');
  }
}
