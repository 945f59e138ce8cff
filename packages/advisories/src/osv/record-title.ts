const maxTitleCharacters = 200;

/**
 * Characters that move the cursor, are invisible, change the text direction or are invalid: control, format,
 * surrogates.
 */
const notPrintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Returns a feed's text on one line: a run of white space and invisible characters becomes one space. Cuts the text
 * first, so that the search is bounded.
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

/** The text up to the first full stop that is followed by a space and no lower-case letter. */
function firstSentence(text: string): string {
  const end = text.search(/[.!?] (?!\p{Ll})/u);
  return end < 0 ? text : text.slice(0, end + 1);
}
