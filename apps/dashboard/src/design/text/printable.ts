/** Control characters, and invisible ones that change the direction or width of text. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes text of hosts and feeds safe to read: invisible characters become `␣`; text over `length` characters ends in an
 * ellipsis and the number of characters left out.
 */
export function printable(text: string, length = 200): string {
  const seen = text.slice(0, length).replace(unseen, '␣');
  const left = text.length - length;
  return left > 0 ? `${seen}… (${left} more)` : seen;
}
