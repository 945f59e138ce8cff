/** Removes the user name and password from a URL. */
export function withoutCredentials(url: string): string {
  const start = url.indexOf('://') + 3;
  if (start < 3) return url;
  const slash = url.indexOf('/', start);
  const at = url.lastIndexOf('@', slash < 0 ? url.length : slash);
  return at < start ? url : url.slice(0, start) + url.slice(at + 1);
}
