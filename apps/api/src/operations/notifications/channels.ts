import type { Channel } from '@plimsoll/contract';
import { type ChannelStore, newId, type SealedText, type Channel as StoredChannel } from '@plimsoll/db';
import {
  AppError,
  type ChannelId,
  channelBox,
  type HostScope,
  scopeOfTags,
  tagsOfScope,
} from '@plimsoll/model';
import { SecretsError, seal, sealingPublicKey } from '@plimsoll/secrets';
import { auditActorOf, nameOf } from '../../auth/signed-in-user.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';
import { askToConfirm, newRecipients, requirePermitted } from './confirmations.ts';
import { noChannel } from './no-channel.ts';

/** GET /channels */
export const listChannels: Handler<'listChannels'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.channels.list(caller.scope)).map(channelAnswer),
});

/** POST /channels */
export const createChannel: Handler<'createChannel'> = async (request, services) => {
  const { stores } = services;
  const { body, caller } = request;
  const { name, kind, url, addresses = [], secret } = body;
  if (secret !== undefined) requireAdmin(caller.role);
  const unconfirmed = await newRecipients(addresses, caller, services);
  const id = newId<ChannelId>();
  const sealText = await sealerOf(stores.channels, id);
  const channel = await stores.channels.create(
    {
      id,
      name,
      kind,
      shownUrl: url === undefined ? null : shownChannelUrl(url),
      addresses,
      unconfirmed,
      scope: channelScope(caller.scope, body.tags),
      createdBy: nameOf(caller),
      sealedUrl: url === undefined ? null : sealText(url, 'url'),
      sealedSecret: secret === undefined ? null : sealText(secret, 'secret'),
    },
    auditActorOf(request),
  );
  if (unconfirmed.length > 0) await askToConfirm(channel, request, services);
  return { kind: 'json', status: 201, body: channelAnswer(channel) };
};

/** PATCH /channels/{id} */
export const updateChannel: Handler<'updateChannel'> = async (request, services) => {
  const { stores } = services;
  const { params, body, caller } = request;
  const { name, url, addresses, secret, paused } = body;
  const before = await stores.channels.find(params.id, caller.scope);
  if (before === null) throw noChannel();
  requireFitting(before, body);
  // An operator could otherwise have a secret sent to a server of its own.
  if (secret !== undefined || (url !== undefined && before.hasSecret)) requireAdmin(caller.role);
  if (addresses !== undefined) requirePermitted(addresses, services);
  const added = addresses?.filter((address) => !before.addresses.includes(address)) ?? [];
  const outside = await newRecipients(added, caller, services);
  const sealText = url == null && secret == null ? null : await sealerOf(stores.channels, before.id);
  const changed = await stores.channels.change(
    before.id,
    caller.scope,
    {
      ...(name === undefined ? {} : { name }),
      ...(addresses === undefined ? {} : { addresses, outside }),
      ...(paused === undefined ? {} : { paused }),
      ...(url === undefined || sealText === null
        ? {}
        : { url: { shown: shownChannelUrl(url), sealed: sealText(url, 'url') } }),
      ...(secret === undefined
        ? {}
        : { sealedSecret: secret === null || sealText === null ? null : sealText(secret, 'secret') }),
    },
    auditActorOf(request),
  );
  if (changed === null) throw noChannel();
  if (outside.length > 0) await askToConfirm(changed, request, services);
  return { kind: 'json', status: 200, body: channelAnswer(changed) };
};

/** DELETE /channels/{id} */
export const deleteChannel: Handler<'deleteChannel'> = async (request, { stores }) => {
  const { params, caller } = request;
  if (!(await stores.channels.remove(params.id, caller.scope, auditActorOf(request)))) throw noChannel();
  return { kind: 'empty', status: 204 };
};

function requireAdmin(role: string): void {
  if (role === 'admin') return;
  throw new AppError(
    'forbidden',
    'Only an admin sets or replaces the secret of a channel, or the address of a channel with a secret.',
  );
}

/** Throws `validation_failed` for fields that are not of the channel's kind. */
function requireFitting(
  { kind }: StoredChannel,
  { url, addresses, secret }: Parameters<typeof updateChannel>[0]['body'],
): void {
  const isMail = kind === 'email';
  if (url !== undefined && isMail) throw validationFailed([{ pointer: '/url', detail: 'is not for e-mail' }]);
  if (addresses !== undefined && !isMail)
    throw validationFailed([{ pointer: '/addresses', detail: 'are for e-mail only' }]);
  if (secret != null && kind !== 'webhook' && kind !== 'ntfy')
    throw validationFailed([{ pointer: '/secret', detail: 'is for webhook and ntfy only' }]);
}

/** The hosts that a new channel may be told about. Throws `forbidden` for tags beyond the caller's. */
function channelScope(caller: HostScope, tags: readonly string[] | null): HostScope {
  if (tags === null) return caller;
  if (caller.kind === 'tagged' && !tags.every((tag) => caller.tags.includes(tag)))
    throw new AppError('forbidden', 'A channel can only have tags that its user is limited to.');
  return scopeOfTags(tags);
}

/** Of most services the path gives access: of chats, of flows behind a webhook, of topics of ntfy. */
function shownChannelUrl(url: string): string {
  return new URL(url).origin;
}

/** Seals parts of a channel. Throws `unavailable` if there is no key yet. */
async function sealerOf(
  channels: Pick<ChannelStore, 'sealingKey'>,
  id: ChannelId,
): Promise<(text: string, part: 'url' | 'secret') => SealedText> {
  const bytes = await channels.sealingKey();
  if (bytes === null)
    throw unavailable(
      'No notify-worker has started yet. Start one first: it makes the key that encrypts addresses and secrets.',
    );
  return (text, part) => {
    try {
      return new Uint8Array(seal(sealingPublicKey(bytes), Buffer.from(text, 'utf8'), channelBox(id, part)));
    } catch (cause) {
      if (!(cause instanceof SecretsError)) throw cause;
      throw unavailable('The key of the notify-worker cannot be used. The log says why.', cause);
    }
  };
}

function unavailable(detail: string, cause?: unknown): AppError {
  return new AppError('unavailable', detail, { cause, retryAfterSeconds: 30 });
}

function channelAnswer(channel: StoredChannel): Channel {
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    url: channel.shownUrl,
    addresses: [...channel.addresses],
    unconfirmed: [...channel.unconfirmed],
    has_secret: channel.hasSecret,
    previous_secret_until: channel.previousSecretUntil?.toISOString() ?? null,
    paused: channel.pausedAt !== null,
    tags: tagsOfScope(channel.scope),
    created_by: channel.createdBy,
    created_at: channel.createdAt.toISOString(),
  };
}
