import type { Host } from '@plimsoll/contract';
import type { BulkAction, BulkRun } from './bulk-actions.ts';

/** Concurrent requests. A browser opens six connections to a server; the event stream uses one. */
const maxConcurrent = 4;

/** A host on which the action failed, and the reason. */
export interface BulkFailure {
  readonly host: Host;
  readonly error: unknown;
}

/** Progress of the action. */
export interface BulkProgress {
  readonly done: readonly Host[];
  readonly failed: readonly BulkFailure[];
}

/** Runs an action on each host; a failure does not stop it. After an abort it starts no further host. */
export async function runBulk(
  action: BulkAction,
  hosts: readonly Host[],
  run: BulkRun,
  onProgress: (progress: BulkProgress) => void,
): Promise<BulkProgress> {
  const done: Host[] = [];
  const failed: BulkFailure[] = [];
  const waiting = hosts.values();
  const work = async () => {
    for (const host of waiting) {
      if (run.signal.aborted) return;
      try {
        await action.run(host, run);
        done.push(host);
      } catch (error) {
        // An aborted request may have reached the server: it counts neither as done nor as failed.
        if (run.signal.aborted) return;
        failed.push({ host, error });
      }
      onProgress({ done: [...done], failed: [...failed] });
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, work));
  return { done, failed };
}
