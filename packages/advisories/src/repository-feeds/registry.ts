import { redHatRepositories } from '../distributions/rhel/repository-to-cpe.ts';
import type { RepositoryFeed } from './repository-feed.ts';

/** Every feed that says what repositories ship, one line each. */
export const repositoryFeeds: readonly RepositoryFeed[] = [redHatRepositories];
