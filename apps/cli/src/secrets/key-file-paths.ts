import path from 'node:path';
import type { Config } from '@plimsoll/config';
import type { KeyFilePaths } from '@plimsoll/secrets';

/** Paths of the sealing keys: from the settings, otherwise in the data folder, where `plimsoll start` makes them. */
export function keyFilePaths(config: Config): KeyFilePaths {
  const folder = path.join(config.data_dir, 'secrets');
  return {
    keysFile: config['ssh.sealing_keys_file'] ?? path.join(folder, 'ssh.sealing_keys'),
    publicKeyFile: config['ssh.sealing_public_key_file'] ?? path.join(folder, 'ssh.sealing_public_key'),
  };
}
