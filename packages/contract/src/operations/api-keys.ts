import { z } from 'zod';
import { apiKeySchema, issuedApiKeySchema, newApiKeySchema } from '../api-key.ts';
import { id, paging } from '../field-types.ts';
import { empty, json, jsonBody, operationsFor, page } from '../operation.ts';

const { forViewers } = operationsFor('api-keys');

/** Operations on API keys: one's own, for an admin those of all users. */
export const apiKeyOperations = {
  listApiKeys: forViewers('get', '/api/v1/api-keys', {
    summary: "One's own API keys, newest first; for an admin those of all users",
    query: z.strictObject(paging),
    readAudit: 'keys.read',
    responses: { 200: page(z.array(apiKeySchema), 'The keys, without their secrets.') },
  }),
  createApiKey: forViewers('post', '/api/v1/api-keys', {
    summary: 'Create an API key that acts for the caller, with at most the same rights',
    recent: true,
    body: jsonBody(newApiKeySchema),
    responses: { 201: json(issuedApiKeySchema, 'The key with its secret, shown this once.') },
    errors: ['conflict'],
    audit: ['api_key.created'],
  }),
  endApiKey: forViewers('delete', '/api/v1/api-keys/{id}', {
    summary: 'End an API key',
    params: z.strictObject({ id }),
    responses: { 204: empty('It is void.') },
    audit: ['api_key.ended'],
  }),
};
