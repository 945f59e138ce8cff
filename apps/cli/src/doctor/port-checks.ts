import type { Config } from '@plimsoll/config';
import { serviceApps } from '@plimsoll/model';
import { type Finding, fault, ok, unknown, warning } from '@plimsoll/process';
import { localApiUrl, requireApiAddress } from '../service/api-address.ts';
import { statusOf } from '../service/await-readiness.ts';
import { findHealthPorts } from '../service/health-ports.ts';
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

/** Whether workers answer on their health ports, or could use them. */
export async function healthPortCheck(config: Config): Promise<Finding> {
  const host = config['worker.health_host'];
  const { of, ports } = await findHealthPorts(config, serviceApps);
  const looked = await Promise.all(
    ports.map(async ({ app, port }) => {
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`;
      return { app, url, isFree: app in of, status: await statusOf(url) };
    }),
  );
  const failing = looked.filter(({ status, isFree }) => status !== 200 && !isFree);
  const words = failing
    .map(({ app, url, status }) => `${app} at ${url}: ${status ?? 'no answer'}`)
    .join(', ');
  if (failing.length > 0)
    return warning(
      `These are not served by a healthy worker: ${words}.`,
      "See the worker's log; if another program has the port, set worker.health_port.",
    );
  const answering = looked.filter(({ status }) => status === 200).map(({ app }) => app);
  if (answering.length > 0) return ok(`These answer: ${answering.join(', ')}.`);
  return unknown(`No worker answers; the ports ${ports.map(({ port }) => port).join(', ')} are free.`);
}
