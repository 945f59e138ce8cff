import { createQuarantineStore, createRoundStore, type Database } from '@plimsoll/db';
import { createRoundLog, type Logger } from '@plimsoll/process';

/**
 * Has reports read again that another build rejected as `internal`: once after an upgrade, as a round. Not while the
 * database is away: the next start does it.
 */
export async function readRejectedAgain(db: Database, build: string, log: Logger): Promise<void> {
  await createRoundLog(createRoundStore(db), log).run('read rejected reports again', async () => {
    const uploads = await createQuarantineStore(db).retryOfOtherBuilds(build);
    if (uploads > 0) log.info({ uploads }, 'uploads that another build rejected are read again');
  });
}
