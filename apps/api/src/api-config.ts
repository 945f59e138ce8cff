import path from 'node:path';
import type { ConfigWith } from '@plimsoll/config';
import { type ProcessEnvironment, queueBackendOf } from '@plimsoll/process';
import { loginLimits } from './auth/login-limits.ts';
import { passwordCost } from './auth/passwords.ts';
import { accessTokenSeconds } from './auth/start-session.ts';
import type { ApiSettings } from './context.ts';
import { oidcSettingsOf } from './oidc/oidc-settings.ts';
import { largeReadWaiting } from './reads/large-reads.ts';

/** Settings that the API requires, besides `database.url`. */
export const requiredSettings = ['api.jwt_secret_key'] as const;

/** A configuration with all settings that the API requires. */
export type ApiConfig = ConfigWith<(typeof requiredSettings)[number] | 'database.url'>;

/** The environment of the API's process. */
export type ApiEnvironment = ProcessEnvironment<(typeof requiredSettings)[number]>;

/** Upper limit for one database statement of a request, in milliseconds. */
export const statementLimitMs = 30_000;

/** The API's settings from the configuration. */
export function apiSettingsOf(config: ApiConfig, projectDir: string): ApiSettings {
  return {
    jwtSecretKey: config['api.jwt_secret_key'],
    previousJwtSecretKey: config['api.jwt_secret_key_previous'],
    tokenLifetimeMinutes: config['api.token_lifetime_minutes'],
    sessionIdleMinutes: config['api.session_idle_minutes'],
    sessionLifetimeMinutes: config['api.session_lifetime_minutes'],
    accessTokenSeconds,
    secondFactorRoles: config['auth.second_factor_roles'],
    reauthenticateMinutes: config['auth.reauthenticate_minutes'],
    setupCode: config['api.setup_code'],
    oidc: oidcSettingsOf(config),
    publicUrl: config['api.public_url'],
    hstsDays: config['api.hsts_days'],
    metricsToken: config['api.metrics_token'],
    securityContact: config['api.security_contact'],
    trustedProxies: config['api.trusted_proxies'],
    reportIntervalSeconds: config['agent.report_interval_seconds'],
    clientNameHeader: config['api.client_name_header'],
    hostTokenDays: config['agent.token_days'],
    manualStaleAfterSeconds: config['hosts.manual_stale_days'] * 24 * 3600,
    sealingPublicKeyFile: config['ssh.sealing_public_key_file'],
    mailDomains: config['notifications.mail_domains'],
    loginLimits,
    largeReadLimits: {
      // Reads have a pool of their own; a running one uses a connection most of the time.
      atOnce: Math.min(config['api.large_reads'], config['database.pool_size'] - 1),
      perUser: config['api.large_reads_per_user'],
      ...largeReadWaiting,
    },
    channelTestSeconds: 10,
    passwordCost,
    queueBackend: queueBackendOf(config),
    dataDir: config.data_dir,
    downloadDir: config['feeds.download_dir'] ?? path.join(config.data_dir, 'downloads'),
    uploadThreadFile: threadFile(projectDir, 'uploads/upload-thread.js'),
  };
}

/** Path of a built file that runs as a thread of the API. */
export function threadFile(projectDir: string, file: string): string {
  return path.join(projectDir, 'apps', 'api', 'dist', file);
}
