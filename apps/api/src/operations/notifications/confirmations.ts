import type { Channel, DeliveryStore } from '@plimsoll/db';
import { AppError, isPermittedAddress } from '@plimsoll/model';
import { hashSecret } from '../../auth/authenticate.ts';
import {
  accountOf,
  auditActorOf,
  type Origin,
  type UserCaller,
  userActor,
} from '../../auth/signed-in-user.ts';
import type { ApiServices } from '../../context.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';
import { deliveryAnswer, sourcesOf } from './deliveries.ts';
import { noChannel } from './no-channel.ts';

/** POST /channels/{id}/confirmations */
export const sendConfirmations: Handler<'sendConfirmations'> = async (request, services) => {
  const { caller, params } = request;
  const { stores } = services;
  const channel = await stores.channels.find(params.id, caller.scope);
  if (channel === null) throw noChannel();
  if (channel.unconfirmed.length === 0)
    throw new AppError('conflict', 'Every address of this channel is confirmed, or needs no confirmation.');
  await stores.messageAllowances.take([...sourcesOf(caller, channel.id), ...recipients(channel.unconfirmed)]);
  const id = await askToConfirm(channel, request, services);
  const delivery = await stores.deliveries.find(id, caller.scope);
  if (delivery === null) throw noChannel();
  return { kind: 'json', status: 200, body: deliveryAnswer(delivery) };
};

/** POST /mail-confirmations. Every token that does not confirm gets the same answer. */
export const confirmAddress: Handler<'confirmAddress'> = async (request, { stores }) => {
  const by = (address: string) => userActor(null, address, request);
  if (!(await stores.mailConfirmations.confirm(hashSecret(request.body.token), by)))
    throw new AppError('not_found', 'This link was used or replaced by a newer one, or its time is over.');
  return { kind: 'empty', status: 204 };
};

/** Throws `validation_failed` for addresses to which e-mail may not go. */
export function requirePermitted(
  addresses: readonly string[],
  { settings }: Pick<ApiServices, 'settings'>,
): void {
  const refused = addresses.flatMap((address, n) =>
    isPermittedAddress(address, settings.mailDomains)
      ? []
      : [{ pointer: `/addresses/${n}`, detail: 'is not in a domain of notifications.mail_domains' }],
  );
  if (refused.length > 0) throw validationFailed(refused);
}

/**
 * Those of the addresses that a channel gets which must confirm themselves: those of no user. Takes the mails that ask them from what the caller
 * may have sent. Throws as requirePermitted, and `rate_limited`.
 */
export async function newRecipients(
  addresses: readonly string[],
  caller: UserCaller,
  { stores, settings }: Pick<ApiServices, 'stores' | 'settings'>,
): Promise<readonly string[]> {
  requirePermitted(addresses, { settings });
  const outside = await stores.mailConfirmations.outsideAddresses(addresses);
  if (outside.length === 0) return [];
  await stores.messageAllowances.take([{ kind: 'user', id: accountOf(caller) }, ...recipients(outside)]);
  return outside;
}

/** Has the addresses of a channel asked that have not confirmed themselves. */
export async function askToConfirm(
  channel: Channel,
  request: Origin & { readonly caller: UserCaller },
  { stores, queue }: Pick<ApiServices, 'stores' | 'queue'>,
): ReturnType<DeliveryStore['addConfirmation']> {
  const deliveryId = await stores.deliveries.addConfirmation(channel, auditActorOf(request));
  queue.ring('notify-deliver', { deliveryId });
  return deliveryId;
}

function recipients(addresses: readonly string[]) {
  return addresses.map((address) => ({ kind: 'recipient', id: address.toLowerCase() }) as const);
}
