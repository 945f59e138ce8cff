import { createServer, isIP } from 'node:net';
import { type Config, environmentName } from '@plimsoll/config';
import { systemErrorCode } from '@plimsoll/model';
import { readCertificate } from '@plimsoll/tls';
import { portHolder } from './port-holder.ts';
import { StartError } from './start-error.ts';

/** The URL under which this machine reaches the API. Its certificate, if any, usually is for other names. */
export function localApiUrl(config: Config): string {
  const scheme = config['api.tls_cert_file'] === null ? 'http' : 'https';
  const host = config['api.host'];
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${config['api.port']}`;
}

/**
 * The URL to open in a browser: `api.public_url`, otherwise the first name of the certificate, otherwise this machine's
 * own address. Throws TlsError for an unusable certificate.
 */
export async function shownApiUrl(config: Config): Promise<string> {
  const local = localApiUrl(config);
  const certFile = config['api.tls_cert_file'];
  const keyFile = config['api.tls_key_file'];
  const certificate =
    certFile === null || keyFile === null ? null : await readCertificate({ certFile, keyFile });
  const name = certificate?.names.find((candidate) => isIP(candidate) === 0 && !candidate.includes('*'));
  const named = name === undefined ? local : `https://${name}:${config['api.port']}`;
  return config['api.public_url'] ?? named;
}

/** Throws StartError if the API cannot listen on the configured address now. */
export async function requireApiAddress(config: Config): Promise<void> {
  const host = config['api.host'];
  const port = config['api.port'];
  const problem = await listenOnce(host, port);
  if (problem === null) return;
  const keys = `api.port (${environmentName('api.port')}, PORT)`;
  switch (problem) {
    case 'EADDRINUSE':
      throw new StartError(
        `Port ${port} of ${host} is taken by ${(await portHolder(port)) ?? 'another program'}. Choose another with ${keys}.`,
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

/** Listens on an address for a moment; returns the code of the error, or null. */
export function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(systemErrorCode(error) ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
