import path from 'node:path';
import type { Config } from '@plimsoll/config';
import { keyFilePaths } from '../secrets/key-file-paths.ts';
import type { KeyName } from './backup-format.ts';

/** Where the settings put each file with keys, otherwise the data folder, where `plimsoll start` makes them. */
export function keyPlaces(config: Config): Readonly<Record<KeyName, string>> {
  const { keysFile, publicKeyFile } = keyFilePaths(config);
  const secrets = path.join(config.data_dir, 'secrets');
  const notifications = config['notifications.keys_dir'] ?? path.join(secrets, 'notifications');
  return {
    'keys/ssh.sealing_keys': keysFile,
    'keys/ssh.sealing_public_key': publicKeyFile,
    'keys/notifications.keys': path.join(notifications, 'keys'),
    'keys/notifications.public_key': path.join(notifications, 'public-key'),
    'keys/api.jwt_secret_key': path.join(secrets, 'api.jwt_secret_key'),
  };
}
