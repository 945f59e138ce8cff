import type { Operations } from '@plimsoll/contract';
import type { Handler } from '../http/operation-request.ts';

const defaultLimit = 20;

/** GET /package-names */
export const listPackageNames: Handler<Operations['listPackageNames']> = async ({ query }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: [...(await stores.advisoryViews.packageNames(query.q, query.limit ?? defaultLimit))],
});
