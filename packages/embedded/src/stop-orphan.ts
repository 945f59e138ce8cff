import { readFile, realpath } from 'node:fs/promises';
import { isAlive, workingFolder } from './process-identity.ts';
import { type StopStage, stopInStages } from './start-server-process.ts';

/**
 * Stops the server that an earlier supervisor left running: the process named in the first line of `pidFile`, if it
 * works in `folder`. A process that only has the same id is not touched. Call it only with the folder's lock held.
 */
export async function stopOrphan(
  pidFile: string,
  folder: string,
  stages: readonly StopStage[],
): Promise<void> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number(text.split('\n', 1)[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1 || !isAlive(pid)) return;
  if ((await workingFolder(pid)) === (await realpath(folder))) await stopInStages(pid, stages);
}
