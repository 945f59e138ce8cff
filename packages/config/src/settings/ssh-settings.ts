import { filePath, integer, networks } from '../setting-type.ts';
import { optional, preset } from './setting.ts';

/** Settings of pulls over SSH. */
export const sshSettings = {
  'ssh.sealing_public_key_file': optional(
    filePath(),
    'The public key to which private SSH keys are sealed before they are stored. The API reads it for every ' +
      'new key, so that `plimsoll secrets rotate` needs no restart. `plimsoll secrets create` creates it; if it ' +
      'is unset, `plimsoll start` creates one in the data folder.',
  ),
  'ssh.sealing_keys_file': optional(
    filePath(),
    'The matching private keys, newest first: they open the stored SSH keys. Only the ssh-worker and the ' +
      '`plimsoll secrets` commands get it. It is created like the public key. Other users of the machine must ' +
      'not be able to read it.',
  ),
  'ssh.allowed_networks': preset(
    networks(),
    [],
    'Loopback, link-local and metadata networks to which SSH pulls may connect. Other addresses, including ' +
      'private ones, need no entry.',
  ),
  'ssh.connect_timeout_seconds': preset(
    integer(1, 120),
    10,
    'Seconds that connecting to a host may take: TCP, the greeting of its SSH server and the key exchange.',
  ),
  'ssh.pull_timeout_seconds': preset(
    integer(10, 3600),
    300,
    'Seconds that a whole pull may take, from the first connection to the end of the report.',
  ),
} as const;
