import { z } from 'zod';
import { paging } from '../field-types.ts';
import { body, json, jsonBody, operationsFor, page } from '../operation.ts';
import { quarantinedSchema, quarantineKinds, retriedSchema, retryUploadsSchema } from '../quarantine.ts';
import { healthSchema, readinessSchema } from '../service.ts';
import { systemSchema } from '../system.ts';

const { forOperators, forEveryone } = operationsFor('service');

/** Operations on the service itself. All except the contract are outside /api/v1. */
export const serviceOperations = {
  getHealth: forEveryone('get', '/healthz', {
    summary: 'Liveness',
    responses: { 200: json(healthSchema, 'It lives.') },
  }),
  getReadiness: forEveryone('get', '/readyz', {
    summary: 'Whether the service can do its work; for monitoring, with each dependency',
    responses: {
      200: json(
        readinessSchema,
        'It can. `degraded`: uploads are taken, but wait for the queue, or a round fails.',
      ),
    },
  }),
  getSecurityContact: forEveryone('get', '/.well-known/security.txt', {
    summary: 'Where to report a weakness (RFC 9116), if the setting `api.security_contact` says it',
    responses: { 200: body('text/plain; charset=utf-8', 'The contact, in the form of RFC 9116.') },
    errors: ['not_found'],
  }),
  getMetrics: forEveryone('get', '/metrics', {
    summary: 'Metrics in the Prometheus text format',
    responses: { 200: body('text/plain; version=0.0.4; charset=utf-8', 'The metrics.') },
    errors: ['unauthenticated'],
  }),
  getSystem: forOperators('get', '/api/v1/system', {
    summary: 'Versions, processes, and what waits and fails',
    fleetWide: true,
    responses: { 200: json(systemSchema, 'The system.') },
  }),
  listQuarantine: forOperators('get', '/api/v1/quarantine', {
    summary: 'Reports and feed records that could not be read, and messages given up, newest first',
    fleetWide: true,
    query: z.strictObject({ kind: z.enum(quarantineKinds).optional(), ...paging }),
    responses: { 200: page(z.array(quarantinedSchema), 'What is in quarantine.') },
  }),
  retryUploads: forOperators('post', '/api/v1/quarantine/uploads/retry', {
    summary: 'Let rejected reports be read again, each alone and under its own number',
    fleetWide: true,
    body: jsonBody(retryUploadsSchema),
    responses: { 200: json(retriedSchema, 'How many wait to be read again.') },
    audit: ['upload.retried'],
  }),
  getOpenApi: forEveryone('get', '/api/v1/openapi.json', {
    summary: 'This contract as OpenAPI 3.1',
    responses: { 200: json(z.looseObject({ openapi: z.string() }), 'The OpenAPI document.') },
  }),
};
