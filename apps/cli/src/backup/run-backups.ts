import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '@plimsoll/model';
import { explain } from '../explain.ts';
import { type BackupOrder, backupFileName, createBackup } from './create-backup.ts';

/** Backups by schedule, into `backup.dir`. */
export interface BackupSchedule extends Omit<BackupOrder, 'withKeys' | 'say'> {
  /** Default: as `backup.keys` says. */
  readonly withKeys?: boolean;
  readonly stop: AbortSignal;
  /** Prints a warning. */
  readonly warn: (line: string) => void;
}

const lookEveryMs = 60_000;
const againAfterMs = 15 * 60_000;
/** A clock that was ahead may have named files. */
const aheadMs = 3_600_000;
const partialLastsMs = 86_400_000;

/**
 * Backs up whenever the newest backup of the folder is older than `backup.every_hours`, until `stop`; after a failure again
 * in 15 minutes. A restart changes nothing about the times.
 */
export async function runBackups(schedule: BackupSchedule): Promise<void> {
  const { config, folder, stop, warn } = schedule;
  while (!stop.aborted) {
    let pauseMs = lookEveryMs;
    try {
      const newest = (await newestBackup(folder))?.getTime() ?? 0;
      if (Date.now() - newest >= config['backup.every_hours'] * 3_600_000) await backUpOnce(schedule);
    } catch (error) {
      if (stop.aborted) return;
      warn(`No backup was made: ${explain(error)} It is tried again in 15 minutes.`);
      pauseMs = againAfterMs;
    }
    // Rejects only when it is stopped.
    await delay(pauseMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Makes a backup, then deletes what is too much in its folder. */
export async function backUpOnce({ config, folder, ...schedule }: BackupSchedule): Promise<void> {
  const { withKeys = config['backup.keys'], warn } = schedule;
  const order = { ...schedule, config, folder, withKeys, say: () => undefined };
  const { file, keysMissing } = await createBackup(order);
  if (withKeys && keysMissing !== null) warn(`The backup ${file} has not all keys. ${keysMissing}`);
  await deleteOldBackups(folder, config['backup.keep'], file);
}

/** Deletes the oldest backups of a folder but for `keep`, never `newest`, and what was given up a day ago. */
export async function deleteOldBackups(folder: string, keep: number, newest: string): Promise<void> {
  const now = new Date();
  // The new one stays, whatever the clock was before.
  const others = (await backupsIn(folder)).filter((name) => name !== path.basename(newest));
  const isAhead = (name: string): boolean => name > backupFileName(new Date(now.getTime() + aheadMs));
  const oldestFirst = [...others.filter(isAhead), ...others.filter((name) => !isAhead(name))];
  const tooMany = oldestFirst.slice(0, Math.max(0, oldestFirst.length + 1 - keep));
  for (const name of tooMany) await rm(path.join(folder, name), { force: true });
  for (const name of await namesIn(folder, /^plimsoll-\d{8}T\d{6}Z\.tar\.partial$/)) {
    const { mtimeMs } = await stat(path.join(folder, name));
    if (now.getTime() - mtimeMs > partialLastsMs) await rm(path.join(folder, name), { force: true });
  }
}

/** The time of the newest backup of a folder, by its name; null without one. Names of a clock that was ahead do not count. */
export async function newestBackup(folder: string): Promise<Date | null> {
  const ahead = backupFileName(new Date(Date.now() + aheadMs));
  const newest = (await backupsIn(folder)).filter((name) => name <= ahead).at(-1);
  const iso = newest?.replace(/^.*-(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ).*$/, '$1-$2-$3:$4:$5');
  return iso === undefined ? null : new Date(iso);
}

/** The backups of a folder, the oldest first: only files that have such a name. */
export function backupsIn(folder: string): Promise<readonly string[]> {
  return namesIn(folder, /^plimsoll-\d{8}T\d{6}Z\.tar$/);
}

async function namesIn(folder: string, pattern: RegExp): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
