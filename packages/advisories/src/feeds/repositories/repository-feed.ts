import type { FeedOf } from '../feed.ts';

/** The products that one repository ships, as its publisher names them. */
export interface RepositoryProducts {
  readonly repository: string;
  /** Sorted; never empty. */
  readonly products: readonly string[];
}

/** A feed of the products that repositories ship; they show which build line a host follows. A file is one record. */
export interface RepositoryFeed extends FeedOf<'repositories', RepositoryProducts> {
  readonly distribution: string;
}
