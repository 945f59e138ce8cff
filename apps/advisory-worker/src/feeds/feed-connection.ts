import { isIP } from 'node:net';
import {
  AddressError,
  type AddressPolicy,
  checkedConnector,
  type Proxies,
  proxyAgent,
} from '@plimsoll/outbound';
import { Agent, type Dispatcher, type ProxyAgent } from 'undici';

/** How the advisory-worker may connect to feed servers. */
export interface FeedRoutes {
  readonly addressPolicy: AddressPolicy;
  readonly proxies: Proxies;
}

/** The route to one server. */
export interface FeedRoute {
  readonly dispatcher: Dispatcher;
  /** Origin of the proxy, without credentials; null without a proxy. */
  readonly proxy: string | null;
}

/** Connections for downloads from one server, redirects included. */
export interface FeedConnections {
  /** Throws ProxyError for an invalid proxy, AddressError for an address that is refused before connecting. */
  routeTo(url: URL): FeedRoute;
}

/** The connections of one sync. They stay open between its downloads. Destroy them when done. */
export interface FeedConnectionPool {
  /** The connections for downloads from the server of a URL, which the operator chose. */
  from(url: URL): FeedConnections;
  destroy(): Promise<void>;
}

/**
 * Milliseconds for which an idle connection stays open, unless the server tells another time: reading a page of a list
 * takes less.
 */
const keepAliveTimeout = 10_000;

/** Opens no connection yet. */
export function openConnectionPool(routes: FeedRoutes): FeedConnectionPool {
  const byOrigin = new Map<string, OwnedConnections>();
  return {
    from(url) {
      const known = byOrigin.get(url.origin) ?? openFeedConnections(url, routes);
      byOrigin.set(url.origin, known);
      return known;
    },
    async destroy() {
      await Promise.all([...byOrigin.values()].map((connections) => connections.destroy()));
    },
  };
}

interface OwnedConnections extends FeedConnections {
  destroy(): Promise<void>;
}

/**
 * Connections for fetching from `origin`. The operator chose its server, which may have any address; every other
 * server, reached by a redirect, must be allowed by the policy. Behind a proxy only the proxy resolves names: the
 * policy checks addresses in a URL, and the proxy decides about names.
 */
function openFeedConnections(origin: URL, { addressPolicy, proxies }: FeedRoutes): OwnedConnections {
  const direct = new Agent({
    connect: checkedConnector(addressPolicy, { isExempt: (server) => isSameServer(server, origin) }),
    keepAliveTimeout,
  });
  const proxied = new Map<string, ProxyAgent>();
  return {
    routeTo(url) {
      const proxy = proxies.proxyFor(url);
      if (proxy === null) return { dispatcher: direct, proxy: null };
      refuseAddress(url, origin, addressPolicy);
      const agent = proxied.get(proxy.href) ?? proxyAgent(proxy, { tunnelsHttp: false, keepAliveTimeout });
      proxied.set(proxy.href, agent);
      return { dispatcher: agent, proxy: proxy.origin };
    },
    async destroy() {
      await Promise.all([direct, ...proxied.values()].map((agent) => agent.destroy()));
    },
  };
}

function refuseAddress(url: URL, origin: URL, policy: AddressPolicy): void {
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) === 0 || isSameServer(url, origin) || policy.allows(literal)) return;
  throw new AddressError(
    'address_refused',
    `${literal} is not a public address. To allow it, list it in feeds.allowed_private_networks.`,
  );
}

function isSameServer(
  { hostname, port }: { readonly hostname: string; readonly port: string },
  origin: URL,
): boolean {
  return hostname === origin.hostname && (port || '') === origin.port;
}
