import type { ChannelKind } from '@plimsoll/model';
import type { Post } from '../http/post.ts';
import type { Message } from '../messages/message.ts';
import { chatRequest } from './chat-requests.ts';
import { ntfyRequest } from './ntfy-request.ts';
import { teamsRequest } from './teams-request.ts';
import { webhookRequest } from './webhook-request.ts';

/** A message on its way to a channel that takes requests. */
export interface Outgoing {
  readonly deliveryId: string;
  readonly url: URL;
  readonly secret: string | null;
  /** The secret before a rotation, while it is valid. */
  readonly previousSecret: string | null;
  readonly message: Message;
  readonly now: Date;
}

/** The request that carries a message to a channel of a kind. */
export function channelRequest(kind: Exclude<ChannelKind, 'email'>, outgoing: Outgoing): Post {
  switch (kind) {
    case 'webhook':
      return webhookRequest(outgoing);
    case 'slack':
    case 'mattermost':
    case 'discord':
      return chatRequest(kind, outgoing);
    case 'teams':
      return teamsRequest(outgoing);
    case 'ntfy':
      return ntfyRequest(outgoing);
    default:
      return kind satisfies never;
  }
}
