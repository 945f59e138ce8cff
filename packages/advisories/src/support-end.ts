import type { Lifecycle, Release, Subscription } from '@plimsoll/model';
import { distributionOf } from './registry.ts';

/**
 * The end of all support of a host's release, including what its subscription adds; null if unknown. A disabled
 * service adds nothing. `published` is a feed's lifecycle of the release; it takes precedence over the built-in table;
 * null without such a feed.
 */
export function supportEndOf(
  release: Release,
  subscription: Subscription | null,
  published: Lifecycle | null = null,
): Date | null {
  const distribution = distributionOf(release);
  const lifecycle = published ?? distribution?.lifecycleOf(release) ?? null;
  if (distribution === null || lifecycle === null) return null;
  const ends = (lifecycle.extended ?? [])
    .filter(({ service }) => distribution.hasService(subscription, service))
    .map(({ endsAt }) => endsAt);
  return [lifecycle.endsAt, ...ends].reduce((a, b) => (a >= b ? a : b));
}
