import type {
  AdvisoryCursor,
  AdvisoryFilters,
  AdvisoryOrder,
  AdvisoryRecord,
  ListedAdvisory,
} from '@plimsoll/db';
import { type AdvisoryKey, severities } from '@plimsoll/model';
import { z } from 'zod';
import { askedPage } from '../../http/page.ts';
import { validationFailed } from '../../http/request-fields.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryAnswer } from './advisory-answer.ts';

type Query = Parameters<Handler<'listAdvisories'>>[0]['query'];

/** GET /advisories */
export const listAdvisories: ReadHandler<'listAdvisories'> = async (request, { stores }) => {
  const { query, caller } = request;
  const affecting = query.affected ?? false;
  const order = orders[query.sort ?? '-published_at'];
  if (order !== 'published' && !affecting) {
    throw validationFailed([{ pointer: '/sort', detail: 'is for affected=true alone' }]);
  }
  const page = askedPage(request, '/api/v1/advisories', placeSchema(order));
  const { total, advisories } = await stores.advisoryViews.search({
    scope: caller.scope,
    filters: filtersOf(query),
    order,
    affecting,
    limit: page.limit + 1,
    after: page.after,
    countHosts: query.include_hosts ?? false,
  });
  const { rows, headers } = page.of(advisories, total, (record) => placeOf(record, order));
  const body = rows.map((record) => advisoryAnswer(record, record.affected));
  return { kind: 'json', status: 200, headers, body };
};

function filtersOf({ q, severity, known_exploited, feed, release }: Query): AdvisoryFilters {
  return given({ q, severity, knownExploited: known_exploited, feedId: feed, release });
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

/** Refuses a cursor that belongs to another order. */
function placeSchema(order: AdvisoryOrder) {
  return cursorSchema
    .refine((place) => place.o === order)
    .transform(({ p, v, k }): AdvisoryCursor => {
      const key = k as AdvisoryKey; // Built from one.
      return { publishedAt: p === null ? null : new Date(p), value: v, key };
    });
}

function placeOf(record: ListedAdvisory, order: AdvisoryOrder): z.input<typeof cursorSchema> {
  const value = order === 'hosts' ? -(record.affected?.total ?? 0) : rankOf(record);
  return { o: order, p: record.publishedAt?.toISOString() ?? null, v: value, k: record.key };
}

/** Place in SQL's order, from 1; advisories that name no package come last. */
function rankOf({ severity }: AdvisoryRecord): number {
  return (severity === null ? severities.length : severities.indexOf(severity)) + 1;
}
