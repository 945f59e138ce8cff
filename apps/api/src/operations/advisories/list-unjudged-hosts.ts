import { pageOf } from '../../http/page.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryNotFound } from './advisories.ts';
import { defaultHostLimit, listedHostAnswer, readHostCursor, writeHostCursor } from './listed-host.ts';

/** GET /advisories/{id}/unknown-hosts */
export const listUnjudgedHosts: ReadHandler<'listUnjudgedHosts'> = async (
  { params, query, origin, caller },
  { stores },
) => {
  const limit = query.limit ?? defaultHostLimit;
  const found = await stores.advisoryViews.unjudgedHostsOf(caller.scope, params.id, {
    limit: limit + 1,
    after: readHostCursor(query.cursor),
  });
  if (found === null) throw advisoryNotFound();
  const { rows, headers } = pageOf(found.hosts, {
    limit,
    total: found.total,
    cursorOf: ({ listed }) => writeHostCursor(listed),
    place: { origin, path: `/api/v1/advisories/${encodeURIComponent(params.id)}/unknown-hosts`, query },
  });
  const body = rows.map(({ listed, reason, feedUpdatedAt }) => ({
    ...listedHostAnswer(listed),
    reason,
    feed_updated_at: feedUpdatedAt?.toISOString() ?? null,
  }));
  return { kind: 'json', status: 200, headers, body };
};
