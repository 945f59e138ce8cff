/**
 * The text of a private key file for OpenSSH's clients (openssh-key-v1, not encrypted; PROTOCOL.key of OpenSSH) with an
 * ed25519 pair, 32 raw bytes each: for tests with a real `ssh -i`. The service never writes one.
 */
export function sshKeyFile({ publicKey, seed }: { publicKey: Uint8Array; seed: Uint8Array }): string {
  const type = Buffer.from('ssh-ed25519');
  const blob = Buffer.concat([field(type), field(publicKey)]);
  const check = Buffer.from([1, 2, 3, 4]);
  const secret = [check, check, field(type), field(publicKey), field(Buffer.concat([seed, publicKey]))];
  const comment = field(Buffer.alloc(0));
  const length = [...secret, comment].reduce((sum, part) => sum + part.length, 0);
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (length % 8)) % 8));
  const none = field(Buffer.from('none'));
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    none,
    none,
    field(Buffer.alloc(0)),
    Buffer.from([0, 0, 0, 1]),
    field(blob),
    field(Buffer.concat([...secret, comment, padding])),
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return `${['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----'].join('\n')}\n`;
}

function field(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
