/** The Link header for the next page of a list (RFC 8288): the same query, from `cursor` on. */
export function nextLink(
  origin: string,
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  cursor: string,
): { readonly Link: string } {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return { Link: `<${origin}${path}?${parameters}>; rel="next"` };
}
