/** Everything that users can be notified of, as `noun.what`; a closed list. */
export const notificationEvents = [
  'finding.new',
  'finding.known_exploited',
  'finding.due_soon',
  'finding.overdue',
  'fix.reachable',
  'host.enrolled',
  'host.pending',
  'host.stale',
  'host.back',
  'pull.failing',
  'host_key.changed',
  'repository.outdated',
  'repository.failing',
  'disagreement.jumped',
  'feed.failed',
  'feed.stale',
  'waiver.expiring',
  'auth.lockout',
] as const;

/** One of `notificationEvents`. */
export type NotificationEvent = (typeof notificationEvents)[number];

/** Events about the whole installation: never sent to channels that are limited to hosts with some tags. */
export const fleetEvents: readonly NotificationEvent[] = ['auth.lockout', 'waiver.expiring'];

/** Kinds of channels. */
export const channelKinds = ['webhook', 'slack', 'teams', 'mattermost', 'discord', 'ntfy', 'email'] as const;

/** One of `channelKinds`. */
export type ChannelKind = (typeof channelKinds)[number];

/**
 * `waiting`: for its time, or for the next attempt. `sending`: an attempt runs. `delivered`: the channel accepted it.
 * `failed`: given up. `cancelled`: what it is about was over, or its channel was paused or deleted.
 */
export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed', 'cancelled'] as const;

/** One of `deliveryStates`. */
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * What a delivery contains: one event, the events of a digest, many events at once, a bulletin, a test of the channel, or requests to
 * addresses of e-mail to confirm themselves.
 */
export type DeliveryKind = NotificationEvent | 'digest' | 'summary' | 'bulletin' | 'test' | 'confirmation';

/** Milliseconds for which a secret that was replaced still signs. */
export const previousSecretMs = 24 * 60 * 60 * 1000;

/** The associated data with which a part of a channel is sealed: a box copied to another channel or part does not open. */
export function channelBox(channelId: string, part: 'url' | 'secret'): string {
  return `${part} of notification channel ${channelId}`;
}
