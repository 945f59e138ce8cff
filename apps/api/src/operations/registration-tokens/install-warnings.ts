import type { IssuedRegistrationToken } from '@plimsoll/contract';
import { isLoopbackHost } from '@plimsoll/model';
import type { KeptCertificate } from '../../tls/kept-certificate.ts';

type InstallWarning = IssuedRegistrationToken['warnings'][number];

/**
 * What stops an install command from working or makes it unsafe, most important first. `certificate` is the API's own;
 * a proxy's certificate is not known here.
 */
export function installWarnings(
  origin: string,
  allowPlainHttp: boolean,
  certificate: KeptCertificate | null,
): InstallWarning[] {
  const { protocol, hostname } = new URL(origin);
  if (isLoopbackHost(hostname)) {
    return [
      {
        code: 'loopback_url',
        detail: `The command leads to ${hostname}, which on every host is the host itself: it works on this server's own machine only. For other hosts open the dashboard by a name or address that they reach, or set api.public_url.`,
      },
    ];
  }
  if (protocol === 'http:') return [plainHttp(origin, allowPlainHttp)];
  return certificate === null || certificate.current().isPublic ? [] : [privateAuthority];
}

/** As the agent decides: names and addresses of the host itself, regardless of the name server. */

function plainHttp(origin: string, allowPlainHttp: boolean): InstallWarning {
  const risk = `${origin} is not encrypted: anyone on the way can read the token and the host's reports, and change them.`;
  const consequence = allowPlainHttp
    ? 'The command was made for it all the same.'
    : 'The agent refuses that. Give the server a certificate (docs/operations/tls.md), or make a command that allows plain http.';
  return { code: 'plain_http_url', detail: `${risk} ${consequence}` };
}

const privateAuthority: InstallWarning = {
  code: 'private_authority',
  detail:
    "This server's certificate is not from a public authority. On hosts that do not trust its authority yet, copy the authority's certificate there and run first: export PLIMSOLL_CA_FILE=/root/ca.pem",
};
