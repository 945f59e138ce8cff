import { askedPage } from '../../http/page.ts';
import type { ReadHandler } from '../read-operation.ts';
import { advisoryNotFound } from './advisories.ts';
import { hostPlaceOf, hostPlaceSchema, listedHostAnswer } from './listed-host.ts';

/** GET /advisories/{id}/unknown-hosts */
export const listUnjudgedHosts: ReadHandler<'listUnjudgedHosts'> = async (request, { stores }) => {
  const { params, caller } = request;
  const path = `/api/v1/advisories/${encodeURIComponent(params.id)}/unknown-hosts`;
  const page = askedPage(request, path, hostPlaceSchema);
  const found = await stores.advisoryViews.unjudgedHostsOf(caller.scope, params.id, {
    limit: page.limit + 1,
    after: page.after,
  });
  if (found === null) throw advisoryNotFound();
  const { rows, headers } = page.of(found.hosts, found.total, hostPlaceOf);
  const body = rows.map(({ listed, reason, feedUpdatedAt }) => ({
    ...listedHostAnswer(listed),
    reason,
    feed_updated_at: feedUpdatedAt?.toISOString() ?? null,
  }));
  return { kind: 'json', status: 200, headers, body };
};
