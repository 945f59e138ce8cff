import { createHash } from 'node:crypto';
import { runProgram } from './run-program.ts';

/**
 * Ids that no package assigns to a user: systemd's range for services without an account
 * (https://systemd.io/UIDS-GIDS).
 */
const firstId = 61_184;
const idCount = 4_336;

/**
 * User ids that belong to no account of the machine, in the order in which the service assigns them: first Redis, then
 * the apps. They are the same at each call for a data folder (absolute, without links) while the accounts stay the
 * same.
 */
export async function unusedIds(dataDir: string, count: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let id = firstFor(dataDir); ids.length < count; id = following(id)) {
    const { code } = await runProgram({ program: 'id', args: [String(id)] });
    if (code !== 0) ids.push(id);
  }
  return ids;
}

function firstFor(dataDir: string): number {
  return firstId + (createHash('sha256').update(dataDir).digest().readUInt32BE() % idCount);
}

function following(id: number): number {
  return firstId + ((id + 1 - firstId) % idCount);
}
