import { readFile } from 'node:fs/promises';
import type { Config } from '@plimsoll/config';
import { systemErrorCode } from '@plimsoll/model';
import { type ConnectionLimits, connectionLimits } from '../connections/connection-limits.ts';

type LimitKey =
  | 'api.max_connections'
  | 'api.incomplete_connections_per_address'
  | 'api.request_timeout_seconds'
  | 'api.answer_timeout_seconds'
  | 'database.pool_size';

/** Open files besides client connections and both pools: modules, the queue, logs, look-ups, pipes. */
const otherFiles = 200;
/** The default if the system does not report its limit on open files: the usual one of POSIX systems. */
const usualFileLimit = 1_024;
const fewest = 16;

/** The configured limits, for a process with the given limit on open files. */
export function limitsOfConfig(config: Pick<Config, LimitKey>, fileLimit: number): ConnectionLimits {
  const room = fileLimit - otherFiles - 2 * config['database.pool_size'];
  const fitting = Math.max(fewest, Math.floor(room * 0.9));
  const requestMs = config['api.request_timeout_seconds'] * 1000;
  return {
    ...connectionLimits,
    most: Math.min(config['api.max_connections'] ?? connectionLimits.most, fitting),
    incompletePerAddress: config['api.incomplete_connections_per_address'],
    handshakeMs: Math.min(connectionLimits.handshakeMs, requestMs),
    requestMs,
    answerMs: config['api.answer_timeout_seconds'] * 1000,
  };
}

/** The limit on open files of this process. Node raises the soft limit to the hard one at start. */
export async function openFileLimit(): Promise<number> {
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const soft = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1];
    if (soft === 'unlimited') return Number.MAX_SAFE_INTEGER;
    return soft === undefined ? usualFileLimit : Number(soft);
  } catch (error) {
    // No /proc on this system.
    if (systemErrorCode(error) === 'ENOENT') return usualFileLimit;
    throw error;
  }
}
