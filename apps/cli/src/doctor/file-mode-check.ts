import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Config, configReport, type readConfigInput } from '@plimsoll/config';
import { systemErrorCode } from '@plimsoll/model';
import { type Finding, fault, ok, unknown } from '@plimsoll/process';
import { keyPlaces } from '../backup/key-places.ts';
import { backupsIn } from '../backup/run-backups.ts';

/** Whether only their owner, or a group that the operator chose, can read the files with secrets. */
export async function fileModeCheck(
  config: Config,
  input: Awaited<ReturnType<typeof readConfigInput>>,
): Promise<Finding> {
  const settings = `${input.fileName}`;
  const isIn = configReport(input).some(
    ({ value, source }) => value === '(secret)' && source.startsWith(settings),
  );
  const place = config['backup.dir'] ?? path.join(config.data_dir, 'backups');
  const backups: string[] = [];
  for (const folder of [place, path.join(place, 'before-migrations')])
    for (const name of await backupsIn(folder)) backups.push(path.join(folder, name));
  const secret = Object.entries(keyPlaces(config)).flatMap(([name, file]) =>
    name.includes('public') ? [] : [file],
  );
  const files = [
    ...secret,
    ...backups,
    isIn ? settings : null,
    ...[config['api.tls_key_file'], config['database.password_file'], config['oidc.client_secret_file']],
    ...['database.url', 'redis.url'].map((name) => path.join(config.data_dir, name)),
  ].filter((file) => file !== null);
  const hidden: string[] = [];
  const open: string[] = [];
  let looked = 0;
  for (const file of files) {
    try {
      const { mode, uid } = await stat(file);
      looked += 1;
      const isForeign = process.getuid?.() !== 0 && uid !== process.getuid?.() && uid !== 0;
      if ((mode & 0o007) !== 0) open.push(`${file} (mode ${(mode & 0o777).toString(8)})`);
      if (isForeign) hidden.push(`${file} belongs to user ${uid}`);
    } catch (error) {
      const code = systemErrorCode(error) ?? String(error);
      if (code !== 'ENOENT') hidden.push(`${file}: ${code}`);
    }
  }
  if (open.length > 0)
    return fault(
      `Every user can use ${open.join(', ')}.`,
      'Run chmod o-rwx on them, and replace the secrets.',
    );
  if (hidden.length > 0)
    return unknown(
      `Not every file can be looked at: ${hidden.join(', ')}.`,
      'Run this as the user of the service.',
    );
  return looked === 0
    ? unknown('There are no files with secrets yet.')
    : ok(`${looked} files with secrets are closed to other users.`);
}
