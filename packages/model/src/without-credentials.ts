/** Length limits for logs and people. */
const longestText = 4_000;
const longestUrl = 2_000;

/**
 * Returns text for logs and people, cut to 4,000 characters. Replaces user part, query and fragment of the URLs in it
 * (RFC 3986), because they can contain credentials. A user part ends at the last `@` before the path, as URL parsers
 * read it.
 */
export function withoutCredentials(text: string): string {
  return (
    text
      // The cut must not separate a URL's user part from the `@` that identifies it.
      .slice(0, longestText + longestUrl)
      .replace(/(:\/\/)[^\s/?#"'<>]{1,1000}@/g, '$1[secret]@')
      .replace(/(\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s?#"'<>]{1,2000})[?#][^\s"'<>]+/gi, '$1?[secret]')
      .slice(0, longestText)
  );
}
