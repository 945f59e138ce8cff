import { debianLifecycles } from '../../distributions/debian/lifecycle-feed.ts';
import { ubuntuLifecycles } from '../../distributions/ubuntu/lifecycle-feed.ts';
import type { FeedKindDefinition } from '../feed.ts';
import type { LifecycleFeed } from './lifecycle-feed.ts';

/** Feeds of support periods. */
export const lifecycleKind: FeedKindDefinition<'lifecycles', LifecycleFeed> = {
  feeds: [debianLifecycles, ubuntuLifecycles],
  formats: { lifecycles: { jsonFields: [] } },
};
