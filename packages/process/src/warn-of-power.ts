import { type Database, powerWarning, readConnectedRole } from '@plimsoll/db';
import type { Logger } from './logger.ts';

/**
 * Logs a warning if this process has more database privileges than its app needs. Does not wait for an
 * unavailable database.
 */
export async function warnOfPower(db: Database, log: Logger): Promise<void> {
  try {
    const warning = powerWarning(await readConnectedRole(db));
    if (warning !== null) log.warn(warning);
  } catch (error) {
    log.debug({ err: error }, 'the database role is not known');
  }
}
