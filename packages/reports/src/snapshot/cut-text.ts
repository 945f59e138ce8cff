/**
 * At most `maxLength` UTF-16 code units of a text, without white space at the cut. A pair of surrogates is kept or cut as
 * a whole: half of one is not UTF-8.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength).trimEnd();
}
