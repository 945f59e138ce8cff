import type { FeedFailureCause } from '@plimsoll/model';
import { AddressError, ProxyError, refusedTunnelStatus } from '@plimsoll/outbound';
import { codesOf, errorChain, FetchError, isDiskError } from './fetch-error.ts';

/** The request for a file. */
export interface Asked {
  readonly url: URL;
  /** The origin of the proxy; null for a direct connection. */
  readonly proxy: string | null;
}

const nameCodes = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'];
const refusedCodes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'];
const connectTimeouts = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];
const answerTimeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
/** OpenSSL's verification results in Node's spelling (`man 1 openssl-verification-options`, X509_V_ERR_*). */
const certificateCodes = [
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'EPROTO',
];

/** A failed connection as a FetchError. `url` is the last address requested, after all redirects. */
export function connectionFailure(error: unknown, asked: Asked): FetchError {
  const { failure, reason } = failureOf(error, asked);
  return new FetchError(asked.url, reason, { failure, cause: error });
}

interface Failure {
  readonly failure: FeedFailureCause;
  readonly reason: string;
}

function failureOf(error: unknown, { url: { hostname }, proxy }: Asked): Failure {
  const refusal = findAddressError(error);
  if (refusal !== null) {
    const failure = refusal.code === 'dns_failed' ? 'dns' : 'address_refused';
    return { failure, reason: withoutStop(refusal.message) };
  }
  if (error instanceof ProxyError) return { failure: 'proxy', reason: error.message };
  if (isDiskError(error)) return { failure: 'disk', reason: 'this machine could not store the file' };
  const codes = codesOf(error);
  const has = (list: readonly string[]) => codes.some((code) => list.includes(code));
  if (has(['CERT_HAS_EXPIRED']))
    return { failure: 'certificate_expired', reason: `the certificate of ${hostname} has expired` };
  const trust = codes.find((code) => certificateCodes.includes(code) || /^ERR_(SSL|TLS)_/.test(code));
  if (trust !== undefined)
    return { failure: 'tls', reason: `the connection to ${hostname} cannot be secured (${trust})` };
  if (proxy !== null) {
    const reason = proxyReason(error, proxy, has);
    if (reason !== null) return { failure: 'proxy', reason };
  }
  if (has(nameCodes)) return { failure: 'dns', reason: `the name ${hostname} cannot be resolved` };
  if (has(refusedCodes))
    return { failure: 'refused', reason: `${hostname} cannot be connected to (${codes[0]})` };
  if (has([...connectTimeouts, ...answerTimeouts]))
    return { failure: 'timeout', reason: `${hostname} did not answer in time` };
  return { failure: 'cut_off', reason: 'the connection broke off' };
}

/** The proxy's fault; null if the failure is behind it. */
function proxyReason(
  error: unknown,
  proxy: string,
  has: (codes: readonly string[]) => boolean,
): string | null {
  const status =
    errorChain(error)
      .map((at) => ('message' in at ? refusedTunnelStatus(String(at.message)) : null))
      .find((each) => each !== null) ?? null;
  if (status === 407)
    return `the proxy ${proxy} wants another user name and password (407); feeds.proxy takes them`;
  if (status !== null) return `the proxy ${proxy} refused the connection (${status})`;
  if (has(nameCodes)) return `the name of the proxy ${proxy} cannot be resolved`;
  if (has(refusedCodes)) return `the proxy ${proxy} cannot be connected to`;
  if (has(connectTimeouts)) return `the proxy ${proxy} did not answer in time`;
  return null;
}

/** The address policy's refusal among an error's causes; null without one. */
function findAddressError(error: unknown): AddressError | null {
  return errorChain(error).find((at) => at instanceof AddressError) ?? null;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
