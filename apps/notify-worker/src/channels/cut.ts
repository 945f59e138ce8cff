/** The text, with at most `most` characters (UTF-16); a longer one ends in an ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const short = text.slice(0, most - 1);
  // Not within a pair of surrogates.
  return `${short.replace(/[\uD800-\uDBFF]$/, '')}…`;
}
