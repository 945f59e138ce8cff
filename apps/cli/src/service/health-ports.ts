import { type Config, environmentName } from '@plimsoll/config';
import { serviceApps } from '@plimsoll/model';
import { listenOnce } from './api-address.ts';

/** The port of the first worker without `worker.health_port`. */
const firstPort = 9101;
const highestPort = 65_535;

/** The health ports of apps, and a warning if some have none. */
export interface HealthPorts {
  /** The ports that can be used, by app. */
  readonly of: Readonly<Record<string, number>>;
  /** All that are wanted. */
  readonly ports: readonly { readonly app: string; readonly port: number }[];
  readonly warnings: readonly string[];
}

/**
 * Numbers the workers and the scheduler from `worker.health_port` or 9101 on, in the order of `serviceApps`. One whose
 * port cannot be used has none: two services on a machine both start.
 */
export async function findHealthPorts(config: Config, apps: readonly string[]): Promise<HealthPorts> {
  const host = config['worker.health_host'];
  const [, ...workers] = serviceApps;
  const first = config['worker.health_port'] ?? firstPort;
  const wanted = workers
    .map((app, at) => ({ app, port: first + at }))
    .filter(({ app }) => apps.includes(app));
  const looked = await Promise.all(
    wanted.map(async (each) => ({
      ...each,
      isFree: each.port <= highestPort && (await listenOnce(host, each.port)) === null,
    })),
  );
  const taken = looked.filter(({ isFree }) => !isFree).map(({ app, port }) => `${app} (${port})`);
  const warning =
    `health and metrics are not served for ${taken.join(', ')}: ${host} or the port is not free. Set ` +
    `worker.health_port (${environmentName('worker.health_port')}) to the first of ${workers.length} free ports`;
  return {
    of: Object.fromEntries(looked.filter(({ isFree }) => isFree).map(({ app, port }) => [app, port])),
    ports: wanted,
    warnings: taken.length === 0 ? [] : [warning],
  };
}
