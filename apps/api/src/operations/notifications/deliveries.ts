import type { Delivery, FailedEvent } from '@plimsoll/contract';
import type { MessageSource, ShownFailure, Delivery as StoredDelivery } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { z } from 'zod';
import { accountOf, auditActorOf, type UserCaller } from '../../auth/signed-in-user.ts';
import { askedPage } from '../../http/page.ts';
import { pollFor } from '../../http/poll-for.ts';
import { given } from '../given.ts';
import type { Handler } from '../operation-request.ts';
import { noChannel } from './no-channel.ts';

/** An attempt takes at most half a minute. */
const endedSeconds = 40;
const mostFailedEvents = 100;

/** POST /channels/{id}/test */
export const testChannel: Handler<'testChannel'> = async (request, { settings, stores, queue }) => {
  const { params, caller, signal } = request;
  const channel = await stores.channels.find(params.id, caller.scope);
  if (channel === null) throw noChannel();
  await stores.messageAllowances.take(sourcesOf(caller, channel.id));
  const deliveryId = await stores.deliveries.addTest(channel, auditActorOf(request));
  queue.ring('notify-deliver', { deliveryId });
  const find = () => stores.deliveries.find(deliveryId, caller.scope);
  const taken = await pollFor(
    async () => orNull(await find(), ({ state }) => state !== 'waiting'),
    settings.channelTestSeconds,
    signal,
  );
  if (taken === null) {
    await stores.deliveries.giveUpTest(deliveryId);
    throw unavailable('No notify-worker took the test: check that one runs (Settings → System).');
  }
  const ended = await pollFor(
    async () => orNull(await find(), ({ endedAt }) => endedAt !== null),
    endedSeconds,
    signal,
  );
  if (ended === null) throw unavailable('The result of the test is not known yet: see the deliveries.');
  return { kind: 'json', status: 200, body: deliveryAnswer(ended) };
};

/** GET /deliveries */
export const listDeliveries: Handler<'listDeliveries'> = async (request, { stores }) => {
  const { query, caller } = request;
  const { state, channel_id: channelId, event, from, to } = query;
  const page = askedPage(request, '/api/v1/deliveries', z.uuid(), 50);
  const filters = given({ state, channelId, event, from, to });
  const [found, total] = await Promise.all([
    stores.deliveries.list(filters, caller.scope, { limit: page.limit + 1, before: page.after }),
    stores.deliveries.count(filters, caller.scope),
  ]);
  const { rows, headers } = page.of(found, total, ({ id }) => id);
  return { kind: 'json', status: 200, headers, body: rows.map(deliveryAnswer) };
};

/** POST /deliveries/{id}/resend */
export const resendDelivery: Handler<'resendDelivery'> = async (request, { stores, queue }) => {
  const { params, caller } = request;
  const found = await stores.deliveries.find(params.id, caller.scope);
  if (found === null) throw new AppError('not_found', 'No delivery has this id.');
  await stores.messageAllowances.take(sourcesOf(caller, found.channelId));
  const sent = await stores.deliveries.resend(params.id, caller.scope, auditActorOf(request));
  if (sent === null) throw new AppError('not_found', 'No delivery has this id.');
  if (sent === 'no_channel') throw new AppError('conflict', 'The channel of this message was deleted.');
  if (sent === 'ended_otherwise')
    throw new AppError('conflict', 'Only a message that was given up can be sent again, and no test.');
  queue.ring('notify-deliver', { deliveryId: sent.id });
  return { kind: 'json', status: 200, body: deliveryAnswer(sent) };
};

/** GET /failed-events */
export const listFailedEvents: Handler<'listFailedEvents'> = async (_request, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.failedEvents.list(mostFailedEvents)).map(failedEventAnswer),
});

/** POST /failed-events/{id}/retry */
export const retryFailedEvent: Handler<'retryFailedEvent'> = async (request, { stores, queue }) => {
  await stores.messageAllowances.take(sourcesOf(request.caller, null));
  const event = await stores.failedEvents.retry(request.params.id, auditActorOf(request));
  if (event === null) throw new AppError('not_found', 'No event that failed has this id.');
  queue.ring('notify-collect', { kind: 'events' });
  return { kind: 'json', status: 200, body: failedEventAnswer(event) };
};

/** What a message that a caller triggers is taken from. @param channelId null: it is not known, or deleted */
export function sourcesOf(caller: UserCaller, channelId: string | null): MessageSource[] {
  const user = { kind: 'user', id: accountOf(caller) } as const;
  return channelId === null ? [user] : [user, { kind: 'channel', id: channelId }];
}

function failedEventAnswer({ id, event, at, starts, error, nextTryAt, failedAt }: ShownFailure): FailedEvent {
  return {
    id,
    event,
    at: at.toISOString(),
    starts,
    error,
    next_try_at: nextTryAt?.toISOString() ?? null,
    failed_at: failedAt?.toISOString() ?? null,
  };
}

function orNull(
  delivery: StoredDelivery | null,
  wanted: (delivery: StoredDelivery) => boolean,
): StoredDelivery | null {
  return delivery !== null && wanted(delivery) ? delivery : null;
}

function unavailable(detail: string): AppError {
  return new AppError('unavailable', detail, { retryAfterSeconds: 30 });
}

/** A delivery as the contract has it. */
export function deliveryAnswer(delivery: StoredDelivery): Delivery {
  return {
    id: delivery.id,
    channel_id: delivery.channelId,
    channel_name: delivery.channelName,
    channel_kind: delivery.channelKind,
    route_name: delivery.routeName,
    event: delivery.event,
    events: delivery.items.events.map(({ id, event, subject, at, host_count }) => ({
      id,
      event,
      subject,
      at,
      host_count,
    })),
    omitted: delivery.items.omitted,
    state: delivery.state,
    created_at: delivery.createdAt.toISOString(),
    due_at: delivery.dueAt.toISOString(),
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    ended_at: delivery.endedAt?.toISOString() ?? null,
    end_reason: delivery.endReason,
    attempts: delivery.attempts.map(({ n, startedAt, endedAt, outcome, status, error }) => ({
      n,
      started_at: startedAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
      outcome,
      status,
      error,
    })),
  };
}
