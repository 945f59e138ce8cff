import type { PullRun, PullRunStore } from '@plimsoll/db';
import type { PullJobId } from '@plimsoll/model';
import type { Logger } from '@plimsoll/observability';

/** How long a worker that is not heard of keeps a visit, and how often it says that it is there. */
export const leaseSeconds = 20;
const renewEveryMs = 5_000;

/** A visit that this process has in hand. */
export interface Lease {
  /** Aborts when the visit is lost: to another worker, after being silent for too long, or because the host is gone. */
  readonly signal: AbortSignal;
  /** Renews the lease now; false when the visit is lost. To be asked before something is written. */
  confirm(): Promise<boolean>;
  /** Ends the renewing. */
  release(): void;
}

/** Keeps the leases of all visits of this process alive, with one statement every few seconds. */
export interface Leases {
  hold(run: PullRun): Lease;
  stop(): void;
}

/** Why a visit is broken off that somebody else has now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Leases that nobody holds yet. */
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
    // With the database away nobody else can take a visit either: the next time will tell.
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
