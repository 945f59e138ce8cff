/** A number from 0 up to 1, excluded, that depends only on the seed and the parts. */
export type Chance = (...parts: readonly (string | number)[]) => number;

/** FNV-1a of a text, 32 bits. */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** Mixes two 32-bit numbers so that each bit of the result depends on all bits; the finalizer of MurmurHash3. */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The chances of a seed. Equal seeds give equal fleets on every machine and version of Node. */
export function createChance(seed: number): Chance {
  return (...parts) => {
    let hash = mix(0x5bd1e995, seed);
    for (const part of parts) hash = mix(hash, typeof part === 'number' ? part : hashText(part));
    return hash / 2 ** 32;
  };
}
