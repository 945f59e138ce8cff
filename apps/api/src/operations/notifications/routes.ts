import type { Route } from '@plimsoll/contract';
import { newId, type Route as StoredRoute } from '@plimsoll/db';
import { AppError, type ChannelId, fleetEvents, type HostScope, type RouteId } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { validationFailed } from '../../http/request-fields.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import { noChannel } from './no-channel.ts';

/** GET /routes */
export const listRoutes: Handler<'listRoutes'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.routes.list(caller.scope)).map(routeAnswer),
});

/** POST /routes */
export const createRoute: Handler<'createRoute'> = async (request, { stores }) => {
  const { body, caller } = request;
  const channel = await stores.channels.find(body.channel_id, caller.scope);
  if (channel === null) throw noChannel();
  refuseFleetEvents(channel.scope, body.events);
  const route = await stores.routes.create(
    {
      id: newId<RouteId>(),
      // The contract has checked its form.
      channelId: body.channel_id as ChannelId,
      name: body.name,
      events: body.events,
      minSeverity: body.min_severity,
      tags: body.tags,
      delayMinutes: body.delay_minutes,
      digest: body.digest,
      quietHours: body.quiet_hours,
    },
    caller.scope,
    auditActorOf(request),
  );
  if (route === null) throw noChannel();
  return { kind: 'json', status: 201, body: routeAnswer(route) };
};

/** PATCH /routes/{id} */
export const updateRoute: Handler<'updateRoute'> = async (request, { stores }) => {
  const { params, body, caller } = request;
  const before = (await stores.routes.list(caller.scope)).find(({ id }) => id === params.id);
  const channel = before === undefined ? null : await stores.channels.find(before.channelId, caller.scope);
  if (channel === null) throw noRoute();
  if (body.events !== undefined) refuseFleetEvents(channel.scope, body.events);
  const { name, events, min_severity: minSeverity, tags, digest, paused } = body;
  const { delay_minutes: delayMinutes, quiet_hours: quietHours } = body;
  const route = await stores.routes.change(
    params.id,
    caller.scope,
    given({ name, events, minSeverity, tags, delayMinutes, digest, quietHours, paused }),
    auditActorOf(request),
  );
  if (route === null) throw noRoute();
  return { kind: 'json', status: 200, body: routeAnswer(route) };
};

/** DELETE /routes/{id} */
export const deleteRoute: Handler<'deleteRoute'> = async (request, { stores }) => {
  const { params, caller } = request;
  if (!(await stores.routes.remove(params.id, caller.scope, auditActorOf(request)))) throw noRoute();
  return { kind: 'empty', status: 204 };
};

function noRoute(): AppError {
  return new AppError('not_found', 'No route has this id.');
}

/** Throws `validation_failed` for events about the whole installation and a channel about a part of the hosts. */
function refuseFleetEvents(channel: HostScope, events: readonly string[]): void {
  const refused =
    channel.kind === 'tagged' ? events.find((event) => fleetEvents.some((one) => one === event)) : undefined;
  if (refused === undefined) return;
  throw validationFailed([
    {
      pointer: '/events',
      detail: `must not contain ${refused}: the channel is limited to hosts with some tags`,
    },
  ]);
}

function routeAnswer(route: StoredRoute): Route {
  return {
    id: route.id,
    channel_id: route.channelId,
    name: route.name,
    events: [...route.events],
    min_severity: route.minSeverity === 'none' ? null : route.minSeverity,
    tags: [...route.tags],
    delay_minutes: route.delayMinutes,
    digest: route.digest,
    quiet_hours: route.quietHours,
    paused: route.pausedAt !== null,
    created_at: route.createdAt.toISOString(),
  };
}
