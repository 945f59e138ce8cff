import type { IncomingMessage } from 'node:http';

/**
 * All values of a request header, in the order sent; `name` is lower case. Node's header objects join or drop repeated
 * headers, and building them fails in old releases for a header named `__proto__`.
 */
export function sentHeaders({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  // Names and values alternate.
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
