/** X25519 as in RFC 7748, section 5, in numbers: slow, and independent of the code it is compared with. */
const p = 2n ** 255n - 19n;

/** The product of a private key and a u-coordinate, 32 bytes each. */
export function x25519(privateKey: Uint8Array, u: Uint8Array): Buffer {
  const scalar = Buffer.from(privateKey);
  scalar[0] = (scalar[0] ?? 0) & 248;
  scalar[31] = ((scalar[31] ?? 0) & 127) | 64;
  const masked = Buffer.from(u);
  masked[31] = (masked[31] ?? 0) & 127;
  const k = numberOf(scalar);
  const x1 = numberOf(masked) % p;
  let [x2, z2, x3, z3] = [1n, 0n, x1, 1n];
  let swapped = 0n;
  for (let bit = 254n; bit >= 0n; bit -= 1n) {
    const one = (k >> bit) & 1n;
    if (one !== swapped) [x2, x3, z2, z3] = [x3, x2, z3, z2];
    swapped = one;
    const sum = x2 + z2;
    const difference = x2 - z2;
    const aa = sum ** 2n % p;
    const bb = difference ** 2n % p;
    const e = aa - bb;
    const da = (x3 - z3) * sum;
    const cb = (x3 + z3) * difference;
    x3 = (da + cb) ** 2n % p;
    z3 = (x1 * (da - cb) ** 2n) % p;
    x2 = (aa * bb) % p;
    z2 = (e * (aa + 121665n * e)) % p;
  }
  if (swapped === 1n) [x2, z2] = [x3, z3];
  return bytesOf((((x2 * power(z2, p - 2n)) % p) + p) % p);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = square ** 2n % p) {
    if ((rest & 1n) === 1n) result = (result * square) % p;
  }
  return result;
}

function numberOf(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`);
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}
