/** A source of pseudo-random numbers that yields the same sequence for the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const vocabulary = (
  'a an the of in to by for flaw overflow buffer pointer memory remote local user kernel parser header request ' +
  'crafted service denial crash read write bounds stack heap integer length check missing race null use free ' +
  'certificate session token packet driver module client server archive font image path link'
).split(' ');

/** Prose of at least `characters` characters that compresses about as well as a real description. */
export function prose(characters: number, next: () => number): string {
  const parts: string[] = [];
  for (let length = 0; length < characters; ) {
    const word = vocabulary[Math.floor(next() * vocabulary.length)] ?? 'a';
    const part = next() < 0.15 ? Math.floor(next() * 0xffffff).toString(16) : word;
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join(' ');
}
