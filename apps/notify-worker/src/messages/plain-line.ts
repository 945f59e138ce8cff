/**
 * Text of a host, a feed or a user in one line, without control characters. What mail and chat programs would turn into a
 * link by themselves is broken with zero-width spaces: words with `://`, with `www.` in front, or with a path behind a
 * name. Bare names such as `web-1.example.org` stay, because names of hosts are copied.
 */
export function plainLine(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/\S+/g, (word) => (becomesLink(word) ? word.replace(/[.:]/g, '$&\u200b') : word));
}

function becomesLink(word: string): boolean {
  return word.includes('://') || /(^|\W)www\./i.test(word) || /\.[\w-]+(:\d+)?[/?#]/.test(word);
}
