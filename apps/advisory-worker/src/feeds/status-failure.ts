import type { FeedFailureCause } from '@plimsoll/model';
import { FetchError } from './fetch-error.ts';

/** A longer wait requested by a server is cut to one day. */
const longestWaitMs = 86_400_000;

interface Answer {
  readonly url: URL;
  readonly status: number;
  /** The header `Retry-After`; null without one. */
  readonly retryAfter: string | null;
}

/**
 * An answer without a file as a FetchError. Object stores answer 403 for missing files, other servers for refused ones.
 */
export function statusFailure({ url, status, retryAfter }: Answer, now: Date): FetchError {
  const { failure, meaning } = meaningOf(status);
  const waits = failure === 'rate_limited' || status === 503;
  return new FetchError(url, `${url.hostname} answered ${status}, ${meaning}`, {
    failure,
    // A request for a password means wrong settings, not a missing file.
    ...(status === 401 ? { code: 'fetch_failed' as const } : {}),
    retryAfterMs: waits ? retryAfterMs(retryAfter, now) : null,
  });
}

function meaningOf(status: number): { readonly failure: FeedFailureCause; readonly meaning: string } {
  if (status === 404 || status === 410) return { failure: 'not_found', meaning: 'the file is not there' };
  if (status === 401 || status === 403)
    return { failure: 'access_denied', meaning: 'the file is not given to this server' };
  if (status === 407) return { failure: 'proxy', meaning: 'the proxy requires a user name and password' };
  if (status === 429) return { failure: 'rate_limited', meaning: 'it gets too many requests' };
  if (status >= 500) return { failure: 'server_error', meaning: 'it has a problem of its own' };
  return { failure: 'unexpected_status', meaning: 'which is not expected' };
}

/** RFC 9110, 10.2.3: seconds, or a date. Null for anything else. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const text = header.trim();
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), longestWaitMs);
}
