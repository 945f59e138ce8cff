import type { FeedFile } from '../feed.ts';

/** What one repository ships, as its publisher says: products of a distribution, in the distribution's words. */
export interface RepositoryProducts {
  readonly repository: string;
  /** Sorted; never empty. */
  readonly products: readonly string[];
}

/** Where it is published which products repositories ship: it tells which line of builds a host follows. */
export interface RepositoryFeed {
  readonly id: string;
  /** `id` of the distribution it speaks for. */
  readonly distribution: string;
  readonly format: 'repository-to-cpe';
  /** What people call it, for messages. */
  readonly title: string;
  readonly file: FeedFile;
  /** What the file says, which is one record. Total: any value has an answer. */
  read(record: unknown): RepositoryReading;
}

/** What the file turned out to be; repositories by name. `asOf` is how new it says it is. */
export type RepositoryReading =
  | {
      readonly kind: 'repositories';
      readonly repositories: readonly RepositoryProducts[];
      /** Names of repositories that were left out, because what stands under them is of a wrong form. */
      readonly broken: readonly string[];
      readonly asOf: Date | null;
    }
  | { readonly kind: 'rejected'; readonly reason: 'not_an_object' | 'invalid_repositories' };
