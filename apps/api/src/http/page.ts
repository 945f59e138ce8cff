import type { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor.ts';

/** The query of a list. */
interface ListQuery extends Readonly<Record<string, string | number | boolean | Date | undefined>> {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A request for a page of a list. */
interface ListRequest {
  readonly query: ListQuery;
  readonly origin: string;
}

/**
 * The page of the list at `path` that a request asks for. `schema`: of the places in its cursors; `usualLimit`: of a
 * request without a limit. Throws `validation_failed` for a cursor of another list.
 */
export function askedPage<Schema extends z.ZodType>(
  { query, origin }: ListRequest,
  path: string,
  schema: Schema,
  usualLimit = 100,
) {
  const { limit = usualLimit, cursor } = query;
  return {
    limit,
    /** The last row of the page before; null: this is the first page. */
    after: cursor === undefined ? null : decodeCursor(cursor, schema),
    /**
     * The rows of the page, and its headers. `limit + 1` rows are queried: the extra row only shows that there is a next
     * page, which starts after the place of the last row shown.
     */
    of<Row>(found: readonly Row[], total: number, placeOf: (row: Row) => z.input<Schema>) {
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const link =
        found.length > limit && last !== undefined
          ? nextLink(`${origin}${path}`, { ...query, cursor: encodeCursor(placeOf(last)) })
          : {};
      return { rows, headers: { 'X-Total-Count': String(total), ...link } };
    },
  };
}

/** The Link header for the next page of a list (RFC 8288). */
function nextLink(address: string, query: ListQuery): { readonly Link: string } {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined)
      parameters.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return { Link: `<${address}?${parameters}>; rel="next"` };
}
