import { z } from 'zod';
import { id } from '../field-types.ts';
import { empty, json, jsonBody, operationsFor } from '../operation.ts';
import {
  issuedRegistrationTokenSchema,
  newRegistrationTokenSchema,
  registrationTokenSchema,
} from '../registration-token.ts';

const { forOperators } = operationsFor('registration-tokens');

/** Operations on registration tokens. */
export const registrationTokenOperations = {
  listRegistrationTokens: forOperators('get', '/api/v1/registration-tokens', {
    summary: 'Registration tokens, newest first',
    readAudit: 'keys.read',
    responses: { 200: json(z.array(registrationTokenSchema), 'The tokens, without their secrets.') },
  }),
  createRegistrationToken: forOperators('post', '/api/v1/registration-tokens', {
    summary: 'Issue a registration token',
    body: jsonBody(newRegistrationTokenSchema),
    responses: { 201: json(issuedRegistrationTokenSchema, 'The token with its secret, shown this once.') },
    errors: ['not_found', 'host_retired'],
    audit: ['registration_token.created'],
  }),
  revokeRegistrationToken: forOperators('delete', '/api/v1/registration-tokens/{id}', {
    summary: 'Revoke a registration token',
    params: z.strictObject({ id }),
    responses: { 204: empty('Revoked: it enrols no more hosts.') },
    audit: ['registration_token.revoked'],
  }),
};
