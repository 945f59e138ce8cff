import type { ReadHandler } from '../read-operation.ts';

const defaultLimit = 20;

/** GET /package-names */
export const listPackageNames: ReadHandler<'listPackageNames'> = async ({ query, caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: [...(await stores.advisoryViews.packageNames(caller.scope, query, query.limit ?? defaultLimit))],
});
