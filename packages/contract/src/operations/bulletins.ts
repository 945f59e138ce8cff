import { z } from 'zod';
import {
  bulletinChangesSchema,
  bulletinContentsSchema,
  bulletinSchema,
  newBulletinSchema,
} from '../bulletin.ts';
import { id } from '../field-types.ts';
import { deliverySchema } from '../notification.ts';
import { empty, json, jsonBody, operationsFor } from '../operation.ts';

const { forOperators } = operationsFor('notifications');

const params = z.strictObject({ id });

/** Operations on reports by mail. A limited caller has only those of its channels. */
export const bulletinOperations = {
  listBulletins: forOperators('get', '/api/v1/bulletins', {
    summary: 'Reports by mail, by name',
    responses: { 200: json(z.array(bulletinSchema), 'The reports.') },
  }),
  createBulletin: forOperators('post', '/api/v1/bulletins', {
    summary: 'Send the state of hosts by e-mail on a schedule',
    recent: true,
    body: jsonBody(newBulletinSchema),
    responses: { 201: json(bulletinSchema, 'The report.') },
    errors: ['not_found', 'conflict'],
    audit: ['bulletin.created'],
  }),
  updateBulletin: forOperators('patch', '/api/v1/bulletins/{id}', {
    summary: 'Change or pause a report by mail',
    recent: true,
    params,
    body: jsonBody(bulletinChangesSchema),
    responses: { 200: json(bulletinSchema, 'The report after the change.') },
    audit: ['bulletin.updated'],
  }),
  deleteBulletin: forOperators('delete', '/api/v1/bulletins/{id}', {
    summary: 'Delete a report by mail; what waits is not sent',
    params,
    responses: { 204: empty('It is deleted.') },
    audit: ['bulletin.deleted'],
  }),
  previewBulletin: forOperators('get', '/api/v1/bulletins/{id}/preview', {
    summary: 'What a report by mail would say now, as far as the caller may see it',
    heavy: true,
    params,
    responses: { 200: json(bulletinContentsSchema, 'The contents.') },
    errors: ['conflict'],
  }),
  sendBulletin: forOperators('post', '/api/v1/bulletins/{id}/send', {
    summary: 'Send a report by mail now, besides its schedule',
    params,
    responses: { 200: json(deliverySchema, 'The delivery, which waits for its first attempt.') },
    errors: ['conflict', 'rate_limited'],
    audit: ['bulletin.sent'],
  }),
};
