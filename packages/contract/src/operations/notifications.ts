import { deliveryStates } from '@plimsoll/model';
import { z } from 'zod';
import { id, paging } from '../field-types.ts';
import {
  channelChangesSchema,
  channelSchema,
  deliveryKinds,
  deliverySchema,
  newChannelSchema,
  newRouteSchema,
  routeChangesSchema,
  routeSchema,
} from '../notification.ts';
import { defineOperation, empty, json, jsonBody, page } from '../operation.ts';

const params = z.strictObject({ id });
const operator = { tag: 'notifications', auth: 'user', role: 'operator' } as const;

/** Operations on notifications. A limited caller has only channels that are limited to its tags. */
export const notificationOperations = {
  listChannels: defineOperation({
    ...operator,
    method: 'get',
    path: '/api/v1/channels',
    summary: 'Where notifications go, by name',
    responses: { 200: json(z.array(channelSchema), 'The channels, without their secrets.') },
  }),
  createChannel: defineOperation({
    ...operator,
    method: 'post',
    path: '/api/v1/channels',
    summary: 'Add a channel',
    recent: true,
    body: jsonBody(newChannelSchema),
    responses: { 201: json(channelSchema, 'The channel.') },
    errors: ['conflict'],
    audit: ['channel.created'],
  }),
  updateChannel: defineOperation({
    ...operator,
    method: 'patch',
    path: '/api/v1/channels/{id}',
    summary: 'Change a channel, replace its secret, or pause it',
    recent: true,
    params,
    body: jsonBody(channelChangesSchema),
    responses: { 200: json(channelSchema, 'The channel after the change.') },
    audit: ['channel.updated'],
  }),
  deleteChannel: defineOperation({
    ...operator,
    method: 'delete',
    path: '/api/v1/channels/{id}',
    summary: 'Delete a channel with its routes; what waits for it is not sent',
    params,
    responses: { 204: empty('It is deleted.') },
    audit: ['channel.deleted'],
  }),
  testChannel: defineOperation({
    ...operator,
    method: 'post',
    path: '/api/v1/channels/{id}/test',
    summary: 'Send a test through a channel and wait for the result',
    params,
    responses: { 200: json(deliverySchema, 'The ended delivery: delivered, or failed with the reason.') },
    audit: ['channel.tested'],
  }),
  listRoutes: defineOperation({
    ...operator,
    method: 'get',
    path: '/api/v1/routes',
    summary: 'Which events go to which channels, by name',
    responses: { 200: json(z.array(routeSchema), 'The routes.') },
  }),
  createRoute: defineOperation({
    ...operator,
    method: 'post',
    path: '/api/v1/routes',
    summary: 'Send events to a channel from now on',
    body: jsonBody(newRouteSchema),
    responses: { 201: json(routeSchema, 'The route.') },
    errors: ['not_found', 'conflict'],
    audit: ['route.created'],
  }),
  updateRoute: defineOperation({
    ...operator,
    method: 'patch',
    path: '/api/v1/routes/{id}',
    summary: 'Change or pause a route',
    params,
    body: jsonBody(routeChangesSchema),
    responses: { 200: json(routeSchema, 'The route after the change.') },
    audit: ['route.updated'],
  }),
  deleteRoute: defineOperation({
    ...operator,
    method: 'delete',
    path: '/api/v1/routes/{id}',
    summary: 'Delete a route; what waits is still sent',
    params,
    responses: { 204: empty('It is deleted.') },
    audit: ['route.deleted'],
  }),
  listDeliveries: defineOperation({
    ...operator,
    method: 'get',
    path: '/api/v1/deliveries',
    summary: 'Every message with its attempts, newest first',
    query: z.strictObject({
      state: z.enum(deliveryStates).optional(),
      channel_id: id.optional(),
      event: z.enum(deliveryKinds).optional(),
      ...paging,
    }),
    responses: { 200: page(z.array(deliverySchema), 'The deliveries.') },
  }),
};
