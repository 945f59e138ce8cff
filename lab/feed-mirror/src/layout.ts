import type { ContentStore, StoredContent } from './content/content-store.ts';

/** A publisher's file or redirect at one public address. */
export type ServedFile =
  | {
      readonly url: string;
      readonly content: StoredContent;
      /**
       * A mirror's content in its place; default: the same. A mirror has a list that the publisher splits
       * into pages as one file.
       */
      readonly mirrored?: StoredContent;
    }
  | { readonly url: string; readonly redirectTo: string };

/** The size of the generated feeds. */
export interface Volume {
  /** Records of each file. */
  readonly records: number;
  /** Characters of prose in each record. */
  readonly proseCharacters: number;
}

/** The environment of a layout. */
export interface LayoutContext {
  readonly volume: Volume;
  readonly store: ContentStore;
}

/** How one publisher lays out one feed. */
export interface FeedLayout {
  readonly feedId: string;
  /** The publisher's files at their public addresses. */
  files(context: LayoutContext): readonly ServedFile[] | Promise<readonly ServedFile[]>;
}
