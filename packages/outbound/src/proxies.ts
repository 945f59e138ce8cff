import { BlockList, isIP, isIPv6 } from 'node:net';
import { isLoopbackHost } from '@plimsoll/model';
import { ProxyAgent } from 'undici';
import { basicAuthorization } from './basic-authorization.ts';

/** A setting or variable that names no usable proxy, with a sentence without user name and password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** The proxy for each server. */
export interface Proxies {
  /**
   * The proxy for a URL, with its user name and password; null for a direct connection. Throws ProxyError if the
   * environment names an invalid proxy.
   */
  proxyFor(url: URL): URL | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Proxies from the setting `feeds.proxy` or, without it, HTTPS_PROXY and HTTP_PROXY, in lower case first as in curl
 * (https://curl.se/docs/manpage.html, "Environment"). Servers in NO_PROXY and this machine are connected to directly.
 */
export function proxiesOf(setting: string | null, env: Environment): Proxies {
  const excepted = serversIn(variable(env, 'NO_PROXY') ?? '');
  return {
    proxyFor(url) {
      if (url.protocol === 'file:' || isThisMachine(url.hostname) || excepted(url)) return null;
      const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
      const text = setting ?? variable(env, name);
      return text === null ? null : proxyIn(text, setting === null ? name : 'feeds.proxy');
    },
  };
}

function variable(env: Environment, name: string): string | null {
  const text = (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  return text === '' ? null : text;
}

/** `proxy.example:3128` without a scheme is an http proxy, as in curl. */
function proxyIn(text: string, name: string): URL {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(full) ? new URL(full) : null;
  if (proxy === null || !['http:', 'https:'].includes(proxy.protocol))
    throw new ProxyError(`${name} names no proxy whose URL begins with http:// or https://`);
  if (!isDecodable(proxy.username) || !isDecodable(proxy.password))
    throw new ProxyError(
      `${name} has a percent sign in its user name or password that is not written as %25`,
    );
  return proxy;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isThisMachine(hostname: string): boolean {
  const host = bare(hostname);
  return isLoopbackHost(host) || host.endsWith('.localhost');
}

/**
 * Whether a list covers a URL's server: `*`, names, domains, addresses or networks, each with an optional port, as in
 * NO_PROXY. Separated by commas or white space.
 */
export function serversIn(list: string): (url: URL) => boolean {
  const entries = list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => exceptionOf(entry.toLowerCase()));
  return (url) => {
    const host = bare(url.hostname.toLowerCase());
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
    return entries.some((matches) => matches(host, port));
  };
}

type Exception = (host: string, port: string) => boolean;

function exceptionOf(entry: string): Exception {
  if (entry === '*') return () => true;
  const network = networkOf(entry);
  if (network !== null) return (host) => isIP(host) !== 0 && network.check(host, familyOf(host));
  const [, name = entry, wanted] = /^(.*?)(?::(\d{1,5}))?$/.exec(isIPv6(entry) ? `[${entry}]` : entry) ?? [];
  const host = bare(name).replace(/^\*?\./, '');
  return (asked, port) =>
    (wanted === undefined || wanted === port) && (asked === host || asked.endsWith(`.${host}`));
}

function networkOf(entry: string): BlockList | null {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || bits === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return null;
  if (Number(bits) > (family === 4 ? 32 : 128)) return null;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), familyOf(address));
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** How connections through a proxy are made. */
export interface ProxyConnections {
  /** False: requests for http servers are sent to the proxy itself, because most proxies tunnel only to port 443. */
  readonly tunnelsHttp: boolean;
  readonly keepAliveTimeout: number;
  /** The name that certificates must have, of connections to an address. */
  readonly servername?: string;
}

/** An undici agent that goes through a proxy, with its user name and password. Close it when done. */
export function proxyAgent(proxy: URL, connections: ProxyConnections): ProxyAgent {
  const { tunnelsHttp, keepAliveTimeout, servername } = connections;
  const token = basicAuthorization(proxy);
  return new ProxyAgent({
    uri: proxy.origin,
    proxyTunnel: tunnelsHttp,
    keepAliveTimeout,
    ...(token === null ? {} : { token }),
    ...(servername === undefined ? {} : { requestTls: { servername } }),
  });
}

/** The status with which a proxy refused a tunnel, from the message of undici's error, which alone has it; null for others. */
export function refusedTunnelStatus(message: string): number | null {
  const match = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((\d{3})\)/.exec(message);
  return match === null ? null : Number(match[1] ?? match[2]);
}
