const algorithm = 'ssh-ed25519';

/** The bytes encoded as base64 in an OpenSSH public key (RFC 8709, section 4). `publicKey` is raw, 32 bytes. */
export function publicKeyBlob(publicKey: Uint8Array): Buffer {
  if (publicKey.length !== 32) throw new RangeError('an ed25519 public key has 32 bytes');
  const blob = Buffer.alloc(4 + algorithm.length + 4 + 32);
  blob.writeUInt32BE(algorithm.length, 0);
  blob.write(algorithm, 4, 'latin1');
  blob.writeUInt32BE(32, 4 + algorithm.length);
  blob.set(publicKey, 8 + algorithm.length);
  return blob;
}

/**
 * The public key as one line without a line break, `ssh-ed25519 AAAA… comment`, the format of authorized_keys and
 * ssh-keygen. Throws for a comment that is not one line of printable ASCII.
 */
export function openSshPublicKey(publicKey: Uint8Array, comment: string): string {
  if (!/^[\x20-\x7e]*$/.test(comment)) throw new RangeError('a key comment is printable ASCII');
  return `${algorithm} ${publicKeyBlob(publicKey).toString('base64')} ${comment.trim()}`.trimEnd();
}
