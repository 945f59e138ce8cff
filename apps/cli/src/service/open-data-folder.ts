import { access, constants, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { lockDataDir, saysDiskFull } from '@plimsoll/embedded';
import { systemErrorCode } from '@plimsoll/model';
import type { CleanupStack } from './cleanup-stack.ts';
import { type Log, openLog } from './open-log.ts';
import { StartError } from './start-error.ts';

/** A data folder that this process has locked. Paths are absolute, without symbolic links. */
export interface DataFolder {
  readonly dataDir: string;
  readonly logsFolder: string;
  /** Publishes the URL under which the service can be reached. */
  announce(url: string): Promise<void>;
  openNamedLog(name: string): Log;
  /** Writes a line of JSON to the supervisor's own log. */
  writeEvent(event: object): void;
}

/**
 * Makes and locks the data folder and opens the supervisor's log, until `cleanup`. Throws StartError if the folder cannot
 * be used or another service runs on it.
 */
export async function openDataFolder(
  wanted: string,
  cleanup: CleanupStack,
  warn: (line: string) => void,
): Promise<DataFolder> {
  const dataDir = await prepareFolder(wanted);
  const logsFolder = await prepareFolder(path.join(dataDir, 'logs'));
  const locking = await lockDataDir(dataDir);
  if (locking.kind === 'held') {
    const where = locking.url === null ? 'it is still starting' : locking.url;
    throw new StartError(`Plimsoll is already running on ${dataDir}: process ${locking.pid}, ${where}.`);
  }
  cleanup.add(locking.lock.release);
  let isFullTold = false;
  const onProblem = (problem: string): void => {
    const isFull = saysDiskFull(problem);
    // The same is true of all logs.
    if (!isFull || !isFullTold) warn(problem);
    isFullTold ||= isFull;
  };
  const openNamedLog = (name: string): Log => {
    const log = openLog(logsFolder, name, onProblem);
    cleanup.add(log.close);
    return log;
  };
  const own = openNamedLog('plimsoll');
  return {
    dataDir,
    logsFolder,
    announce: locking.lock.announce,
    openNamedLog,
    writeEvent: (event) => own.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`),
  };
}

async function prepareFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (cause) {
    const code = systemErrorCode(cause) ?? String(cause);
    throw new StartError(
      `${folder} cannot be used: ${code}. Choose another folder with data_dir (PLIMSOLL_DATA_DIR).`,
      { cause },
    );
  }
}
