import type { Algorithms } from 'ssh2';

/** Types of host keys, by the name that stands in the key, in the order they are preferred. */
export const hostKeyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const;

export type HostKeyType = (typeof hostKeyTypes)[number];

/**
 * What is offered in the key exchange: nothing with SHA-1, no CBC, no compression, modern first, and only the given
 * types of host keys. Groups beyond 4096 bits are left out, because a server that insists on them keeps the worker
 * busy for a third of a second.
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

/** An RSA key signs with SHA-512 or SHA-256 (RFC 8332), never with the SHA-1 its own name stands for. */
function signaturesOf(type: HostKeyType) {
  return type === 'ssh-rsa' ? (['rsa-sha2-512', 'rsa-sha2-256'] as const) : ([type] as const);
}

/** What ssh2 calls the part of a key exchange that found nothing in common, and how sshd_config(5) calls it. */
const settings: readonly (readonly [part: string, words: string, setting: string])[] = [
  ['key exchange algorithm', 'key exchange', 'KexAlgorithms'],
  ['host key format', 'type of host key', 'HostKeyAlgorithms'],
  ['cipher', 'cipher', 'Ciphers'],
  ['MAC', 'message authentication code', 'MACs'],
  ['compression', 'compression', 'Compression'],
];

/** What two sides of a failed key exchange have none of in common; null when that was not the reason. */
export function missingInCommon(message: string): { words: string; setting: string } | null {
  if (!message.startsWith('Handshake failed: no matching')) return null;
  const found = settings.find(([part]) => message.endsWith(part));
  return found === undefined ? null : { words: found[1], setting: found[2] };
}
