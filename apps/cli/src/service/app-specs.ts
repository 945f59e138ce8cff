import path from 'node:path';
import type { SettingKey } from '@plimsoll/config';
import { type ServiceApp, serviceApps } from '@plimsoll/model';

/** An app that `plimsoll start` runs as its own process. */
export interface AppSpec {
  readonly name: string;
  /** Absolute path of the module to run. */
  readonly entry: string;
  /** Settings that this app does not need and does not get. */
  readonly withheld: readonly SettingKey[];
  /** Settings that name files read by this app. */
  readonly reads: readonly FileSetting[];
  /** Settings that name folders written by this app. */
  readonly writes: readonly FolderSetting[];
}

/** A setting that names a folder. */
type FolderSetting = 'feeds.download_dir' | 'notifications.keys_dir';

/** A setting that names a file. */
type FileSetting =
  | 'advisories.overrides_file'
  | 'api.tls_cert_file'
  | 'api.tls_key_file'
  | 'mail.ca_file'
  | 'oidc.ca_file'
  | 'oidc.client_secret_file'
  | 'ssh.sealing_keys_file'
  | 'ssh.sealing_public_key_file';

/** Only the supervisor backs up, and only the migrating process knows the roles' URLs, which contain the apps' passwords. */
export const forNoApp: readonly SettingKey[] = [
  'backup.dir',
  'backup.every_hours',
  'backup.keep',
  'backup.keys',
  'database.password_file',
  'database.role_passwords_dir',
  'database.role_prefix',
];

/** Workers sign no tokens and create no users. */
const notForWorkers: readonly SettingKey[] = [
  'api.jwt_secret_key',
  'api.jwt_secret_key_previous',
  'api.setup_code',
  'oidc.client_secret',
];
/** Addresses of mirrors may have passwords, and only the advisory-worker fetches feeds. */
const fetchesNoFeeds: readonly SettingKey[] = ['feeds.base_url', 'feeds.urls'];
/** The proxy may have one, too, and only the advisory-worker and the notify-worker go through it. */
const fetchesNothing: readonly SettingKey[] = [...fetchesNoFeeds, 'feeds.proxy'];
/** Only the notify-worker signs in to the mail server. */
const mailsNothing: readonly SettingKey[] = ['mail.user', 'mail.password'];
/** Only the ssh-worker decrypts private SSH keys. */
const opensNothing: readonly SettingKey[] = ['ssh.sealing_keys_file'];

const settingsOf: Readonly<Record<ServiceApp, Pick<AppSpec, 'withheld' | 'reads' | 'writes'>>> = {
  api: {
    withheld: [...opensNothing, ...fetchesNothing, ...mailsNothing],
    reads: [
      'api.tls_cert_file',
      'api.tls_key_file',
      'oidc.ca_file',
      'oidc.client_secret_file',
      'ssh.sealing_public_key_file',
    ],
    writes: [],
  },
  'report-worker': {
    withheld: [...notForWorkers, ...opensNothing, ...fetchesNothing, ...mailsNothing],
    reads: [],
    writes: [],
  },
  'advisory-worker': {
    withheld: [...notForWorkers, ...opensNothing, ...mailsNothing],
    reads: ['advisories.overrides_file'],
    writes: ['feeds.download_dir'],
  },
  'ssh-worker': {
    withheld: [...notForWorkers, ...fetchesNothing, ...mailsNothing],
    reads: ['ssh.sealing_keys_file'],
    writes: [],
  },
  'notify-worker': {
    withheld: [...notForWorkers, ...opensNothing, ...fetchesNoFeeds],
    reads: ['mail.ca_file'],
    writes: ['notifications.keys_dir'],
  },
  scheduler: {
    withheld: [...notForWorkers, ...opensNothing, ...fetchesNothing, ...mailsNothing],
    reads: [],
    writes: [],
  },
};

/** The apps that `plimsoll start` runs, the API first. */
export function appSpecs(projectDir: string): readonly AppSpec[] {
  return serviceApps.map((name) => ({
    name,
    ...settingsOf[name],
    entry: path.join(projectDir, 'apps', name, 'dist', 'main.js'),
  }));
}
