import path from 'node:path';
import type { SettingKey } from '@plimsoll/config';
import { type ServiceApp, serviceApps } from '@plimsoll/model';

/** One app that `plimsoll start` runs as a process of its own. */
export interface AppSpec {
  readonly name: string;
  /** Absolute path of the module to run. */
  readonly entry: string;
  /** Settings that this app has no business with and does not get. */
  readonly withheld: readonly SettingKey[];
  /** Settings that name files which this app reads. */
  readonly reads: readonly FileSetting[];
}

/** A setting that names a file. */
type FileSetting =
  | 'api.tls_cert_file'
  | 'api.tls_key_file'
  | 'ssh.sealing_keys_file'
  | 'ssh.sealing_public_key_file';

/** Only who migrates knows the roles of others, and each app's URL has its password. */
export const forNoApp: readonly SettingKey[] = [
  'database.password_file',
  'database.role_passwords_dir',
  'database.role_prefix',
];

/** Workers sign no tokens and make no users, and several on one machine cannot share a port. */
const notForWorkers: readonly SettingKey[] = ['api.jwt_secret_key', 'api.setup_code', 'worker.health_port'];
/** Its proxy may hold a password, and only the advisory-worker fetches anything. */
const fetchesNothing: readonly SettingKey[] = ['feeds.proxy'];
/** Only the ssh-worker opens private SSH keys. */
const opensNothing: readonly SettingKey[] = ['ssh.sealing_keys_file'];

const settingsOf: Readonly<Record<ServiceApp, Pick<AppSpec, 'withheld' | 'reads'>>> = {
  api: {
    withheld: [...opensNothing, ...fetchesNothing],
    reads: ['api.tls_cert_file', 'api.tls_key_file', 'ssh.sealing_public_key_file'],
  },
  'report-worker': { withheld: [...notForWorkers, ...opensNothing, ...fetchesNothing], reads: [] },
  'advisory-worker': { withheld: [...notForWorkers, ...opensNothing], reads: [] },
  'ssh-worker': { withheld: [...notForWorkers, ...fetchesNothing], reads: ['ssh.sealing_keys_file'] },
  scheduler: { withheld: [...notForWorkers, ...opensNothing, ...fetchesNothing], reads: [] },
};

/** What `plimsoll start` runs, the API first. */
export function appSpecs(projectDir: string): readonly AppSpec[] {
  return serviceApps.map((name) => ({
    name,
    ...settingsOf[name],
    entry: path.join(projectDir, 'apps', name, 'dist', 'main.js'),
  }));
}
