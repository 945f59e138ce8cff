import { createHash } from 'node:crypto';

/** A URL's scheme, host, port and path: what is left of it without credentials. */
export function placeOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/**
 * Under which name a feed's file is remembered in the database: its URL. Where that has a user part or a query, which may be
 * credentials, a hash of the whole URL replaces them, so that another query is another file.
 */
export function fileKey(url: URL): string {
  if (url.href === placeOf(url)) return url.href;
  const hash = createHash('sha256').update(url.href).digest('base64url').slice(0, 22);
  return `${placeOf(url)}#${hash}`;
}
