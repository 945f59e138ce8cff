import { readFile } from 'node:fs/promises';
import type { Config } from '@plimsoll/config';
import { type ConnectionLimits, connectionLimits } from '../connections/connection-limits.ts';

type LimitKey =
  | 'api.max_connections'
  | 'api.incomplete_connections_per_address'
  | 'api.request_timeout_seconds'
  | 'api.answer_timeout_seconds'
  | 'database.pool_size';

/** Files that the process opens besides clients' connections and both pools: modules, the queue, logs, look-ups, pipes. */
const otherFiles = 200;
/** Where the system does not tell how many files a process may open: what POSIX systems allow by default. */
const usualFileLimit = 1_024;
const fewest = 16;

/** The limits that the configuration sets, for a process that may open so many files. */
export function limitsOfConfig(config: Pick<Config, LimitKey>, fileLimit: number): ConnectionLimits {
  const room = fileLimit - otherFiles - 2 * config['database.pool_size'];
  const fitting = Math.max(fewest, Math.floor(room * 0.9));
  return {
    ...connectionLimits,
    most: Math.min(config['api.max_connections'] ?? connectionLimits.most, fitting),
    incompletePerAddress: config['api.incomplete_connections_per_address'],
    requestMs: config['api.request_timeout_seconds'] * 1000,
    answerMs: config['api.answer_timeout_seconds'] * 1000,
  };
}

/** How many files this process may open. Node raises the soft limit to the hard one when it starts. */
export async function openFileLimit(): Promise<number> {
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const soft = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1];
    if (soft === 'unlimited') return Number.MAX_SAFE_INTEGER;
    return soft === undefined ? usualFileLimit : Number(soft);
  } catch (error) {
    // A system without /proc.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return usualFileLimit;
    throw error;
  }
}
