import { type IpAddress, isWithin, parseIpAddress, parseNetwork } from './ip-address.ts';

/** Where a form of IPv6 address contains the IPv4 address that a tunnel or translator forwards to. */
interface Form {
  readonly matches: (address: IpAddress) => boolean;
  /** The offset of its first byte. */
  readonly at: number;
  /** Teredo inverts every bit of it. */
  readonly mask?: 0xff;
}

const forms: readonly Form[] = [
  // IPv4-compatible, deprecated (RFC 4291, 2.5.5.1).
  { matches: inNetwork('::/96'), at: 12 },
  // IPv4-translated (RFC 2765, 2.1).
  { matches: inNetwork('::ffff:0:0:0/96'), at: 12 },
  // NAT64's well-known prefix (RFC 6052, 2.1).
  { matches: inNetwork('64:ff9b::/96'), at: 12 },
  // 6to4 (RFC 3056, 2).
  { matches: inNetwork('2002::/16'), at: 2 },
  // Teredo: its server and its client (RFC 4380, 4).
  { matches: inNetwork('2001::/32'), at: 4 },
  { matches: inNetwork('2001::/32'), at: 12, mask: 0xff },
  // ISATAP, in any network (RFC 5214, 6.1): an interface identifier of 0000:5efe or 0200:5efe and the address.
  {
    matches: ({ family, bytes }) =>
      family === 6 &&
      ((bytes[8] ?? 0) & 0xfd) === 0 &&
      bytes[9] === 0 &&
      bytes[10] === 0x5e &&
      bytes[11] === 0xfe,
    at: 12,
  },
];

/** The IPv4 addresses inside an IPv6 address; empty if its form has none. */
export function embeddedAddresses(address: IpAddress): readonly IpAddress[] {
  return forms
    .filter(({ matches }) => matches(address))
    .flatMap(({ at, mask = 0 }) => {
      const bytes = address.bytes.slice(at, at + 4).map((byte) => byte ^ mask);
      return parseIpAddress(bytes.join('.')) ?? [];
    });
}

function inNetwork(text: string): (address: IpAddress) => boolean {
  const network = parseNetwork(text);
  return (address) => isWithin(address, network);
}
