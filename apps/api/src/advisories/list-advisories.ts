import type { Operations } from '@plimsoll/contract';
import type { AdvisoryCursor, AdvisoryFilters, AdvisoryRecord } from '@plimsoll/db';
import type { AdvisoryKey } from '@plimsoll/model';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import type { Handler } from '../http/operation-request.ts';
import { pageOf } from '../http/page.ts';
import { advisoryAnswer } from './advisory-answer.ts';

type Query = Parameters<Handler<Operations['listAdvisories']>>[0]['query'];

const defaultLimit = 100;

/** GET /advisories */
export const listAdvisories: Handler<Operations['listAdvisories']> = async (
  { query, origin },
  { stores },
) => {
  const limit = query.limit ?? defaultLimit;
  const { total, advisories } = await stores.advisoryViews.search({
    filters: filtersOf(query),
    limit: limit + 1,
    after: query.cursor === undefined ? null : readCursor(query.cursor),
    countHosts: query.include_hosts ?? false,
  });
  const { rows, headers } = pageOf(advisories, {
    limit,
    total,
    cursorOf: writeCursor,
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

const cursorSchema = z.strictObject({
  p: z.iso.datetime({ precision: 3 }).nullable(),
  k: z.int32().min(0),
});

function writeCursor({ publishedAt, key }: AdvisoryRecord): string {
  return encodeCursor({ p: publishedAt?.toISOString() ?? null, k: key } satisfies z.output<
    typeof cursorSchema
  >);
}

function readCursor(cursor: string): AdvisoryCursor {
  const { p, k } = decodeCursor(cursor, cursorSchema);
  return { publishedAt: p === null ? null : new Date(p), key: k as AdvisoryKey }; // Written from one.
}
