import { createServer } from 'node:net';
import { type Config, environmentName } from '@plimsoll/config';
import { errorCode } from './error-code.ts';
import { StartError } from './start-error.ts';

/** The URL under which this machine reaches the API. */
export function localApiUrl(config: Config): string {
  const host = config['api.host'];
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${config['api.port']}`;
}

/** Throws StartError if the API could not listen now where the configuration tells it to. */
export async function requireApiAddress(config: Config): Promise<void> {
  const host = config['api.host'];
  const port = config['api.port'];
  const problem = await listenOnce(host, port);
  if (problem === null) return;
  const keys = `api.port (${environmentName('api.port')}, PORT)`;
  switch (problem) {
    case 'EADDRINUSE':
      throw new StartError(
        `Port ${port} of ${host} is taken by another program. Choose another with ${keys}.`,
      );
    case 'EACCES':
      throw new StartError(
        `Port ${port} of ${host} may not be used by this user. Choose another with ${keys}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAFNOSUPPORT':
      throw new StartError(
        `${host} is not an address of this machine. Choose another with api.host (${environmentName('api.host')}).`,
      );
    default:
      throw new StartError(
        `The API cannot listen on port ${port} of ${host}: ${problem}. Choose another with ${keys}.`,
      );
  }
}

function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(errorCode(error) ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
