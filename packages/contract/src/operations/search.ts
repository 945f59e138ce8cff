import { json, operationsFor } from '../operation.ts';
import { searchAnswerSchema, searchQuerySchema } from '../search.ts';

const { forViewers } = operationsFor('fleet');

/** Operations that search everything. */
export const searchOperations = {
  search: forViewers('get', '/api/v1/search', {
    summary: 'Hosts, packages, CVEs and advisories by a part of their names or ids, for a search box',
    heavy: true,
    query: searchQuerySchema,
    responses: { 200: json(searchAnswerSchema, 'The best matches of each kind.') },
  }),
};
