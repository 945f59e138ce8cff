import type { Delivery } from '@plimsoll/contract';
import type { ChannelKind, DeliveryKind, DeliveryState, NotificationEvent } from '@plimsoll/model';
import type { Label } from './word.ts';

/** Events that users can be told of, in the order of the form; `words` follow a number. */
export const eventWords: Readonly<
  Record<NotificationEvent, { readonly words: string; readonly meaning: string }>
> = {
  'finding.new': { words: 'new finding', meaning: 'An advisory becomes a finding on hosts' },
  'finding.known_exploited': {
    words: 'finding known to be exploited',
    meaning: 'A finding is known to be exploited',
  },
  'finding.due_soon': { words: 'finding due soon', meaning: 'A finding is due within three days' },
  'finding.overdue': { words: 'finding overdue', meaning: 'A finding becomes overdue' },
  'fix.reachable': { words: 'fix can be installed now', meaning: 'A fix that was blocked can be installed' },
  'host.enrolled': { words: 'host enrolled', meaning: 'A host enrols' },
  'host.pending': { words: 'host waiting for approval', meaning: 'A host waits for approval' },
  'host.stale': { words: 'host without a current report', meaning: 'A host has an old report, or none' },
  'host.back': { words: 'host reporting', meaning: 'A host reports again' },
  'pull.failing': { words: 'pulls over SSH fail', meaning: 'Pulls over SSH fail three times' },
  'host_key.changed': { words: 'SSH host key changed', meaning: 'A host shows another SSH key' },
  'repository.outdated': { words: 'repositories outdated', meaning: 'Repositories of a host are outdated' },
  'repository.failing': {
    words: 'repositories failing',
    meaning: 'A host cannot read or verify a repository',
  },
  'disagreement.jumped': {
    words: 'many more disagreements',
    meaning: 'A host disagrees far more with its package manager',
  },
  'feed.failed': { words: 'feed not synced', meaning: 'A feed cannot be synced' },
  'feed.stale': {
    words: 'feed outdated or never synced',
    meaning: 'The data of a feed is outdated, or it was never synced',
  },
  'waiver.expiring': { words: 'waiver ends soon', meaning: 'A waiver ends soon' },
  'auth.lockout': {
    words: 'too many failed sign-ins',
    meaning: 'An account is locked after failed sign-ins',
  },
};

/** What a delivery contains. */
export const deliveryWords: Readonly<Record<DeliveryKind, { readonly meaning: string }>> = {
  ...eventWords,
  digest: { meaning: 'Digest' },
  summary: { meaning: 'Several events' },
  bulletin: { meaning: 'Report' },
  test: { meaning: 'Test' },
  confirmation: { meaning: 'Confirmation of addresses' },
};

/** Kinds of channels, with what their address is. */
export const channelKindWords: Readonly<
  Record<ChannelKind, { readonly words: string; readonly address: string }>
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
const deliveryStateWords: Readonly<Record<DeliveryState, Label>> = {
  waiting: { words: 'Waiting', tone: 'low' },
  sending: { words: 'Sending', tone: 'low' },
  delivered: { words: 'Delivered', tone: 'good' },
  failed: { words: 'Given up', tone: 'critical' },
  cancelled: { words: 'Not sent', tone: 'neutral' },
};

/** A waiting delivery with failed attempts is not just waiting. */
export function deliveryState({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): Label {
  const failures = attempts.filter(({ outcome }) => outcome === 'failed').length;
  if (state === 'waiting' && failures > 0) return { words: 'Trying again', tone: 'important' };
  return deliveryStateWords[state];
}
