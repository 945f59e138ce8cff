import ipaddr from 'ipaddr.js';

/** An IPv4 or IPv6 address: its bytes in network order, and its text in the one way that RFC 5952 leaves. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bytes: readonly number[];
  /** The kind of range that ipaddr.js counts it to: `unicast` if no RFC has reserved it for anything else. */
  readonly range: string;
  /** Of a link-local address with its zone: `fe80::1%eth0`. */
  readonly text: string;
}

/** Addresses that have their first `bits` bits in common with `address`. */
export interface Network {
  readonly address: IpAddress;
  readonly bits: number;
}

/**
 * Reads an address. One that is IPv4 in IPv6's clothes (`::ffff:a.b.c.d`) is that IPv4 address, because a connection to
 * it is. A zone is kept where it means something, on link-local addresses (RFC 4007). Null if it is none.
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

/** Reads `10.0.0.0/8`, or an address, which is a network of one. Throws where it is neither. */
export function parseNetwork(text: string): Network {
  const [number = '', length] = text.split('/', 2);
  const address = parseIpAddress(number);
  if (address === null) throw new Error(`${text} is no address and no network.`);
  const most = address.bytes.length * 8;
  // The length of one that was written as ::ffff:10.0.0.0/104 counts the 96 bits before the IPv4 address.
  const before = address.family === 4 && number.includes(':') ? 96 : 0;
  const bits = length === undefined ? most : Number(length) - before;
  if (!Number.isInteger(bits) || bits < 0 || bits > most) throw new Error(`${text} is no network.`);
  return { address, bits };
}

/** Whether an address lies in a network. */
export function isWithin(address: IpAddress, network: Network): boolean {
  if (address.family !== network.address.family) return false;
  return address.bytes.every((byte, index) => {
    const bits = Math.min(Math.max(network.bits - index * 8, 0), 8);
    return ((byte ^ (network.address.bytes[index] ?? 0)) & (0xff00 >> bits) & 0xff) === 0;
  });
}
