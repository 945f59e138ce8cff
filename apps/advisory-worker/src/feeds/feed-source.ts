/** What the source said of what it gave, to ask "anything newer?" with next time. */
export interface FeedVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What to fetch, and what is known of it. */
export interface FeedSource {
  readonly url: URL;
  readonly known: FeedVersion;
  /** Where the file goes. */
  readonly path: string;
  /** The most it may have. Left out: what the largest feed has many times over. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}
