import { debianLifecycles } from '../../distributions/debian/lifecycle-feed.ts';
import { ubuntuLifecycles } from '../../distributions/ubuntu/lifecycle-feed.ts';
import type { FeedKindDefinition } from '../feed.ts';
import type { LifecycleFeed } from './lifecycle-feed.ts';

/** Feeds of how long releases are supported. */
export const lifecycleKind: FeedKindDefinition<'lifecycles', LifecycleFeed> = {
  feeds: [debianLifecycles, ubuntuLifecycles],
  formats: { lifecycles: { jsonFields: [] } },
};
