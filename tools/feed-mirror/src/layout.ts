import type { ContentStore, StoredContent } from './content/content-store.ts';

/** What a publisher has at one public address: a file, or a redirect. */
export type ServedFile =
  | {
      readonly url: string;
      readonly content: StoredContent;
      /** What a mirror has in its place; default: the content. A mirror has a list that the publisher pages as one file. */
      readonly mirrored?: StoredContent;
    }
  | { readonly url: string; readonly redirectTo: string };

/** How much the generated feeds hold. */
export interface Volume {
  /** Records of each file. */
  readonly records: number;
  /** Characters of prose in each record. */
  readonly proseCharacters: number;
}

/** What a layout may use. */
export interface LayoutContext {
  readonly volume: Volume;
  readonly store: ContentStore;
}

/** How one publisher lays out one feed. */
export interface FeedLayout {
  readonly feedId: string;
  /** The publisher's files at their public addresses. */
  files(context: LayoutContext): readonly ServedFile[];
}
