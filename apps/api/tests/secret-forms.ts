import { createHash } from 'node:crypto';

/**
 * The texts that a seed, the private half of an ed25519 key, can stand in: hexadecimal, base64 whatever stands before
 * and after it (as in an OpenSSH or PEM file), a list of numbers; likewise what it expands to (RFC 8032, section 5.1.5).
 */
export function textFormsOf(seed: Buffer): readonly string[] {
  return privateParts(seed).flatMap((part) => [
    part.toString('hex'),
    part.toString('hex').toUpperCase(),
    part.toString('latin1'),
    [...part].join(','),
    ...[0, 1, 2].flatMap((offset) => base64Forms(part, offset)),
  ]);
}

/** The bytes that must be nowhere. Of what a seed expands to, without those that are changed when it is used. */
export function privateParts(seed: Buffer): readonly Buffer[] {
  const expanded = createHash('sha512').update(seed).digest();
  return [seed, expanded.subarray(1, 31)];
}

/** Base64 of bytes that begin `offset` bytes after a group of three, without the characters that hold others too. */
function base64Forms(bytes: Buffer, offset: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const inner = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}
