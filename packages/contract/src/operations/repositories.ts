import { z } from 'zod';
import { id } from '../field-types.ts';
import { defineOperation, json, page } from '../operation.ts';
import { fleetRepositoryQuerySchema, fleetRepositorySchema, hostRepositorySchema } from '../repository.ts';

/** Operations on the repositories of hosts. */
export const repositoryOperations = {
  listHostRepositories: defineOperation({
    method: 'get',
    path: '/api/v1/hosts/{id}/repositories',
    summary: "A host's copies of its repositories, and whether they are behind",
    tag: 'hosts',
    auth: 'user',
    role: 'viewer',
    params: z.strictObject({ id }),
    responses: { 200: json(z.array(hostRepositorySchema), 'The copies, those that are behind first.') },
  }),
  listRepositories: defineOperation({
    method: 'get',
    path: '/api/v1/repositories',
    summary: 'The repositories of the fleet, their newest known dates and the hosts that are behind',
    tag: 'fleet',
    auth: 'user',
    role: 'viewer',
    heavy: true,
    query: fleetRepositoryQuerySchema,
    responses: { 200: page(z.array(fleetRepositorySchema), 'The repositories, by name.') },
  }),
};
