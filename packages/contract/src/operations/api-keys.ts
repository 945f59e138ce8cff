import { z } from 'zod';
import { apiKeySchema, issuedApiKeySchema, newApiKeySchema } from '../api-key.ts';
import { id, paging } from '../field-types.ts';
import { defineOperation, empty, json, jsonBody, page } from '../operation.ts';

/** Operations on API keys: one's own, for an admin those of all users. */
export const apiKeyOperations = {
  listApiKeys: defineOperation({
    method: 'get',
    path: '/api/v1/api-keys',
    summary: "One's own API keys, newest first; for an admin those of all users",
    tag: 'api-keys',
    auth: 'user',
    role: 'viewer',
    query: z.strictObject(paging),
    readAudit: 'keys.read',
    responses: { 200: page(z.array(apiKeySchema), 'The keys, without their secrets.') },
  }),
  createApiKey: defineOperation({
    method: 'post',
    path: '/api/v1/api-keys',
    summary: 'Create an API key that acts for the caller, with at most the same rights',
    tag: 'api-keys',
    auth: 'user',
    role: 'viewer',
    recent: true,
    body: jsonBody(newApiKeySchema),
    responses: { 201: json(issuedApiKeySchema, 'The key with its secret, shown this once.') },
    errors: ['conflict'],
    audit: ['api_key.created'],
  }),
  endApiKey: defineOperation({
    method: 'delete',
    path: '/api/v1/api-keys/{id}',
    summary: 'End an API key',
    tag: 'api-keys',
    auth: 'user',
    role: 'viewer',
    params: z.strictObject({ id }),
    responses: { 204: empty('It is void.') },
    audit: ['api_key.ended'],
  }),
};
