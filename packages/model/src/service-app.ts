/**
 * The apps of the service. Each runs as its own process, from apps/NAME, with its own database role. The API is first:
 * `start` waits for it. Every other list of apps derives from this one or is compared with it by
 * tests/service-apps.unit.test.ts.
 */
export const serviceApps = [
  'api',
  'report-worker',
  'advisory-worker',
  'ssh-worker',
  'notify-worker',
  'scheduler',
] as const;

/** An app of the service. */
export type ServiceApp = (typeof serviceApps)[number];
