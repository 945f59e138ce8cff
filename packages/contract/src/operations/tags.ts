import { z } from 'zod';
import { defineOperation, json } from '../operation.ts';
import { tagCountSchema, tagQuerySchema } from '../tag-rule.ts';

/** Operations on the tags of hosts. */
export const tagOperations = {
  listTags: defineOperation({
    method: 'get',
    path: '/api/v1/tags',
    summary: 'Tags of hosts with their numbers of hosts: those that begin with the text first, then by hosts',
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    heavy: true,
    query: tagQuerySchema,
    responses: { 200: json(z.array(tagCountSchema), 'The tags.') },
  }),
} as const;
