import type { Config } from '@plimsoll/config';
import { type Finding, fault, ok, unknown, warning } from '@plimsoll/process';
import { localApiUrl, requireApiAddress } from '../service/api-address.ts';
import { statusOf } from '../service/await-readiness.ts';
import { portHolder } from '../service/port-holder.ts';
import { StartError } from '../service/start-error.ts';

/** Whether the API answers on its port, or could use it. */
export async function apiPortCheck(config: Config): Promise<Finding> {
  const url = localApiUrl(config);
  const status = await statusOf(`${url}/readyz`);
  const holder = (await portHolder(config['api.port'])) ?? 'a process of another user';
  if (status === 200) return ok(`The API answers at ${url}: ${holder}.`);
  if (status === 503) return fault(`The API at ${url} is not ready.`, 'See the lines above and its log.');
  try {
    await requireApiAddress(config);
    return warning(`No API answers at ${url}; the port is free.`, 'Start the service.');
  } catch (error) {
    if (error instanceof StartError) return fault(error.message, 'End that program, or choose another port.');
    throw error;
  }
}

/** Whether a worker answers on the health port. */
export async function healthPortCheck(config: Config): Promise<Finding> {
  const { 'worker.health_host': host, 'worker.health_port': port } = config;
  if (port === null)
    return unknown(
      'worker.health_port is not set: plimsoll start uses 9101 to 9105, other workers serve no health.',
    );
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`;
  const status = await statusOf(url);
  if (status === 200) return ok(`A worker answers at ${url}.`);
  if (status === null) return unknown(`Nothing answers at ${url}.`);
  return fault(`${url} answers ${status}.`, "See the worker's log.");
}
