import type { Host } from '@plimsoll/contract';
import type { BulkAction, BulkRun } from './bulk-actions.ts';

/** At once; a browser opens six connections to a server, and one of them carries its events. */
const atOnce = 4;

/** A host it could not be done on, and why. */
export interface BulkFailure {
  readonly host: Host;
  readonly error: unknown;
}

/** How far it got. */
export interface BulkProgress {
  readonly done: readonly Host[];
  readonly failed: readonly BulkFailure[];
}

/** Does something on each of many hosts, and goes on where it fails on one. Aborted, it begins no more. */
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
        // What was on its way when it was stopped may have arrived or not: it counts as neither.
        if (run.signal.aborted) return;
        failed.push({ host, error });
      }
      onProgress({ done: [...done], failed: [...failed] });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failed };
}
