/**
 * Cuts a text to `maxLength` UTF-16 code units, without white space at the cut. Never splits a surrogate pair, because
 * half of one is not UTF-8.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength).trimEnd();
}
