import type { ReadHandler } from '../read-operation.ts';

const defaultLimit = 20;

/** GET /tags */
export const listTags: ReadHandler<'listTags'> = async ({ query, caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: [...(await stores.hosts.tags(caller.scope, query.q ?? '', query.limit ?? defaultLimit))],
});
