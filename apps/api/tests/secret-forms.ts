import { createHash } from 'node:crypto';

/**
 * The texts in which a seed, the private half of an ed25519 key, can occur: hexadecimal, base64 with any text before
 * and after (as in an OpenSSH or PEM file), a list of numbers; also for its expansion (RFC 8032, section 5.1.5).
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

/** The bytes that must not occur anywhere. Of the seed's expansion, without the bytes that use changes. */
export function privateParts(seed: Buffer): readonly Buffer[] {
  const expanded = createHash('sha512').update(seed).digest();
  return [seed, expanded.subarray(1, 31)];
}

/** Base64 of bytes that start `offset` bytes after a group of three, without characters that encode other bytes too. */
function base64Forms(bytes: Buffer, offset: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const inner = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}
