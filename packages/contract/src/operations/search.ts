import { defineOperation, json } from '../operation.ts';
import { searchAnswerSchema, searchQuerySchema } from '../search.ts';

/** Operations that search everything. */
export const searchOperations = {
  search: defineOperation({
    method: 'get',
    path: '/api/v1/search',
    summary: 'Hosts, packages, CVEs and advisories by a part of their names or ids, for a search box',
    tag: 'fleet',
    auth: 'user',
    role: 'viewer',
    heavy: true,
    query: searchQuerySchema,
    responses: { 200: json(searchAnswerSchema, 'The best matches of each kind.') },
  }),
};
