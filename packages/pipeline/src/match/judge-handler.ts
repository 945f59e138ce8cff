import { createRepositoryStore, judgeDueRepositories } from '@plimsoll/db';
import type { JobHandler, jobs, PayloadOf } from '@plimsoll/queue';
import type { MatchContext } from './match-context.ts';

/** Maximum number of hosts marked as due by one statement. */
const hostsPerMark = 5_000;

/**
 * Handles `repository-judge`: judges the copies of repositories that are due. A review first marks copies whose
 * judgement depends on something that changes without a report: settings, tags, approvals and deletions of hosts.
 */
export function createJudgeHandler({
  db,
  lag,
  log,
}: Pick<MatchContext, 'db' | 'lag' | 'log'>): JobHandler<PayloadOf<typeof jobs, 'repository-judge'>> {
  const store = createRepositoryStore(db);
  return async ({ kind }, { signal }) => {
    if (kind === 'review') {
      while ((await store.markOutdatedJudgements(lag, hostsPerMark)) === hostsPerMark) {
        signal.throwIfAborted();
      }
      await store.moveNewestDates();
    }
    const hosts = await judgeDueRepositories(db, lag, signal);
    log.debug({ hosts, kind }, 'repositories judged');
  };
}
