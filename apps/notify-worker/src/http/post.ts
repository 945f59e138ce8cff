import { request } from 'undici';
import { type ChannelRouting, createChannelRoutes } from './channel-routes.ts';
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

/** Sends requests by the routes of channels. */
export function createPoster(routing: ChannelRouting): Poster {
  const routes = createChannelRoutes(routing);
  return {
    async post({ url, headers, body }) {
      const signal = AbortSignal.timeout(limitMs);
      let proxy: string | null = null;
      try {
        const route = await routes.routeTo(url, signal);
        proxy = route.proxy;
        try {
          const response = await request(route.url, {
            dispatcher: route.dispatcher,
            method: 'POST',
            headers: {
              host: url.host,
              'user-agent': 'plimsoll',
              'content-type': 'application/json',
              ...headers,
            },
            body,
            signal,
          });
          // Its end is of no interest: the connection is closed instead.
          response.body.on('error', () => undefined).destroy();
          const status = response.statusCode;
          if (status >= 200 && status < 300) return { kind: 'accepted', status };
          return { kind: 'failed', status, ...statusFailure(url, status, response.headers) };
        } finally {
          // A failure to close changes nothing of the answer.
          await route.close().catch(() => undefined);
        }
      } catch (error) {
        const reason = postFailure(error, { url, proxy, isLate: signal.aborted });
        return { kind: 'failed', status: null, reason, askedSeconds: null };
      }
    },
    close: () => routes.close(),
  };
}
