/** The file's version as given by its source, for the next conditional request. */
export interface FeedVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What to fetch, and its known version. */
export interface FeedSource {
  readonly url: URL;
  readonly known: FeedVersion;
  /** Where to store the file. */
  readonly path: string;
  /** Size limit. Default: many times the largest feed. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}
