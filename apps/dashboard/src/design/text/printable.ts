/** Control characters, and those that change the direction or width of text without being seen. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text of hosts and feeds as people can trust their eyes with it: characters that are not seen become `␣`, and what is
 * longer than `length` characters ends in an ellipsis with the number of those left out.
 */
export function printable(text: string, length = 200): string {
  const seen = text.slice(0, length).replace(unseen, '␣');
  const left = text.length - length;
  return left > 0 ? `${seen}… (${left} more)` : seen;
}
