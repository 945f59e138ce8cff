import type { System } from '@plimsoll/contract';

/** What does not happen while none of an app's processes runs. */
const losses = {
  scheduler: 'No host is pulled on schedule, no feed is fetched, and no work that got stuck is begun again.',
  'ssh-worker': 'No host is pulled over SSH.',
  'report-worker': 'Uploads are taken, but nobody reads them.',
  'advisory-worker': 'No feed is fetched, no file imported, and no host judged.',
} as const;

/** The parts of the service of which nothing was heard for a while, and what that means. */
export function missingApps(
  instances: System['instances'],
): readonly { readonly app: string; readonly loss: string }[] {
  return Object.entries(losses)
    .filter(([app]) => !instances.some((instance) => instance.app === app && instance.alive))
    .map(([app, loss]) => ({ app, loss }));
}
