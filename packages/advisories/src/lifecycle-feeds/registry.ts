import { debianLifecycles } from '../distributions/debian/lifecycle-feed.ts';
import { ubuntuLifecycles } from '../distributions/ubuntu/lifecycle-feed.ts';
import type { LifecycleFeed } from './lifecycle-feed.ts';

/** Every feed of how long releases are supported, one line each. */
export const lifecycleFeeds: readonly LifecycleFeed[] = [debianLifecycles, ubuntuLifecycles];
