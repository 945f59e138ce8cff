import { rootCertificates } from 'node:tls';
import { isLoopbackHost } from '@plimsoll/model';
import { checkedConnector, createProviderAddressPolicy } from '@plimsoll/outbound';
import type { CustomFetch } from 'openid-client';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { SignInRefused } from './sign-in-refused.ts';

/** Documents and answers of providers have a few kilobytes, key sets of large ones some tens. */
const mostBytes = 512 * 1024;

/**
 * Sends requests to the provider's servers and follows no redirect. Throws SignInRefused: `provider_unreachable` without
 * a whole answer in time, `provider_invalid` for one that is too large. The operator chose the issuer's server, which may have any address. Servers
 * that the provider names besides it must not be this machine or a metadata service. A proxy of the usual variables
 * applies. `authority`: a certificate authority in PEM form in addition to the public ones.
 */
export function createProviderFetch(issuer: URL, authority: string | null): CustomFetch {
  const tls = authority === null ? {} : { ca: [...rootCertificates, authority] };
  // Connects to the issuer's server directly, and to others only at the address that was checked.
  const connect = checkedConnector(createProviderAddressPolicy(), {
    isExempt: ({ hostname }) => hostname === issuer.hostname,
    connect: buildConnector({ ...tls, timeout: 5000 }),
  });
  // A proxy cannot reach this machine.
  const dispatcher = isLoopbackHost(issuer.hostname)
    ? new Agent({ connect })
    : new EnvHttpProxyAgent({ connect, requestTls: tls });
  return async (url, { method, headers, body, signal }) => {
    try {
      const answer = await request(url, {
        dispatcher,
        method: method as Dispatcher.HttpMethod, // GET or POST
        headers,
        body: body === undefined || body === null ? null : String(body),
        signal: signal ?? null,
      });
      const bytes = await readLimited(answer.body, url);
      return new Response(isBodiless(answer.statusCode) ? null : bytes, {
        status: answer.statusCode,
        headers: flat(answer.headers),
      });
    } catch (error) {
      if (error instanceof SignInRefused) throw error;
      const detail = `no answer from ${new URL(url).origin}`;
      throw new SignInRefused('provider_unreachable', detail, { cause: error });
    }
  };
}

async function readLimited(body: AsyncIterable<Uint8Array>, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > mostBytes)
      throw new SignInRefused('provider_invalid', `the answer of ${new URL(url).origin} is too large`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** Statuses with which a `Response` must have no body (Fetch Standard, "null body status"). */
function isBodiless(status: number): boolean {
  return [204, 205, 304].includes(status);
}

function flat(headers: Dispatcher.ResponseData['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
}
