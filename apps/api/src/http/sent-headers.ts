import type { IncomingMessage } from 'node:http';

/**
 * Every value that a request has for a header, in the order sent; `name` is lower case. Node's own objects by name join
 * or drop repeated ones, and making them fails in old releases where a header is called `__proto__`.
 */
export function sentHeaders({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  // Names and values take turns.
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
