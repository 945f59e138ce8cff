import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { processStart } from './process-identity.ts';
import { type StopStage, stopInStages } from './start-server-process.ts';

/** A process that an earlier supervisor left running. */
export interface Leftover {
  readonly name: string;
  readonly pid: number;
}

/** Short, because the end of its supervisor already told it to stop. */
const stopStages: readonly StopStage[] = [
  { signal: 'SIGTERM', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
];

/**
 * Records in a folder, in a file of its name, which process runs under a name, with the time of its start, so that
 * `endLeftovers` recognises it.
 */
export async function recordProcess(folder: string, name: string, pid: number): Promise<void> {
  const start = await processStart(pid);
  if (start === null) return; // it has ended
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, name), `${pid} ${start}`, { mode: 0o600 });
}

/**
 * Ends the recorded processes that still run, and returns them by name. A process that only has the same id is not
 * touched. Call it only with the lock of the folder above held.
 */
export async function endLeftovers(folder: string): Promise<readonly Leftover[]> {
  const names = await readdir(folder).catch(() => []); // no folder before the first start
  const ended = await Promise.all(names.map((name) => endLeftover(folder, name)));
  await rm(folder, { recursive: true, force: true });
  return ended.flat().sort((left, right) => left.name.localeCompare(right.name));
}

async function endLeftover(folder: string, name: string): Promise<readonly Leftover[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  const [, digits, start] = /^(\d{1,9}) (.+)$/.exec(text) ?? [];
  const pid = Number(digits);
  // Incomplete after a power failure or on a full disk.
  if (start === undefined || (await processStart(pid)) !== start) return [];
  await stopInStages(pid, stopStages);
  return [{ name, pid }];
}
