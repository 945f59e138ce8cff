import type { Bulletin } from '@plimsoll/contract';
import { newId, type Bulletin as StoredBulletin } from '@plimsoll/db';
import {
  AppError,
  type BulletinId,
  type ChannelId,
  type HostGroupId,
  isPermittedAddress,
} from '@plimsoll/model';
import { auditActorOf, type SignedInUser } from '../../auth/signed-in-user.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { ApiStores } from '../../stores.ts';
import { given } from '../given.ts';
import { deliveryAnswer, sourcesOf } from '../notifications/deliveries.ts';
import { noChannel } from '../notifications/no-channel.ts';
import type { Handler } from '../operation-request.ts';

/** GET /bulletins */
export const listBulletins: Handler<'listBulletins'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.bulletins.list(caller.scope)).map(bulletinAnswer),
});

/** POST /bulletins */
export const createBulletin: Handler<'createBulletin'> = async (request, { stores, settings }) => {
  const { body, caller } = request;
  const channel = await stores.channels.find(body.channel_id, caller.scope);
  if (channel === null) throw noChannel();
  if (channel.kind !== 'email')
    throw validationFailed([{ pointer: '/channel_id', detail: 'must be a channel for e-mail' }]);
  if (!channel.addresses.every((address) => isPermittedAddress(address, settings.mailDomains)))
    throw validationFailed([
      {
        pointer: '/channel_id',
        detail: 'has an address outside of notifications.mail_domains: change it first',
      },
    ]);
  await requireGroup(stores, body.group_id, caller);
  const bulletin = await stores.bulletins.create(
    {
      id: newId<BulletinId>(),
      name: body.name,
      // The contract has checked their forms.
      channelId: body.channel_id as ChannelId,
      groupId: body.group_id as HostGroupId | null,
      ownerId: caller.user.id,
      scope: caller.scope,
      tag: body.tag,
      every: body.every,
      weekday: body.weekday,
      day: body.day,
      at: body.at,
      timeZone: body.time_zone,
      createdBy: caller.user.email,
    },
    caller.scope,
    auditActorOf(request),
  );
  if (bulletin === null) throw noChannel();
  return { kind: 'json', status: 201, body: bulletinAnswer(bulletin) };
};

/** PATCH /bulletins/{id} */
export const updateBulletin: Handler<'updateBulletin'> = async (request, { stores }) => {
  const { params, body, caller } = request;
  const { name, group_id: group, tag, every, weekday, day, at, time_zone: timeZone, paused } = body;
  const before = await stores.bulletins.find(params.id, caller.scope);
  if (before === null) throw noBulletin();
  // What it is about is a question of the maker's own groups.
  if ((group !== undefined || tag !== undefined) && before.ownerId !== caller.user.id)
    throw new AppError('forbidden', 'Only the user who made a report changes what it is about.');
  await requireGroup(stores, group ?? null, caller);
  const changed = await stores.bulletins.change(
    params.id,
    caller.scope,
    { ...given({ name, every, weekday, day, at, timeZone, paused }), ...selectionOf(group, tag) },
    auditActorOf(request),
  );
  if (changed === null) throw noBulletin();
  return { kind: 'json', status: 200, body: bulletinAnswer(changed) };
};

/** DELETE /bulletins/{id} */
export const deleteBulletin: Handler<'deleteBulletin'> = async (request, { stores }) => {
  const { params, caller } = request;
  if (!(await stores.bulletins.remove(params.id, caller.scope, auditActorOf(request)))) throw noBulletin();
  return { kind: 'empty', status: 204 };
};

/** POST /bulletins/{id}/send */
export const sendBulletin: Handler<'sendBulletin'> = async (request, { stores, queue }) => {
  const { params, caller } = request;
  const bulletin = await stores.bulletins.find(params.id, caller.scope);
  if (bulletin === null) throw noBulletin();
  await stores.messageAllowances.take([
    ...sourcesOf(caller, bulletin.channelId),
    { kind: 'bulletin', id: bulletin.id },
  ]);
  const deliveryId = await stores.bulletins.send(params.id, caller.scope, auditActorOf(request));
  const delivery = deliveryId === null ? null : await stores.deliveries.find(deliveryId, caller.scope);
  if (deliveryId === null || delivery === null) throw noBulletin();
  queue.ring('notify-deliver', { deliveryId });
  return { kind: 'json', status: 200, body: deliveryAnswer(delivery) };
};

/** The error for an id without a report that the caller may see. */
export function noBulletin(): AppError {
  return new AppError('not_found', 'No report by mail has this id.');
}

async function requireGroup(
  stores: ApiStores,
  id: string | null,
  { user, scope }: SignedInUser,
): Promise<void> {
  if (id === null || (await stores.groups.find(id, { person: user.id, scope })) !== null) return;
  throw validationFailed([{ pointer: '/group_id', detail: 'must be a group that you see' }]);
}

/** The hosts of a group or those with a tag, never both; null for both: all. */
function selectionOf(group: string | null | undefined, tag: string | null | undefined) {
  // The contract has checked the form of ids.
  if (group != null) return { groupId: group as HostGroupId, tag: null };
  if (tag != null) return { groupId: null, tag };
  return { ...(group === null ? { groupId: null } : {}), ...(tag === null ? { tag: null } : {}) };
}

function bulletinAnswer(bulletin: StoredBulletin): Bulletin {
  return {
    id: bulletin.id,
    name: bulletin.name,
    channel_id: bulletin.channelId,
    group_id: bulletin.groupId,
    tag: bulletin.tag,
    every: bulletin.every,
    weekday: bulletin.weekday,
    day: bulletin.day,
    at: bulletin.at,
    time_zone: bulletin.timeZone,
    paused: bulletin.pausedAt !== null,
    next_at: bulletin.nextAt?.toISOString() ?? null,
    last_at: bulletin.lastAt?.toISOString() ?? null,
    created_by: bulletin.createdBy,
    created_at: bulletin.createdAt.toISOString(),
  };
}
