import { redHatRepositories } from '../../distributions/rhel/repository-to-cpe.ts';
import type { FeedKindDefinition } from '../feed.ts';
import type { RepositoryFeed } from './repository-feed.ts';

/** Feeds of the products that repositories ship. */
export const repositoryKind: FeedKindDefinition<'repositories', RepositoryFeed> = {
  feeds: [redHatRepositories],
  formats: { 'repository-to-cpe': { jsonFields: ['data'] } },
};
