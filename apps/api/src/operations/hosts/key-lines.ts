import type { HostOverview } from '@plimsoll/db';
import { authorizedKeysLine, fingerprintOf, openSshPublicKey } from '@plimsoll/ssh';

const product = 'plimsoll';
/** Long enough for every sensible name, short enough for a line that people paste. */
const maxNameCharacters = 64;

/** A public key in the forms that hosts and people take. */
export interface KeyLines {
  readonly public_key: string;
  readonly public_key_fingerprint: string;
  readonly authorized_keys_line: string;
}

/** The lines of a host's key pair; `collectorSha256` is of the collector that the key will open. */
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

/** Goes into authorized_keys: of a name that anybody may have chosen only what means nothing there is kept. */
function commentOf(displayName: string): string {
  const name = displayName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, maxNameCharacters)
    .replace(/^-+|-+$/g, '');
  return name === '' ? product : `${product}-${name}`;
}
