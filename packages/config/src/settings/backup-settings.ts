import { flag, folder, integer } from '../setting-type.ts';
import { optional, preset } from './setting.ts';

/** Settings of backups by schedule. */
export const backupSettings = {
  'backup.dir': optional(
    folder(),
    'The folder for backups, which `npm start` and `plimsoll backup --scheduled` write by schedule. Unset: no schedule.',
  ),
  'backup.every_hours': preset(integer(1, 24), 24, 'Hours from one backup to the next.'),
  'backup.keep': preset(
    integer(1, 1000),
    7,
    'How many backups of `backup.dir` are kept. Older ones are deleted after a new one was checked.',
  ),
  'backup.keys': preset(
    flag(),
    true,
    'Whether these backups contain the keys. Without them, back up the key files elsewhere.',
  ),
  'backup.before_migrations': preset(
    flag(),
    true,
    'Whether the database is backed up before a newer version migrates it: to `before-migrations` in `backup.dir`; unset, ' +
      '`plimsoll start` uses `backups` in the data folder, and `plimsoll migrate` makes none and says so.',
  ),
} as const;
