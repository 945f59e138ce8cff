import { readdir, readFile } from 'node:fs/promises';
import { systemErrorCode } from '@plimsoll/model';

/** The ids of all processes below one, in no particular order. Linux only, like the monitored hosts. */
export async function processesBelow(root: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    // A process may end while it is read.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = /\) \S (\d+) /.exec(stat)?.[1];
    if (parent !== undefined) parents.set(pid, Number(parent));
  }
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found.slice(1);
}

/** Kills a process unless it has ended meanwhile. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}
