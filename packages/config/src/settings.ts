import { choice, folder, integer, listenHost } from './setting-type.ts';
import { apiSettings } from './settings/api-settings.ts';
import { auditSettings } from './settings/audit-settings.ts';
import { authSettings } from './settings/auth-settings.ts';
import { backupSettings } from './settings/backup-settings.ts';
import { databaseSettings } from './settings/database-settings.ts';
import { feedSettings } from './settings/feed-settings.ts';
import { hostSettings } from './settings/host-settings.ts';
import { notificationSettings } from './settings/notification-settings.ts';
import { oidcSettings } from './settings/oidc-settings.ts';
import { optional, preset, type Setting } from './settings/setting.ts';
import { sshSettings } from './settings/ssh-settings.ts';

/** Every setting by its dotted key, in the order of the reference page. */
export const settings = {
  data_dir: preset(
    folder(),
    'data',
    'The folder of the embedded database, the generated secrets and the logs. Only `plimsoll` commands use ' +
      'it, and the advisory-worker for `feeds.download_dir`.',
  ),
  'log.level': preset(
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The lowest level of log lines that are written.',
  ),
  ...apiSettings,
  ...oidcSettings,
  ...authSettings,
  ...databaseSettings,
  ...backupSettings,
  ...feedSettings,
  ...sshSettings,
  ...hostSettings,
  'retention.uploads_days': preset(
    integer(1, 3650),
    30,
    'Days for which the raw bytes of finished uploads are kept.',
  ),
  'retention.payloads_days': preset(
    integer(1, 36_500),
    90,
    'Days for which the raw reports of past snapshots are kept. That of the newest snapshot of each host is always kept.',
  ),
  'retention.full_days': preset(
    integer(1, 36_500),
    90,
    'Days for which every snapshot is kept. After that a host keeps one a day (UTC); questions about the past then say the day as their resolution.',
  ),
  'retention.daily_days': preset(
    integer(1, 36_500),
    400,
    'Days for which a host keeps one snapshot a day. After that it keeps one a month.',
  ),
  'retention.history_days': preset(
    integer(1, 36_500),
    800,
    'Days of the history: for which questions about the past can be answered.',
  ),
  'retention.trend_days': preset(
    integer(1, 3650),
    400,
    'Days for which the daily totals of the fleet are kept: the range of `GET /fleet/trend`.',
  ),
  'retention.audit_days': preset(integer(1, 36_500), 400, 'Days for which the audit log is kept.'),
  'retention.deliveries_days': preset(
    integer(1, 3650),
    90,
    'Days for which ended deliveries of notifications are kept.',
  ),
  ...auditSettings,
  ...backupSettings,
  ...notificationSettings,
  'worker.health_host': preset(
    listenHost(),
    '127.0.0.1',
    'The address on which workers and the scheduler serve `/healthz`, `/readyz` and `/metrics`.',
  ),
  'worker.health_port': optional(
    integer(1, 65_535),
    'The port for them. With `plimsoll start` the first of five, by app: report-worker, advisory-worker, ssh-worker, ' +
      'notify-worker, scheduler; unset: 9101. Else unset: they serve none.',
  ),
  'report_worker.concurrency': preset(
    integer(1, 256),
    32,
    'Uploads that one report-worker process parses at a time; they are written together.',
  ),
  'advisory_worker.concurrency': preset(
    integer(1, 256),
    64,
    'Uploads that one advisory-worker process matches at a time; they are written together.',
  ),
  'notify_worker.concurrency': preset(
    integer(1, 256),
    16,
    'Messages that one notify-worker process sends at a time.',
  ),
  'ssh_worker.concurrency': preset(integer(1, 1000), 100, 'Hosts one ssh-worker process pulls at a time.'),
} as const;

/** The dotted key of a setting, as in `plimsoll.yaml`. */
export type SettingKey = keyof typeof settings;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** The value of every setting, by dotted key; `null` for an unset optional setting. */
export type Config = { readonly [K in SettingKey]: ValueOf<(typeof settings)[K]> };

/** Every dotted key, in the order of the reference page. */
export const settingKeys = Object.keys(settings) as readonly SettingKey[]; // a literal's own keys, nothing inherited

/** A setting without its value type, for code that treats all settings alike. */
export function settingOf(key: SettingKey): Setting<unknown> {
  return settings[key];
}

/**
 * The environment variables of all settings that are secrets or may contain one, aliases included. Each may be given as a
 * file: `NAME_FILE`, unless that is a setting of its own.
 */
export const secretNames: readonly string[] = settingKeys.flatMap((key) => {
  const { secret, type, aliases } = settingOf(key);
  if (!secret && type.toShown === undefined) return [];
  return [environmentName(key), ...aliases].filter(
    (name) => !settingKeys.some((other) => environmentName(other) === `${name}_FILE`),
  );
});

/** The environment variable of a setting: `api.port` is `PLIMSOLL_API_PORT`. */
export function environmentName(key: SettingKey): string {
  return `PLIMSOLL_${key.toUpperCase().replaceAll('.', '_')}`;
}
