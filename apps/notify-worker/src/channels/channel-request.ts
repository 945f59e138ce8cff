import type { ChannelKind } from '@plimsoll/model';
import type { Post } from '../http/post.ts';
import { chatRequest } from './chat-requests.ts';
import { ntfyRequest } from './ntfy-request.ts';
import type { Outgoing } from './outgoing.ts';
import { teamsRequest } from './teams-request.ts';
import { webhookRequest } from './webhook-request.ts';

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
