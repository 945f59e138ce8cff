import { redHatRepositories } from '../distributions/rhel/repository-to-cpe.ts';
import type { FeedKindDefinition } from '../feeds/feed.ts';
import type { RepositoryFeed } from '../feeds/repositories/repository-feed.ts';

/** Feeds of the products that repositories ship. */
export const repositoryKind: FeedKindDefinition<'repositories', RepositoryFeed> = {
  feeds: [redHatRepositories],
  formats: { 'repository-to-cpe': { jsonFields: ['data'] } },
};
