export { AddressError } from './address-error.ts';
export type { AddressPolicy, CheckedAddress } from './address-policy.ts';
export {
  createChannelAddressPolicy,
  createFeedAddressPolicy,
  createProviderAddressPolicy,
  createSshAddressPolicy,
} from './address-policy.ts';
export { basicAuthorization } from './basic-authorization.ts';
export { checkedConnector } from './checked-connector.ts';
export { parseIpAddress } from './ip-address.ts';
export type { Lookup, LookupOptions } from './name-lookup.ts';
export type { Proxies } from './proxies.ts';
export { ProxyError, proxiesOf, proxyAgent, refusedTunnelStatus, serversIn } from './proxies.ts';
