import { z } from 'zod';
import { id } from '../field-types.ts';
import { json, operationsFor, page } from '../operation.ts';
import { fleetRepositoryQuerySchema, fleetRepositorySchema, hostRepositorySchema } from '../repository.ts';

const hosts = operationsFor('hosts');
const fleet = operationsFor('fleet');

/** Operations on the repositories of hosts. */
export const repositoryOperations = {
  listHostRepositories: hosts.forViewers('get', '/api/v1/hosts/{id}/repositories', {
    summary: "A host's copies of its repositories, and whether they are behind",
    params: z.strictObject({ id }),
    responses: { 200: json(z.array(hostRepositorySchema), 'The copies, those that are behind first.') },
  }),
  listRepositories: fleet.forViewers('get', '/api/v1/repositories', {
    summary: 'The repositories of the fleet, their newest known dates and the hosts that are behind',
    heavy: true,
    query: fleetRepositoryQuerySchema,
    responses: { 200: page(z.array(fleetRepositorySchema), 'The repositories, by name.') },
  }),
};
