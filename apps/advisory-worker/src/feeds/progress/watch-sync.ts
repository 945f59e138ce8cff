import type { SyncProgress } from '@plimsoll/db';
import { type SyncLimits, stalled, tooLong } from './sync-limits.ts';
import type { SyncTracker } from './sync-tracker.ts';

/** The sync to watch, and how to report its progress. */
export interface WatchedSync {
  readonly tracker: SyncTracker;
  readonly limits: SyncLimits;
  /** The signal of the job. */
  readonly signal: AbortSignal;
  /** Stores the progress. A failure is passed to `onError`, and the next report follows. */
  readonly report: (progress: SyncProgress, idleMs: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** A watch over a running sync or import. */
export interface SyncWatch {
  /** Aborts with the job, and with TookTooLong when the work stalls or takes too long. */
  readonly signal: AbortSignal;
  /** Ends the watch and waits for a running report. */
  stop(): Promise<void>;
}

/** Watches a sync: reports its progress at intervals, and aborts it if it stalls or takes too long. */
export function watchSync({ tracker, limits, signal, report, onError }: WatchedSync): SyncWatch {
  const cut = new AbortController();
  const startedAt = performance.now();
  let reporting: Promise<void> | null = null;
  const look = (): void => {
    const progress = tracker.progress();
    if (progress.stage !== 'matching' && tracker.stalledMs() >= limits.stalledMs)
      cut.abort(stalled(limits.stalledMs));
    if (performance.now() - startedAt >= limits.longestMs) cut.abort(tooLong(limits.longestMs));
    // Only one report at a time, so that they do not pile up if the database is slow.
    reporting ??= report(progress, tracker.idleMs())
      .catch(onError)
      .finally(() => {
        reporting = null;
      });
  };
  const timer = setInterval(look, limits.reportMs);
  return {
    signal: AbortSignal.any([signal, cut.signal]),
    async stop() {
      clearInterval(timer);
      await reporting;
    },
  };
}
