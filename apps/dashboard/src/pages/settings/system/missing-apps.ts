import type { System } from '@plimsoll/contract';
import type { ServiceApp } from '@plimsoll/model';

/**
 * What stops while an app has no running process. The API is not listed: without it this page cannot load.
 */
const losses = {
  scheduler: 'Hosts are not pulled on schedule, feeds are not synced, and stuck work is not retried.',
  'ssh-worker': 'Hosts are not pulled over SSH.',
  'notify-worker': 'No notifications are sent. They are kept and sent when it runs again.',
  'report-worker': 'Uploads are accepted but not processed.',
  'advisory-worker': 'Feeds are not synced, files are not imported, and hosts are not checked.',
} satisfies Record<Exclude<ServiceApp, 'api'>, string>;

/** Apps without a recent sign of life, and the effect of their absence. */
export function missingApps(
  instances: System['instances'],
): readonly { readonly app: string; readonly loss: string }[] {
  return Object.entries(losses)
    .filter(([app]) => !instances.some((instance) => instance.app === app && instance.alive))
    .map(([app, loss]) => ({ app, loss }));
}
