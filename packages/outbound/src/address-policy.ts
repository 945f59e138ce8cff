import { isIP } from 'node:net';
import { AddressError } from './address-error.ts';
import { embeddedAddresses } from './embedded-addresses.ts';
import { type IpAddress, isWithin, parseIpAddress, parseNetwork } from './ip-address.ts';
import { createNameLookup, type LookupOptions } from './name-lookup.ts';
import { refusedKind } from './refused-networks.ts';

/** An address that may be connected to, as it was checked: `127.0.0.1`, never `::ffff:127.0.0.1`. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Which addresses connections that go out may lead to. */
export interface AddressPolicy {
  /** Whether an IP address may be connected to. */
  allows(address: string): boolean;
  /**
   * Resolves a name, or takes an address as it is, and checks every address it has: one that is refused refuses the
   * name. The caller connects to what comes back, in this order, and resolves no second time. Throws AddressError, or
   * the signal's reason.
   */
  resolve(hostname: string, signal?: AbortSignal): Promise<readonly [CheckedAddress, ...CheckedAddress[]]>;
}

/** What a policy is made of besides its rule and the networks that are excepted from it. */
export interface AddressPolicyOptions extends LookupOptions {
  /** The setting those networks come from, which the sentences of refusals name. */
  readonly setting?: string;
}

/** The rule: what an address is that is refused; null of one that is not. */
type Rule = (address: IpAddress) => string | null;

/**
 * For feeds, which are on the internet: public unicast addresses, and whatever lies in `allowedNetworks` (addresses or
 * CIDR blocks). Throws where one of these is neither. The setting is `feeds.allowed_private_networks` if missing.
 */
export function createFeedAddressPolicy(
  allowedNetworks: readonly string[],
  options: AddressPolicyOptions = {},
): AddressPolicy {
  return createAddressPolicy(
    ({ range }) => (range === 'unicast' ? null : 'not a public address'),
    allowedNetworks,
    { setting: 'feeds.allowed_private_networks', ...options },
  );
}

/**
 * For hosts of a fleet, which stand anywhere: private networks are as good as public ones. Refused is what leads to
 * this machine itself, to a cloud's metadata service or to many machines, unless it lies in `allowedNetworks` (as
 * above). The setting is `ssh.allowed_networks` if missing.
 */
export function createSshAddressPolicy(
  allowedNetworks: readonly string[],
  options: AddressPolicyOptions = {},
): AddressPolicy {
  return createAddressPolicy(refusedKind, allowedNetworks, { setting: 'ssh.allowed_networks', ...options });
}

function createAddressPolicy(
  kindOf: Rule,
  allowedNetworks: readonly string[],
  options: AddressPolicyOptions & { readonly setting: string },
): AddressPolicy {
  const networks = allowedNetworks.map(parseNetwork);
  const lookUp = createNameLookup(options);
  const refusalOf = (address: IpAddress): string | null => {
    if (networks.some((network) => isWithin(address, network))) return null;
    const kind = kindOf(address);
    if (kind !== null) return kind;
    // An IPv6 address that has an IPv4 address inside is no way around that one's refusal.
    for (const inner of embeddedAddresses(address)) {
      const innerKind = refusalOf(inner);
      if (innerKind !== null) return `the way to ${inner.text}, ${innerKind}`;
    }
    return null;
  };
  const check = (hostname: string, text: string): CheckedAddress => {
    const address = parseIpAddress(text);
    if (address === null)
      throw new AddressError(
        'dns_failed',
        `The name ${hostname} leads to ${text}, which is no address: give the machine's address instead.`,
      );
    const kind = refusalOf(address);
    if (kind === null) return { address: address.text, family: address.family };
    const subject = text === hostname ? text : `${hostname} leads to ${address.text}, which`;
    throw new AddressError(
      'address_refused',
      `${subject} is ${kind}: use another address of the machine, or list this one in ${options.setting} if it is meant.`,
    );
  };
  return {
    allows(text) {
      const address = parseIpAddress(text);
      return address !== null && refusalOf(address) === null;
    },
    async resolve(hostname, signal) {
      const literal = hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(literal) !== 0) return [check(literal, literal)];
      const found = hostname === '' ? [] : await lookUp(hostname, signal);
      const [first, ...rest] = found.map((text) => check(hostname, text));
      if (first === undefined) {
        throw new AddressError('dns_failed', `The name "${hostname}" has no address: check its spelling.`);
      }
      return [first, ...rest];
    },
  };
}
