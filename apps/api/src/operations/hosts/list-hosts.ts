import { cursorOf, type HostCursor, type HostSort, type ListedOverview, sortsByTime } from '@plimsoll/db';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import type { ReadHandler } from '../read-operation.ts';
import { answersOf, hostAnswer, reasonsAnswer, reasonsOf } from './host-answer.ts';
import { hostFiltersOf, hostSortOf } from './host-selection.ts';

/** Default page size when following a cursor. */
const defaultLimit = 100;

/** GET /hosts */
export const listHosts: ReadHandler<'listHosts'> = async (
  { query, origin, caller: { scope } },
  { stores },
) => {
  const filters = hostFiltersOf(query);
  const sort = hostSortOf(query);
  const after = query.cursor === undefined ? null : readCursor(query.cursor, sort);
  const limit = query.limit ?? (after === null ? null : defaultLimit);
  if (limit === null) {
    const { total, pages } = await stores.hosts.stream(scope, filters, sort);
    const headers = { 'X-Total-Count': String(total) };
    return { kind: 'rows', status: 200, headers, rows: answersOf(pages) };
  }
  const { offset = 0, ...goingOn } = query;
  const { total, hosts } = await stores.hosts.list({ scope, filters, sort, limit: limit + 1, after, offset });
  const { rows, headers } = pageOf(hosts, {
    limit,
    total,
    cursorOf: (host) => writeCursor(host, sort),
    // The next page starts after the cursor and skips nothing.
    place: { origin, path: '/api/v1/hosts', query: goingOn },
  });
  if (query.include_reasons !== true)
    return { kind: 'json', status: 200, headers, body: rows.map(hostAnswer) };
  const reasons = await reasonsOf(stores, rows, { withUnknown: true });
  const body = rows.map((host) => ({ ...hostAnswer(host), ...reasonsAnswer(host, reasons.get(host.id)) }));
  return { kind: 'json', status: 200, headers, body };
};

const cursorSchema = z.strictObject({
  c: z.string(),
  d: z.boolean(),
  v: z.union([z.string().max(400), z.number()]),
  i: z.uuid(),
});

function writeCursor(host: ListedOverview, sort: HostSort): string {
  const { value, id } = cursorOf(host, sort);
  return encodeCursor({ c: sort.column, d: sort.descending, v: value, i: id } satisfies z.output<
    typeof cursorSchema
  >);
}

/** Throws `validation_failed` for a cursor that was not issued by the API or belongs to another order. */
function readCursor(text: string, sort: HostSort): HostCursor {
  const { v, i } = decodeCursor(
    text,
    cursorSchema.refine((cursor) => fits(cursor, sort)),
  );
  return { value: v, id: i };
}

function fits(cursor: z.output<typeof cursorSchema>, sort: HostSort): boolean {
  if (cursor.c !== sort.column || cursor.d !== sort.descending) return false;
  if (sortsByTime(sort.column)) return z.iso.datetime({ precision: 3 }).safeParse(cursor.v).success;
  switch (sort.column) {
    case 'displayName':
    case 'hostname':
    case 'osName':
      return typeof cursor.v === 'string' && !cursor.v.includes('\0');
    default:
      return z.int32().safeParse(cursor.v).success;
  }
}
