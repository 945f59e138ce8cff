import type { Channel, Delivery, Route } from '@plimsoll/contract';
import type { Tone } from '../design/badge.tsx';

/** Events that users can be told of, in the order of the form. */
export const eventWords: Readonly<Record<Route['events'][number], string>> = {
  'finding.new': 'An advisory becomes a finding on hosts',
  'finding.known_exploited': 'A finding is known to be exploited',
  'finding.due_soon': 'A finding is due within three days',
  'finding.overdue': 'A finding becomes overdue',
  'fix.reachable': 'A fix that was blocked can be installed',
  'host.enrolled': 'A host enrols',
  'host.pending': 'A host waits for approval',
  'host.stale': 'A host has an old report, or none',
  'host.back': 'A host reports again',
  'pull.failing': 'Pulls over SSH fail three times',
  'host_key.changed': 'A host shows another SSH key',
  'repository.outdated': 'Repositories of a host are outdated',
  'disagreement.jumped': 'A host disagrees far more with its package manager',
  'feed.failed': 'A feed cannot be synced',
  'feed.stale': 'The data of a feed is outdated, or it was never synced',
  'waiver.expiring': 'A waiver ends soon',
  'auth.lockout': 'An account is locked after failed sign-ins',
};

/** What a delivery contains. */
export const deliveryWords: Readonly<Record<Delivery['event'], string>> = {
  ...eventWords,
  digest: 'Digest',
  summary: 'Several events',
  bulletin: 'Report',
  test: 'Test',
  confirmation: 'Confirmation of addresses',
};

/** Kinds of channels, with what their address is. */
export const channelKindWords: Readonly<
  Record<Channel['kind'], { readonly words: string; readonly address: string }>
> = {
  webhook: { words: 'Webhook', address: 'The address that takes a POST of JSON.' },
  email: { words: 'E-mail', address: 'Addresses, with commas between them.' },
  slack: { words: 'Slack', address: 'The address of an incoming webhook of a Slack app.' },
  teams: {
    words: 'Microsoft Teams',
    address: 'The address of a workflow “Post to a channel when a webhook request is received”.',
  },
  mattermost: { words: 'Mattermost', address: 'The address of an incoming webhook.' },
  discord: { words: 'Discord', address: 'The address of a webhook of a Discord channel.' },
  ntfy: { words: 'ntfy', address: 'The address of the topic, such as https://ntfy.sh/your-topic.' },
};

/** States of deliveries, with their urgency. */
export const deliveryStateWords: Readonly<
  Record<Delivery['state'], { readonly words: string; readonly tone: Tone }>
> = {
  waiting: { words: 'Waiting', tone: 'low' },
  sending: { words: 'Sending', tone: 'low' },
  delivered: { words: 'Delivered', tone: 'good' },
  failed: { words: 'Given up', tone: 'critical' },
  cancelled: { words: 'Not sent', tone: 'neutral' },
};

/** A waiting delivery with failed attempts is not just waiting. */
export function deliveryState({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): {
  readonly words: string;
  readonly tone: Tone;
} {
  const failures = attempts.filter(({ outcome }) => outcome === 'failed').length;
  if (state === 'waiting' && failures > 0) return { words: 'Trying again', tone: 'important' };
  return deliveryStateWords[state];
}
