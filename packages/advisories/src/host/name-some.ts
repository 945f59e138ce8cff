/** The largest number of texts in one note. */
const maxNamed = 20;

/** The texts joined with commas; of more than 20 the first 20 and the number of the others. */
export function nameSome(texts: readonly string[]): string {
  const more = texts.length - maxNamed;
  return [...texts.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
