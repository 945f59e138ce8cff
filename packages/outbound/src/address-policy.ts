import { isIP } from 'node:net';
import { AddressError } from './address-error.ts';
import { embeddedAddresses } from './embedded-addresses.ts';
import { type IpAddress, isWithin, parseIpAddress, parseNetwork } from './ip-address.ts';
import { createNameLookup, type LookupOptions } from './name-lookup.ts';
import { refusedKind } from './refused-networks.ts';

/** A checked address that may be connected to: `127.0.0.1`, never `::ffff:127.0.0.1`. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Which addresses outgoing connections may reach. */
export interface AddressPolicy {
  /** Whether an IP address may be connected to. */
  allows(address: string): boolean;
  /**
   * Resolves a name, or accepts an address, and checks every address: one refused address refuses the name. The caller
   * connects to the result in this order and does not resolve again. Throws AddressError, or the signal's reason.
   */
  resolve(hostname: string, signal?: AbortSignal): Promise<readonly [CheckedAddress, ...CheckedAddress[]]>;
}

/** The parts of a policy besides its rule and the allowed networks. */
export interface AddressPolicyOptions extends LookupOptions {
  /** The setting with those networks, named in refusals. */
  readonly setting?: string;
}

/** The rule: the kind of a refused address; null for an allowed one. */
type Rule = (address: IpAddress) => string | null;

/**
 * For feeds, which are on the internet: allows public unicast addresses and `allowedNetworks` (addresses or CIDR
 * blocks). Throws for an entry that is neither. Default setting: `feeds.allowed_private_networks`.
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
 * For channels of notifications: allows the same addresses as `createFeedAddressPolicy`. Default setting:
 * `notifications.allowed_networks`.
 */
export function createChannelAddressPolicy(
  allowedNetworks: readonly string[],
  options: AddressPolicyOptions = {},
): AddressPolicy {
  return createFeedAddressPolicy(allowedNetworks, { setting: 'notifications.allowed_networks', ...options });
}

/**
 * For hosts of a fleet, which may be anywhere: private networks are allowed like public ones. Refuses addresses of this
 * machine, of cloud metadata services and of groups of machines, unless they are in `allowedNetworks` (as above).
 * Default setting: `ssh.allowed_networks`.
 */
export function createSshAddressPolicy(
  allowedNetworks: readonly string[],
  options: AddressPolicyOptions = {},
): AddressPolicy {
  return createAddressPolicy(refusedKind, allowedNetworks, { setting: 'ssh.allowed_networks', ...options });
}

/**
 * For servers that an OpenID Connect provider names besides its own, in the network of the operator or on the internet:
 * allows and refuses the same addresses as `createSshAddressPolicy`, with no exceptions.
 */
export function createProviderAddressPolicy(options: AddressPolicyOptions = {}): AddressPolicy {
  return createAddressPolicy(refusedKind, [], { setting: 'no setting', ...options });
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
    // An IPv6 address that contains an IPv4 address must not bypass that one's refusal.
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
