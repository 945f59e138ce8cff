/**
 * The apps of the service: each runs as a process of its own, from apps/NAME, and gets a database role of its own. The
 * API is first: it is the one that a start waits for. Every other list of apps derives from this one or is compared
 * with it by tests/service-apps.test.ts.
 */
export const serviceApps = ['api', 'report-worker', 'advisory-worker', 'ssh-worker', 'scheduler'] as const;

/** An app of the service. */
export type ServiceApp = (typeof serviceApps)[number];
