/** What a log or a person can bear. */
const longestText = 4_000;
const longestUrl = 2_000;

/**
 * Text for logs and people, cut to 4,000 characters, without what the URLs in it may hold of credentials: user part, query
 * and fragment are replaced (RFC 3986). A user part ends with the last `@` before the path, as URL parsers read it.
 */
export function withoutCredentials(text: string): string {
  return (
    text
      // A URL that the cut would end in its user part must not lose the `@` that shows it.
      .slice(0, longestText + longestUrl)
      .replace(/(:\/\/)[^\s/?#"'<>]{1,1000}@/g, '$1[secret]@')
      .replace(/(\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s?#"'<>]{1,2000})[?#][^\s"'<>]+/gi, '$1?[secret]')
      .slice(0, longestText)
  );
}
