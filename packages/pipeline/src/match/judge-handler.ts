import { createRepositoryStore, judgeDueRepositories } from '@plimsoll/db';
import type { JobHandler, jobs, PayloadOf } from '@plimsoll/queue';
import type { MatchContext } from './match-context.ts';

/** Hosts made due in one statement. */
const hostsPerMark = 5_000;

/**
 * Handles `repository-judge`: judges the copies of repositories that are due. A review first looks for what no report
 * brings: settings, tags, approvals and deletions of hosts.
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
