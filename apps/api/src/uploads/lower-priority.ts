import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';

/** A `nice` value: a thread with 5 gets a third of the time of one with 0 when both want a core. */
export const loweredPriority = 5;

/**
 * Lowers the priority of the calling thread, so that the event loop that answers requests comes first. Only Linux has
 * thread priorities; elsewhere it does nothing.
 */
export function lowerPriority(): void {
  try {
    // "PID/task/ID": Node does not give a thread's system id.
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), loweredPriority);
  } catch {
    // Not available on this system; the thread works without it.
  }
}
