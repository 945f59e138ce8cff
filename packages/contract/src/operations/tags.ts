import { z } from 'zod';
import { json, operationsFor } from '../operation.ts';
import { tagCountSchema, tagQuerySchema } from '../tag-rule.ts';

const { forViewers } = operationsFor('hosts');

/** Operations on the tags of hosts. */
export const tagOperations = {
  listTags: forViewers('get', '/api/v1/tags', {
    summary: 'Tags of hosts with their numbers of hosts: those that begin with the text first, then by hosts',
    heavy: true,
    query: tagQuerySchema,
    responses: { 200: json(z.array(tagCountSchema), 'The tags.') },
  }),
} as const;
