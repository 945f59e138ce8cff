import type {
  AdvisoryCursor,
  AdvisoryFilters,
  AdvisoryOrder,
  AdvisoryRecord,
  ListedAdvisory,
} from '@plimsoll/db';
import { type AdvisoryKey, severities } from '@plimsoll/model';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryAnswer } from './advisory-answer.ts';

type Query = Parameters<Handler<'listAdvisories'>>[0]['query'];

const defaultLimit = 100;

/** GET /advisories */
export const listAdvisories: ReadHandler<'listAdvisories'> = async (
  { query, origin, caller },
  { stores },
) => {
  const limit = query.limit ?? defaultLimit;
  const affecting = query.affected ?? false;
  const order = orders[query.sort ?? '-published_at'];
  if (order !== 'published' && !affecting) {
    throw validationFailed([{ pointer: '/sort', detail: 'is for affected=true alone' }]);
  }
  const { total, advisories } = await stores.advisoryViews.search({
    scope: caller.scope,
    filters: filtersOf(query),
    order,
    affecting,
    limit: limit + 1,
    after: query.cursor === undefined ? null : readCursor(query.cursor, order),
    countHosts: query.include_hosts ?? false,
  });
  const { rows, headers } = pageOf(advisories, {
    limit,
    total,
    cursorOf: (record) => writeCursor(record, order),
    place: { origin, path: '/api/v1/advisories', query },
  });
  return {
    kind: 'json',
    status: 200,
    headers,
    body: rows.map((record) => advisoryAnswer(record, record.affected)),
  };
};

function filtersOf({ q, severity, known_exploited, feed, release }: Query): AdvisoryFilters {
  return {
    ...(q === undefined ? {} : { q }),
    ...(severity === undefined ? {} : { severity }),
    ...(known_exploited === undefined ? {} : { knownExploited: known_exploited }),
    ...(feed === undefined ? {} : { feedId: feed }),
    ...(release === undefined ? {} : { release }),
  };
}

const orders = {
  '-published_at': 'published',
  severity: 'severity',
  '-affected_hosts': 'hosts',
} as const satisfies Readonly<Record<NonNullable<Query['sort']>, AdvisoryOrder>>;

const cursorSchema = z.strictObject({
  o: z.string(),
  p: z.iso.datetime({ precision: 3 }).nullable(),
  v: z.int32(),
  k: z.int32().min(0),
});

function writeCursor(record: ListedAdvisory, order: AdvisoryOrder): string {
  const value = order === 'hosts' ? -(record.affected?.total ?? 0) : placeOf(record);
  return encodeCursor({
    o: order,
    p: record.publishedAt?.toISOString() ?? null,
    v: value,
    k: record.key,
  } satisfies z.output<typeof cursorSchema>);
}

/** Place in SQL's order, from 1; advisories that name no package come last. */
function placeOf({ severity }: AdvisoryRecord): number {
  return (severity === null ? severities.length : severities.indexOf(severity)) + 1;
}

function readCursor(cursor: string, order: AdvisoryOrder): AdvisoryCursor {
  const { p, v, k } = decodeCursor(
    cursor,
    cursorSchema.refine((place) => place.o === order),
  );
  const key = k as AdvisoryKey; // Built from one.
  return { publishedAt: p === null ? null : new Date(p), value: v, key };
}
