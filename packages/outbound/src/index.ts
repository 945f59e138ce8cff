export type { AddressErrorCode, AddressPolicy, CheckedAddress } from './address-policy.ts';
export { AddressError, createAddressPolicy } from './address-policy.ts';
