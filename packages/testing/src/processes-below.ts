import { readdir, readFile } from 'node:fs/promises';

/** The ids of every process below one, in no order that means something. Linux only, as the hosts that are watched. */
export async function processesBelow(root: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    // A process may end while it is looked at.
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

/** Kills a process that was found, if it has not ended meanwhile. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Node's own errors are of another realm than a test's `Error`.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
