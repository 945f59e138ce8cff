import { type IpAddress, isWithin, type Network, parseNetwork } from './ip-address.ts';

const thisMachine = 'an address of this machine itself';
const everybody = 'an address of many machines';
const linkLocal = 'a link-local address, where clouds keep their metadata services';
const metadata = "an address of a cloud's own services, which hand out credentials";
const translator = 'a translated address that does not show its IPv4 address';

const refusedNetworks: readonly { readonly network: Network; readonly what: string }[] = [
  // "This host on this network" (RFC 1122, 3.2.1.3); Linux takes it for 127.0.0.1.
  ['0.0.0.0/8', thisMachine],
  ['127.0.0.0/8', thisMachine],
  ['::', thisMachine],
  ['::1', thisMachine],
  // AWS, Azure, Google, Oracle, DigitalOcean, OpenStack and others: 169.254.169.254, AWS ECS 169.254.170.2.
  ['169.254.0.0/16', linkLocal],
  ['fe80::/10', linkLocal],
  ['224.0.0.0/4', everybody],
  ['255.255.255.255', everybody],
  ['ff00::/8', everybody],
  // "What is IP address 168.63.129.16?", Azure Virtual Network documentation.
  ['168.63.129.16', metadata],
  // "Access instance metadata", Alibaba Cloud ECS documentation; it is in the carrier-grade NAT range.
  ['100.100.100.200', metadata],
  ['fd00:100::100:200', metadata],
  // "Retrieving Instance Metadata", Oracle Cloud Infrastructure Classic; the newer cloud's by IPv6 is in its SDKs.
  ['192.0.0.192', metadata],
  ['fd00:c1::a9fe:a9fe', metadata],
  // "Access instance metadata for an EC2 instance" (::254) and "Set up the Amazon EKS Pod Identity Agent" (::23); AWS
  // has its name and time servers there as well.
  ['fd00:ec2::/32', metadata],
  // "About VM metadata", Google Compute Engine documentation: instances with IPv6 only.
  ['fd20:ce::254', metadata],
  // The Scaleway data source of cloud-init's documentation, and Akamai's "Metadata Service API".
  ['fd00:42::42', metadata],
  ['fd00:a9fe:a9fe::1', metadata],
  // The operator of the translator chooses where the address contains the IPv4 address (RFC 8215).
  ['64:ff9b:1::/48', translator],
].map(([network = '', what = '']) => ({ network: parseNetwork(network), what }));

/** The kind of an address that no host of a fleet can have; null for all others, including private ones. */
export function refusedKind(address: IpAddress): string | null {
  return refusedNetworks.find(({ network }) => isWithin(address, network))?.what ?? null;
}
