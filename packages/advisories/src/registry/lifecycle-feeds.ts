import { debianLifecycles } from '../distributions/debian/lifecycle-feed.ts';
import { fedoraLifecycles } from '../distributions/fedora/lifecycle-feed.ts';
import { ubuntuLifecycles } from '../distributions/ubuntu/lifecycle-feed.ts';
import type { FeedKindDefinition } from '../feeds/feed.ts';
import type { LifecycleFeed } from '../feeds/lifecycles/lifecycle-feed.ts';

/** Feeds of support periods. */
export const lifecycleKind: FeedKindDefinition<'lifecycles', LifecycleFeed> = {
  feeds: [debianLifecycles, ubuntuLifecycles, fedoraLifecycles],
  formats: { lifecycles: { jsonFields: [] }, 'bodhi-releases': { jsonFields: ['id_prefix'] } },
};
