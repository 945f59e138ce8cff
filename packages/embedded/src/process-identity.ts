import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { runProgram } from './run-program.ts';

/** Whether a process with this id runs now, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/**
 * When the process started, as opaque text: it differs between processes that had the same id in turn, also after a
 * restart of the machine. `null` if no such process runs.
 */
export async function processStart(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') {
    const { code, output } = await runProgram({ program: 'ps', args: ['-o', 'lstart=', '-p', String(pid)] });
    return code === 0 && output.trim() !== '' ? output.trim() : null;
  }
  const [bootId, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
  ]);
  // proc(5): the name in parentheses may contain any text; the start time is field 22, the 20th after it.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined ? null : `${bootId.trim()}:${ticks}`;
}

/** The working folder of a process, or `null` if it cannot be read. */
export async function workingFolder(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return readlink(`/proc/${pid}/cwd`).catch(() => null);
  const { output } = await runProgram({
    program: 'lsof',
    args: ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'],
  });
  const line = output.split('\n').find((text) => text.startsWith('n'));
  return line === undefined ? null : line.slice(1);
}

/** The ids of all processes whose working folder is `folder` (a real path), ascending. Always empty without /proc. */
export async function processesIn(folder: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(
    pids.map((pid) => readlink(path.join('/proc', String(pid), 'cwd')).catch(() => null)),
  );
  return pids.filter((_, index) => folders[index] === folder).sort((left, right) => left - right);
}
