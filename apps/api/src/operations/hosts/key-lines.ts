import type { HostOverview } from '@plimsoll/db';
import { authorizedKeysLine, fingerprintOf, openSshPublicKey } from '@plimsoll/ssh';

const product = 'plimsoll';
/** Enough for sensible names, and the line stays short enough to paste. */
const maxNameCharacters = 64;

/** A public key in the forms that hosts and users need. */
export interface KeyLines {
  readonly public_key: string;
  readonly public_key_fingerprint: string;
  readonly authorized_keys_line: string;
}

/** The lines for a host's key pair; `collectorSha256` is the hash of the collector that the key may run. */
export function keyLinesOf(
  host: Pick<HostOverview, 'displayName'>,
  pair: { readonly publicKey: Uint8Array; readonly uniqueKeyPair: boolean },
  collectorSha256: string,
): KeyLines {
  const line = openSshPublicKey(pair.publicKey, pair.uniqueKeyPair ? commentOf(host.displayName) : product);
  return {
    public_key: line,
    public_key_fingerprint: fingerprintOf(pair.publicKey),
    authorized_keys_line: authorizedKeysLine(line, collectorSha256),
  };
}

/** The comment in authorized_keys. The name may be hostile: only characters without a meaning there are kept. */
function commentOf(displayName: string): string {
  const name = displayName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, maxNameCharacters)
    .replace(/^-+|-+$/g, '');
  return name === '' ? product : `${product}-${name}`;
}
