import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that may be connected to. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Why an address may not be connected to, or a name leads nowhere. */
export type AddressErrorCode = 'dns_failed' | 'address_refused';

/** A refusal, with a sentence that names the address. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly code: AddressErrorCode;

  constructor(code: AddressErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.code = code;
  }
}

/** Which addresses connections that go out may lead to. */
export interface AddressPolicy {
  /** Whether an IP address may be connected to. */
  allows(address: string): boolean;
  /**
   * Resolves a name, or takes an address as it is, and checks every address it has: one that is refused refuses the
   * name. The caller connects to what comes back and resolves no second time. Throws AddressError.
   */
  resolve(hostname: string): Promise<readonly [CheckedAddress, ...CheckedAddress[]]>;
}

/**
 * Public unicast addresses are allowed, and whatever lies in `allowedNetworks` (addresses or CIDR blocks). An IPv4
 * address inside an IPv6 one counts as what it is.
 */
export function createAddressPolicy(allowedNetworks: readonly string[]): AddressPolicy {
  const networks = allowedNetworks.map(toNetwork);
  const allows = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return parsed.range() === 'unicast' || networks.some(([block, bits]) => isWithin(parsed, block, bits));
  };
  return {
    allows,
    async resolve(hostname) {
      const addresses = await addressesOf(hostname);
      const refused = addresses.find(({ address }) => !allows(address));
      if (refused !== undefined) {
        throw new AddressError(
          'address_refused',
          `${refused.address} is not a public address and not allowed.`,
        );
      }
      return addresses;
    },
  };
}

type Address = ReturnType<typeof ipaddr.process>;

function toNetwork(text: string): readonly [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isWithin(address: Address, block: Address, bits: number): boolean {
  return address.kind() === block.kind() && address.match(block, bits);
}

async function addressesOf(hostname: string): Promise<readonly [CheckedAddress, ...CheckedAddress[]]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  if (family === 4 || family === 6) return [{ address: literal, family }];
  let found: readonly { address: string; family: number }[];
  try {
    found = await lookup(hostname, { all: true, verbatim: true });
  } catch (error) {
    throw new AddressError('dns_failed', `The name ${hostname} cannot be resolved.`, { cause: error });
  }
  const [first, ...rest] = found.map(({ address, family: kind }) => ({
    address,
    family: kind === 6 ? (6 as const) : (4 as const),
  }));
  if (first === undefined) throw new AddressError('dns_failed', `The name ${hostname} has no address.`);
  return [first, ...rest];
}
