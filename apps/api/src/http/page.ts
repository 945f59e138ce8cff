/** The position of a page in a list. */
interface PagePlace {
  readonly origin: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
}

/**
 * One page of a list with its headers. `limit + 1` rows are queried: the extra row only shows that there is a next
 * page, which starts at the cursor of the last row shown.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  options: {
    readonly limit: number;
    readonly total: number;
    readonly cursorOf: (row: Row) => string;
    readonly place: PagePlace;
  },
): { readonly rows: readonly Row[]; readonly headers: Readonly<Record<string, string>> } {
  const { limit, total, cursorOf, place } = options;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const link =
    rows.length > limit && last !== undefined
      ? nextLink(place.origin, place.path, place.query, cursorOf(last))
      : {};
  return { rows: shown, headers: { 'X-Total-Count': String(total), ...link } };
}

/** The Link header for the next page of a list (RFC 8288): the same query, from `cursor` on. */
function nextLink(
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
