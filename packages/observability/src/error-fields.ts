/** What a log says of an error. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** The error's own `code`, where it has one. */
  readonly code?: string | number;
  readonly cause?: ErrorFields;
}

/** Causes below this depth are left out. */
const deepestCause = 5;
const longestText = 4_000;
const longestUrl = 2_000;

/**
 * The fields of an error that a log shows: never its other properties, since drivers hang connections, requests and
 * rows on their errors. What URLs in its texts may hold of credentials
 * is cut out: the user part and the query. A thrown thing that is no Error becomes one.
 */
export function errorFields(thrown: unknown, depth = 0): ErrorFields {
  const error = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: withoutCredentials(error.message),
    stack: withoutCredentials(error.stack ?? ''),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.cause === undefined || depth >= deepestCause
      ? {}
      : { cause: errorFields(error.cause, depth + 1) }),
  };
}

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
