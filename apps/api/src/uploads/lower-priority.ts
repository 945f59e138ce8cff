import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';

/** As `nice` has it: a thread with this gets a third of what one with 0 gets, where both want a core. */
export const loweredPriority = 5;

/**
 * Lets the calling thread yield to the others of its process: to the event loop that answers requests. Only Linux has
 * priorities of threads; elsewhere nothing changes.
 */
export function lowerPriority(): void {
  try {
    // "PID/task/ID": Node tells no thread the system's id of it.
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), loweredPriority);
  } catch {
    // A system without it. The thread works all the same.
  }
}
