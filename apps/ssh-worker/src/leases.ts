import type { PullRun, PullRunStore } from '@plimsoll/db';
import type { PullJobId } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';

/** How long a silent worker keeps a visit, in seconds; leases are renewed more often. */
export const leaseSeconds = 20;
const renewEveryMs = 5_000;

/** A visit that this process has leased. */
export interface Lease {
  /** Aborts when the visit is lost: to another worker, after missed renewals, or because the host was deleted. */
  readonly signal: AbortSignal;
  /** Renews the lease now; false if the visit is lost. Call it before storing a result. */
  confirm(): Promise<boolean>;
  /** Stops renewing. */
  release(): void;
}

/** Renews the leases of all visits of this process, with one statement every few seconds. */
export interface Leases {
  hold(run: PullRun): Lease;
  stop(): void;
}

/** Ends a visit that another worker has now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Leases, initially empty. */
export function createLeases(runs: Pick<PullRunStore, 'renew'>, log: Logger): Leases {
  const held = new Map<PullJobId, { readonly run: PullRun; readonly lost: AbortController }>();

  const renew = async (wanted: readonly PullRun[]): Promise<void> => {
    const kept = await runs.renew(wanted, leaseSeconds);
    for (const run of wanted) {
      const mine = held.get(run.jobId);
      if (mine?.run !== run || kept.has(run.jobId)) continue;
      held.delete(run.jobId);
      mine.lost.abort(new LeaseLost('the visit is no longer this worker’s'));
    }
  };
  const timer = setInterval(() => {
    if (held.size === 0) return;
    // While the database is unreachable no other worker can take a visit: the next renewal decides.
    renew([...held.values()].map(({ run }) => run)).catch((error: unknown) => {
      log.warn({ err: error, visits: held.size }, 'leases could not be renewed');
    });
  }, renewEveryMs);

  return {
    hold(run) {
      const lost = new AbortController();
      held.set(run.jobId, { run, lost });
      return {
        signal: lost.signal,
        async confirm() {
          await renew([run]);
          return !lost.signal.aborted;
        },
        release() {
          if (held.get(run.jobId)?.run === run) held.delete(run.jobId);
        },
      };
    },
    stop: () => clearInterval(timer),
  };
}
