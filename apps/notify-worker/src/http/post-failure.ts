import { AddressError, ProxyError, refusedTunnelStatus } from '@plimsoll/outbound';

/** Why a request got no answer, and what to do, as a sentence. Names the server and the proxy on the way, never the rest of the URL. */
export function postFailure(
  error: unknown,
  { url, proxy, isLate }: { readonly url: URL; readonly proxy: string | null; readonly isLate: boolean },
): string {
  const chain = errorChain(error);
  const refusal = chain.find((at) => at instanceof AddressError);
  if (refusal !== undefined) return refusal.message;
  if (error instanceof ProxyError) return `${error.message}.`;
  const status = chain.map((at) => refusedTunnelStatus(messageOf(at))).find((each) => each !== null) ?? null;
  if (status === 407)
    return `The proxy ${proxy} wants another user name and password (407): feeds.proxy takes them.`;
  if (status !== null)
    return `The proxy ${proxy} refused the connection to ${url.host} (${status}): allow the server there, or list it in notifications.proxied_names if it allows names only.`;
  const { host } = url;
  if (isLate) return `${host} did not answer within 10 seconds: check that it is up and not overloaded.`;
  const codes = chain.flatMap((at) => ('code' in at && typeof at.code === 'string' ? [at.code] : []));
  const has = (...list: readonly string[]) => codes.some((code) => list.includes(code));
  if (
    proxy !== null &&
    has('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN')
  )
    return `The proxy ${proxy} cannot be reached: check feeds.proxy, or HTTPS_PROXY and HTTP_PROXY, and the proxy.`;
  if (has('ECONNREFUSED'))
    return `${host} refuses connections: check that the server runs, and the port in the address.`;
  if (has('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'))
    return `${host} cannot be reached: check the network and firewalls between this server and it.`;
  if (has('CERT_HAS_EXPIRED')) return `The certificate of ${host} has expired: renew it.`;
  const tls = codes.find((code) => /CERT|^ERR_(SSL|TLS)_|ISSUER|SELF_SIGNED|SIGNATURE|^EPROTO$/.test(code));
  if (tls !== undefined)
    return `The connection to ${host} cannot be secured (${tls}): its certificate must be valid for this name and signed by a known authority.`;
  return `The connection to ${host} broke off before an answer: check its log.`;
}

/** What an answer other than 2xx means, and what to do; with the time that it asks to wait. */
export function statusFailure(
  { host }: URL,
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): { readonly reason: string; readonly askedSeconds: number | null } {
  const after = headers['retry-after'];
  const askedSeconds = typeof after === 'string' && /^\d{1,6}$/.test(after) ? Number(after) : null;
  return { reason: `${host} answered ${status}${meaning(status)}`, askedSeconds };
}

function meaning(status: number): string {
  if (status >= 300 && status < 400)
    return ', a redirect, and redirects are not followed: enter the final address.';
  if (status === 401 || status === 403)
    return ': it does not accept the address or the secret. Enter them again.';
  if (status === 404 || status === 410) return ': nothing takes messages at this address. Enter it again.';
  if (status === 429) return ': it gets too many messages. The next attempt is later; a digest sends fewer.';
  if (status >= 500) return ': it has a problem of its own. See its log.';
  return ': it does not accept the message. Check that the kind of the channel fits the server.';
}

/** An error and its causes, by structure: Node's errors may belong to another realm's Error. */
function errorChain(error: unknown): readonly object[] {
  const chain: object[] = [];
  for (let at = error; typeof at === 'object' && at !== null && chain.length < 10; ) {
    chain.push(at);
    if (at instanceof AggregateError) chain.push(...at.errors);
    at = 'cause' in at ? at.cause : null;
  }
  return chain;
}

function messageOf(error: object): string {
  return 'message' in error ? String(error.message) : '';
}
