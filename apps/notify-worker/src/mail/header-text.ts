/** Bytes of one encoded word before its encoding: a word has 75 characters at most. */
const wordBytes = 45;

/**
 * Text for the header of a mail. Text with `=?`, the start of an encoded word (RFC 2047), is encoded as a whole: mail
 * programs would decode what looks like one, also to line breaks and further headers. Other text is returned as it is.
 */
export function headerText(text: string): string {
  if (!text.includes('=?')) return text;
  const words: string[] = [''];
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(longer) <= wordBytes) words[words.length - 1] = longer;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
