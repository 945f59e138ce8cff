import { type AddressPolicy, checkedConnector } from '@plimsoll/outbound';
import { Agent, request } from 'undici';
import { postFailure, statusFailure } from './post-failure.ts';

/** The answer to a request, as far as it matters. */
export type PostResult =
  | { readonly kind: 'accepted'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      /** A sentence. */
      readonly reason: string;
      /** Seconds after which the server asked for another attempt. */
      readonly askedSeconds: number | null;
    };

/** A request. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends requests to addresses that the policy allows. */
export interface Poster {
  /**
   * Sends one POST within `limitMs`, look-up and connection included. Accepted is any 2xx, as soon as its head was read;
   * bodies are not read. Redirects are not followed. Never rejects.
   */
  post(post: Post): Promise<PostResult>;
  close(): Promise<void>;
}

/** The whole time for one request, in milliseconds. */
export const limitMs = 10_000;

/** Connects only to addresses that were checked, so that a name cannot lead elsewhere afterwards. */
export function createPoster(policy: AddressPolicy): Poster {
  const agent = new Agent({ connect: checkedConnector(policy), keepAliveTimeout: 1_000, pipelining: 0 });
  return {
    async post({ url, headers, body }) {
      const signal = AbortSignal.timeout(limitMs);
      try {
        const response = await request(url, {
          dispatcher: agent,
          method: 'POST',
          headers: { 'user-agent': 'plimsoll', 'content-type': 'application/json', ...headers },
          body,
          signal,
        });
        // Its end is of no interest: the connection is closed instead.
        response.body.on('error', () => undefined).destroy();
        const status = response.statusCode;
        if (status >= 200 && status < 300) return { kind: 'accepted', status };
        return { kind: 'failed', status, ...statusFailure(url, status, response.headers) };
      } catch (error) {
        const reason = postFailure(error, { url, isLate: signal.aborted });
        return { kind: 'failed', status: null, reason, askedSeconds: null };
      }
    },
    close: () => agent.destroy(),
  };
}
