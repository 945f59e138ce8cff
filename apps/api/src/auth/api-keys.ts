import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { ApiKeyStore, KeyWithUser } from '@plimsoll/db';
import { narrowScope, type UserRole, userRoles } from '@plimsoll/model';
import type { ApiKeyCaller } from './signed-in-user.ts';

/**
 * The caller with an API key, and its use recorded. Its rights are those that the key and its user now share. Null if the
 * key is unknown, has ended or expired, is not for the address, or if its user is disabled or has no access any more.
 */
export async function authenticateApiKey(
  keyHash: Uint8Array<ArrayBuffer>,
  address: string,
  keys: ApiKeyStore,
): Promise<ApiKeyCaller | null> {
  const found = await keys.findByHash(keyHash);
  if (found === null || !isFrom(found.key.networks, address)) return null;
  await keys.noteUse(found);
  return callerOf(found);
}

/** A key that was accepted before, as it is now; null if it is no longer valid, or has other rights. */
export async function keyAsOfNow(caller: ApiKeyCaller, keys: ApiKeyStore): Promise<ApiKeyCaller | null> {
  const found = await keys.findById(caller.apiKey.id);
  const now = found === null ? null : callerOf(found);
  return now !== null && hasEqualRights(now, caller) ? now : null;
}

/** Whether two callers may do and see the same. */
export function hasEqualRights(
  a: Pick<ApiKeyCaller, 'role' | 'scope'>,
  b: Pick<ApiKeyCaller, 'role' | 'scope'>,
): boolean {
  return a.role === b.role && JSON.stringify(a.scope) === JSON.stringify(b.scope);
}

function callerOf({ key, user, checkedAt }: KeyWithUser): ApiKeyCaller {
  const { id, name, expiresAt } = key;
  return {
    role: lesserRole(key.role, user.role),
    scope: narrowScope(key.scope, user.scope),
    session: null,
    claims: null,
    apiKey: { id, name, owner: user, expiresAt, checkedAt },
  };
}

/** `userRoles` is ordered from most to least powerful. */
function lesserRole(a: UserRole, b: UserRole): UserRole {
  return userRoles.indexOf(a) >= userRoles.indexOf(b) ? a : b;
}

/** Whether an address is in one of the networks; every address is if there are none. */
export function isFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  // An IPv4 client of a socket for both families.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIPv4(plain) ? 'ipv4' : isIPv6(plain) ? 'ipv6' : null;
  return family !== null && listOf(networks).check(plain, family);
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
