import { cursorOf, type HostCursor, type HostSort, type ListedOverview, sortsByTime } from '@plimsoll/db';
import { z } from 'zod';
import { askedPage } from '../../http/page.ts';
import type { ReadHandler } from '../read-operation.ts';
import { gapsHeader } from './find-host.ts';
import { answersOf, hostAnswer, reasonsAnswer, reasonsOf } from './host-answer.ts';
import { hostFiltersOf, hostSortOf } from './host-selection.ts';

/** GET /hosts */
export const listHosts: ReadHandler<'listHosts'> = async (
  { query, origin, caller: { scope } },
  { stores },
) => {
  const filters = hostFiltersOf(query);
  const sort = hostSortOf(query);
  // The next page starts after the cursor and skips nothing.
  const { offset = 0, ...goingOn } = query;
  const page = askedPage({ query: goingOn, origin }, '/api/v1/hosts', placeSchema(sort));
  if (query.limit === undefined && page.after === null) {
    const { total, gaps, pages } = await stores.hosts.stream(scope, filters, sort);
    const headers = { 'X-Total-Count': String(total), ...gapsHeader({ gaps }) };
    return { kind: 'rows', status: 200, headers, rows: answersOf(pages) };
  }
  const { after, limit } = page;
  const { total, hosts } = await stores.hosts.list({ scope, filters, sort, limit: limit + 1, after, offset });
  const { rows, headers: pageHeaders } = page.of(hosts, total, (host) => placeOf(host, sort));
  const headers = {
    ...pageHeaders,
    ...gapsHeader({ gaps: rows.reduce((bits, { gaps }) => bits | gaps, 0) }),
  };
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

/** Refuses a cursor that belongs to another order. */
function placeSchema(sort: HostSort) {
  return cursorSchema
    .refine((cursor) => fits(cursor, sort))
    .transform(({ v, i }): HostCursor => ({ value: v, id: i }));
}

function placeOf(host: ListedOverview, sort: HostSort): z.input<typeof cursorSchema> {
  const { value, id } = cursorOf(host, sort);
  return { c: sort.column, d: sort.descending, v: value, i: id };
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
