const maxTitleCharacters = 200;

/** Everything that moves the cursor, hides, turns the direction of text or is no character: control, format, surrogates. */
const notPrintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/**
 * A feed's text on one line: runs of white space and of characters without a shape become one space. `maxCharacters` cut
 * off what no reader wants before it is searched.
 */
function onOneLine(text: string): string {
  return text
    .slice(0, 20 * maxTitleCharacters)
    .replace(notPrintable, ' ')
    .trim();
}

/** A record's title: its summary, else the first sentence of its details, else its id; at most 200 characters. */
export function titleOf(summary: string | null, details: string | null, id: string): string {
  const title = onOneLine(summary ?? '') || firstSentence(onOneLine(details ?? '')) || id;
  const characters = Array.from(title);
  if (characters.length <= maxTitleCharacters) return title;
  return `${characters
    .slice(0, maxTitleCharacters - 1)
    .join('')
    .trimEnd()}…`;
}

/** Up to the first full stop that a space and no small letter follow. */
function firstSentence(text: string): string {
  const end = text.search(/[.!?] (?!\p{Ll})/u);
  return end < 0 ? text : text.slice(0, end + 1);
}
