import type { Lifecycle, Release, Subscription } from '@plimsoll/model';
import { distributionOf } from './registry.ts';

/**
 * The first moment at which nobody supports a host of a release any more, what its subscription adds included; null where
 * that is not known. A service that is not enabled adds nothing. `published` is what a feed says of the release, which goes
 * before what this version of the product knows; null where none does.
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
