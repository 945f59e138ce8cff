import {
  type AddressPolicy,
  checkedConnector,
  createFeedAddressPolicy,
  type Proxies,
  proxyAgent,
  serversIn,
} from '@plimsoll/outbound';
import { Agent, type Dispatcher } from 'undici';

/** How channels are reached. */
export interface ChannelRouting {
  readonly policy: AddressPolicy;
  readonly proxies: Proxies;
  /** Servers that a proxy gets by name, as in NO_PROXY. */
  readonly proxiedNames: readonly string[];
}

/** The way to one channel's server for one request. */
export interface ChannelRoute {
  readonly dispatcher: Dispatcher;
  /** Where the request goes: the URL of the channel, or the same with a checked address for its name. */
  readonly url: URL;
  /** The origin of the proxy, without user name and password; null: no proxy is used. */
  readonly proxy: string | null;
  close(): Promise<void>;
}

/** The ways to the servers of channels. */
export interface ChannelRoutes {
  /** Throws AddressError, ProxyError or the signal's reason. */
  routeTo(url: URL, signal: AbortSignal): Promise<ChannelRoute>;
  close(): Promise<void>;
}

/** Milliseconds for which an idle connection stays open. */
const keepAliveTimeout = 1_000;

/**
 * Connects only to addresses that were checked, so that a name cannot lead elsewhere afterwards. Through a proxy too:
 * it gets the checked address and not the name, which another name server could answer differently. Only names that the
 * operator lists are left to the proxy. Servers with addresses that are not public are reached directly, if allowed.
 */
export function createChannelRoutes({ policy, proxies, proxiedNames }: ChannelRouting): ChannelRoutes {
  const direct = new Agent({ connect: checkedConnector(policy), keepAliveTimeout, pipelining: 0 });
  const isLeftToProxy = serversIn(proxiedNames.join(' '));
  const isPublic = createFeedAddressPolicy([]).allows;
  const directly = (url: URL): ChannelRoute => ({
    dispatcher: direct,
    url,
    proxy: null,
    close: async () => undefined,
  });
  const through = (proxy: URL, url: URL, servername?: string): ChannelRoute => {
    const options = { tunnelsHttp: true, keepAliveTimeout, ...(servername !== undefined && { servername }) };
    const agent = proxyAgent(proxy, options);
    return { dispatcher: agent, url, proxy: proxy.origin, close: () => agent.destroy() };
  };
  return {
    async routeTo(url, signal) {
      const proxy = proxies.proxyFor(url);
      if (proxy === null) return directly(url);
      if (isLeftToProxy(url)) return through(proxy, url);
      const [{ address, family }] = await policy.resolve(url.hostname, signal);
      if (!isPublic(address)) return directly(url);
      const target = new URL(url);
      target.hostname = family === 6 ? `[${address}]` : address;
      return through(proxy, target, url.hostname);
    },
    close: () => direct.destroy(),
  };
}
