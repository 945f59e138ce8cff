import { createHash } from 'node:crypto';

/** A URL's scheme, host, port and path, so without credentials. */
export function placeOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/**
 * The key of a feed's file in the database: its URL. A user part or a query, which may be credentials, is replaced by a
 * hash of the whole URL, so that another query is another file.
 */
export function fileKey(url: URL): string {
  if (url.href === placeOf(url)) return url.href;
  const hash = createHash('sha256').update(url.href).digest('base64url').slice(0, 22);
  return `${placeOf(url)}#${hash}`;
}
