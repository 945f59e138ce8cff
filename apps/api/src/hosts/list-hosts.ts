import type { HostSortField, Operations } from '@plimsoll/contract';
import {
  cursorOf,
  type HostCursor,
  type HostFilters,
  type HostOverview,
  type HostSort,
  type HostSortColumn,
} from '@plimsoll/db';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import type { Handler } from '../http/operation-request.ts';
import { pageOf } from '../http/page.ts';
import { hostAnswer } from './host-answer.ts';

type Query = Parameters<Handler<Operations['listHosts']>>[0]['query'];

/** A page, where a client goes on without saying how far. */
const defaultLimit = 100;

/** GET /hosts */
export const listHosts: Handler<Operations['listHosts']> = async ({ query, origin }, { stores }) => {
  const filters = filtersOf(query);
  const sort = sortOf(query);
  const after = query.cursor === undefined ? null : readCursor(query.cursor, sort);
  const limit = query.limit ?? (after === null ? null : defaultLimit);
  const total = await stores.hosts.count(filters);
  if (limit === null) {
    const headers = { 'X-Total-Count': String(total) };
    return { kind: 'rows', status: 200, headers, rows: answersOf(stores.hosts.stream(filters, sort)) };
  }
  const { rows, headers } = pageOf(await stores.hosts.list({ filters, sort, limit: limit + 1, after }), {
    limit,
    total,
    cursorOf: (host) => writeCursor(host, sort),
    place: { origin, path: '/api/v1/hosts', query },
  });
  return { kind: 'json', status: 200, headers, body: rows.map(hostAnswer) };
};

async function* answersOf(pages: AsyncIterable<readonly HostOverview[]>) {
  for await (const page of pages) yield page.map(hostAnswer);
}

function filtersOf(query: Query): HostFilters {
  const { q, tag, os_family, status, approval_status, onboarding_mode, severity, needs_reboot } = query;
  const { overall_action, coverage } = query;
  return {
    ...(q === undefined ? {} : { q }),
    ...(tag === undefined ? {} : { tag }),
    ...(os_family === undefined ? {} : { osFamily: os_family }),
    ...(status === undefined ? {} : { status }),
    ...(approval_status === undefined ? {} : { approvalStatus: approval_status }),
    ...(onboarding_mode === undefined ? {} : { onboardingMode: onboarding_mode }),
    ...(severity === undefined ? {} : { severityAtLeast: severity }),
    ...(needs_reboot === undefined ? {} : { needsReboot: needs_reboot }),
    ...(overall_action === undefined ? {} : { overallAction: overall_action }),
    ...(coverage === undefined ? {} : { coverage }),
  };
}

const sortColumns: Readonly<Record<HostSortField, HostSortColumn>> = {
  display_name: 'displayName',
  hostname: 'hostname',
  created_at: 'createdAt',
  last_seen_at: 'lastSeenAt',
  os_name: 'osName',
  critical_count: 'critical',
  important_count: 'important',
  moderate_count: 'moderate',
  low_count: 'low',
  unrated_count: 'unrated',
  unfixed_count: 'unfixed',
  known_exploited_count: 'knownExploited',
  unknown_count: 'unknown',
  available_updates: 'availableUpdates',
  needs_restart: 'servicesDue',
  overall_action: 'overallAction',
};

function sortOf({ sort = 'display_name' }: Query): HostSort {
  const descending = sort.startsWith('-');
  // The schema lets only sort fields through, with or without the sign.
  const field = (descending ? sort.slice(1) : sort) as HostSortField;
  return { column: sortColumns[field], descending };
}

const cursorSchema = z.strictObject({
  c: z.string(),
  d: z.boolean(),
  v: z.union([z.string().max(400), z.number()]),
  i: z.uuid(),
});

function writeCursor(host: HostOverview, sort: HostSort): string {
  const { value, id } = cursorOf(host, sort);
  return encodeCursor({ c: sort.column, d: sort.descending, v: value, i: id } satisfies z.output<
    typeof cursorSchema
  >);
}

/** Throws `validation_failed` for a cursor that is not ours or comes from another order. */
function readCursor(text: string, sort: HostSort): HostCursor {
  const { v, i } = decodeCursor(
    text,
    cursorSchema.refine((cursor) => fits(cursor, sort)),
  );
  return { value: v, id: i };
}

function fits(cursor: z.output<typeof cursorSchema>, sort: HostSort): boolean {
  if (cursor.c !== sort.column || cursor.d !== sort.descending) return false;
  switch (sort.column) {
    case 'displayName':
    case 'hostname':
    case 'osName':
      return typeof cursor.v === 'string' && !cursor.v.includes('\0');
    case 'createdAt':
    case 'lastSeenAt':
      return z.iso.datetime({ precision: 3 }).safeParse(cursor.v).success;
    default:
      return z.int32().safeParse(cursor.v).success;
  }
}
