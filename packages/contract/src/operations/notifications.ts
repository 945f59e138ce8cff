import { deliveryStates } from '@plimsoll/model';
import { z } from 'zod';
import { id, paging, queryTime } from '../field-types.ts';
import {
  channelChangesSchema,
  channelSchema,
  confirmAddressSchema,
  deliveryKinds,
  deliverySchema,
  failedEventSchema,
  newChannelSchema,
  newRouteSchema,
  routeChangesSchema,
  routeSchema,
} from '../notification.ts';
import { empty, json, jsonBody, operationsFor, page } from '../operation.ts';

const { forOperators, forAdmins, forEveryone } = operationsFor('notifications');

const params = z.strictObject({ id });

/** Operations on notifications. A limited caller has only channels that are limited to its tags. */
export const notificationOperations = {
  listChannels: forOperators('get', '/api/v1/channels', {
    summary: 'Where notifications go, by name',
    responses: { 200: json(z.array(channelSchema), 'The channels, without their secrets.') },
  }),
  createChannel: forOperators('post', '/api/v1/channels', {
    summary: 'Add a channel',
    recent: true,
    body: jsonBody(newChannelSchema),
    responses: { 201: json(channelSchema, 'The channel.') },
    errors: ['conflict', 'rate_limited'],
    audit: ['channel.created', 'channel.confirmation_sent'],
  }),
  updateChannel: forOperators('patch', '/api/v1/channels/{id}', {
    summary: 'Change a channel, replace its secret, or pause it',
    recent: true,
    params,
    body: jsonBody(channelChangesSchema),
    responses: { 200: json(channelSchema, 'The channel after the change.') },
    errors: ['rate_limited'],
    audit: ['channel.updated', 'channel.confirmation_sent'],
  }),
  deleteChannel: forOperators('delete', '/api/v1/channels/{id}', {
    summary: 'Delete a channel with its routes; what waits for it is not sent',
    params,
    responses: { 204: empty('It is deleted.') },
    audit: ['channel.deleted'],
  }),
  testChannel: forOperators('post', '/api/v1/channels/{id}/test', {
    summary: 'Send a test through a channel and wait for the result',
    params,
    responses: { 200: json(deliverySchema, 'The ended delivery: delivered, or failed with the reason.') },
    errors: ['rate_limited', 'conflict'],
    audit: ['channel.tested'],
  }),
  sendConfirmations: forOperators('post', '/api/v1/channels/{id}/confirmations', {
    summary: 'Ask the addresses of a channel again that have not confirmed themselves',
    params,
    responses: { 200: json(deliverySchema, 'The delivery, which waits for its first attempt.') },
    errors: ['conflict', 'rate_limited'],
    audit: ['channel.confirmation_sent'],
  }),
  confirmAddress: forEveryone('post', '/api/v1/mail-confirmations', {
    summary: 'Confirm an e-mail address by the token of the mail that was sent to it',
    body: jsonBody(confirmAddressSchema),
    responses: { 204: empty('It is confirmed.') },
    errors: ['not_found'],
    audit: ['channel.address_confirmed'],
  }),
  listRoutes: forOperators('get', '/api/v1/routes', {
    summary: 'Which events go to which channels, by name',
    responses: { 200: json(z.array(routeSchema), 'The routes.') },
  }),
  createRoute: forOperators('post', '/api/v1/routes', {
    summary: 'Send events to a channel from now on',
    body: jsonBody(newRouteSchema),
    responses: { 201: json(routeSchema, 'The route.') },
    errors: ['not_found', 'conflict'],
    audit: ['route.created'],
  }),
  updateRoute: forOperators('patch', '/api/v1/routes/{id}', {
    summary: 'Change or pause a route',
    params,
    body: jsonBody(routeChangesSchema),
    responses: { 200: json(routeSchema, 'The route after the change.') },
    audit: ['route.updated'],
  }),
  deleteRoute: forOperators('delete', '/api/v1/routes/{id}', {
    summary: 'Delete a route; what waits is still sent',
    params,
    responses: { 204: empty('It is deleted.') },
    audit: ['route.deleted'],
  }),
  listDeliveries: forOperators('get', '/api/v1/deliveries', {
    summary: 'Every message with its attempts, newest first',
    query: z.strictObject({
      state: z.enum(deliveryStates).optional(),
      channel_id: id.optional(),
      event: z.enum(deliveryKinds).optional(),
      from: queryTime.optional().describe('Written at this time or later.'),
      to: queryTime.optional().describe('Written before this time.'),
      ...paging,
    }),
    responses: { 200: page(z.array(deliverySchema), 'The deliveries.') },
  }),
  resendDelivery: forOperators('post', '/api/v1/deliveries/{id}/resend', {
    summary: 'Send a message again that was given up, under the same id',
    params,
    responses: { 200: json(deliverySchema, 'The delivery, which waits for its next attempt.') },
    errors: ['conflict', 'rate_limited'],
    audit: ['delivery.resent'],
  }),
  listFailedEvents: forAdmins('get', '/api/v1/failed-events', {
    summary: 'The newest events that could not be turned into messages',
    responses: { 200: json(z.array(failedEventSchema), 'At most 100 events, the newest first.') },
  }),
  retryFailedEvent: forAdmins('post', '/api/v1/failed-events/{id}/retry', {
    summary: 'Try again now to turn an event into messages',
    params,
    responses: { 200: json(failedEventSchema, 'The event, which waits for its next attempt.') },
    errors: ['rate_limited'],
    audit: ['failed_event.retried'],
  }),
};
