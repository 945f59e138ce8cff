import type { Algorithms } from 'ssh2';

/** Supported types of host keys, by their name in the key, in order of preference. */
export const hostKeyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const;

export type HostKeyType = (typeof hostKeyTypes)[number];

/**
 * The algorithms offered in the key exchange: no SHA-1, no CBC, no compression, modern ones first, and only the given
 * host key types. Groups beyond 4096 bits are omitted, because a server that requires them occupies the worker for a
 * third of a second.
 */
export function offeredAlgorithms(types: readonly HostKeyType[]) {
  return {
    kex: [
      'curve25519-sha256',
      'curve25519-sha256@libssh.org',
      'ecdh-sha2-nistp256',
      'ecdh-sha2-nistp384',
      'ecdh-sha2-nistp521',
      'diffie-hellman-group16-sha512',
      'diffie-hellman-group14-sha256',
    ],
    serverHostKey: types.flatMap(signaturesOf),
    cipher: [
      'aes256-gcm@openssh.com',
      'aes128-gcm@openssh.com',
      'chacha20-poly1305@openssh.com',
      'aes256-ctr',
      'aes192-ctr',
      'aes128-ctr',
    ],
    hmac: [
      'hmac-sha2-256-etm@openssh.com',
      'hmac-sha2-512-etm@openssh.com',
      'hmac-sha2-256',
      'hmac-sha2-512',
    ],
    compress: ['none'],
  } satisfies Algorithms;
}

/** An RSA key signs with SHA-512 or SHA-256 (RFC 8332), never with SHA-1, which its own name means. */
function signaturesOf(type: HostKeyType) {
  return type === 'ssh-rsa' ? (['rsa-sha2-512', 'rsa-sha2-256'] as const) : ([type] as const);
}

/** The parts of a key exchange as named by ssh2, in words, and as settings of sshd_config(5). */
const settings: readonly (readonly [part: string, words: string, setting: string])[] = [
  ['key exchange algorithm', 'key exchange', 'KexAlgorithms'],
  ['host key format', 'type of host key', 'HostKeyAlgorithms'],
  ['cipher', 'cipher', 'Ciphers'],
  ['MAC', 'message authentication code', 'MACs'],
  ['compression', 'compression', 'Compression'],
];

/** The part of a failed key exchange without a common algorithm; null if it failed for another reason. */
export function missingInCommon(message: string): { words: string; setting: string } | null {
  if (!message.startsWith('Handshake failed: no matching')) return null;
  const found = settings.find(([part]) => message.endsWith(part));
  return found === undefined ? null : { words: found[1], setting: found[2] };
}
