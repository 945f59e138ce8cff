import { AddressError } from '@plimsoll/outbound';

/** Why a request got no answer, and what to do, as a sentence. Names the server, never the rest of the URL. */
export function postFailure(
  error: unknown,
  { url, isLate }: { readonly url: URL; readonly isLate: boolean },
): string {
  const chain = errorChain(error);
  const refusal = chain.find((at) => at instanceof AddressError);
  if (refusal !== undefined) return refusal.message;
  const { host } = url;
  if (isLate) return `${host} did not answer within 10 seconds: check that it is up and not overloaded.`;
  const codes = chain.flatMap((at) => ('code' in at && typeof at.code === 'string' ? [at.code] : []));
  const has = (...list: readonly string[]) => codes.some((code) => list.includes(code));
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

function errorChain(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) {
    chain.push(at);
    if (at instanceof AggregateError) chain.push(...at.errors.filter((one) => one instanceof Error));
  }
  return chain;
}
