/** Texts that one note names at most. */
const maxNamed = 20;

/** The texts as one, with commas; of more than 20 the first 20 and how many more there are. */
export function nameSome(texts: readonly string[]): string {
  const more = texts.length - maxNamed;
  return [...texts.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
