import ipaddr from 'ipaddr.js';

/** An IPv4 or IPv6 address: its bytes in network order, and its text in the canonical form of RFC 5952. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bytes: readonly number[];
  /** The range according to ipaddr.js: `unicast` if no RFC has reserved it for another use. */
  readonly range: string;
  /** With the zone of a link-local address: `fe80::1%eth0`. */
  readonly text: string;
}

/** Addresses that share their first `bits` bits with `address`. */
export interface Network {
  readonly address: IpAddress;
  readonly bits: number;
}

/**
 * Parses an address. An IPv4-mapped one (`::ffff:a.b.c.d`) becomes that IPv4 address, because a connection to it uses
 * IPv4. Keeps a zone where it has a meaning, on link-local addresses (RFC 4007). Null for other text.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const [number = '', zone] = text.split('%', 2);
  if (!ipaddr.isValid(number)) return null;
  const parsed = ipaddr.process(number);
  const zoned = zone !== undefined && zone !== '' && parsed.range() === 'linkLocal';
  return {
    family: parsed.kind() === 'ipv4' ? 4 : 6,
    bytes: parsed.toByteArray(),
    range: parsed.range(),
    text: zoned ? `${parsed.toString()}%${zone}` : parsed.toString(),
  };
}

/** Parses `10.0.0.0/8`, or an address as a network of one. Throws for other text. */
export function parseNetwork(text: string): Network {
  const [number = '', length] = text.split('/', 2);
  const address = parseIpAddress(number);
  if (address === null) throw new Error(`${text} is no address and no network.`);
  const most = address.bytes.length * 8;
  // The length in ::ffff:10.0.0.0/104 counts the 96 bits before the IPv4 address.
  const before = address.family === 4 && number.includes(':') ? 96 : 0;
  const bits = length === undefined ? most : Number(length) - before;
  if (!Number.isInteger(bits) || bits < 0 || bits > most) throw new Error(`${text} is no network.`);
  return { address, bits };
}

/** Whether an address is in a network. */
export function isWithin(address: IpAddress, network: Network): boolean {
  if (address.family !== network.address.family) return false;
  return address.bytes.every((byte, index) => {
    const bits = Math.min(Math.max(network.bits - index * 8, 0), 8);
    return ((byte ^ (network.address.bytes[index] ?? 0)) & (0xff00 >> bits) & 0xff) === 0;
  });
}
