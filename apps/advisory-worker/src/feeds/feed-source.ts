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
  /**
   * Whether what is fetched stays for the next sync if this one does not end. A note beside the file then has its
   * version, and a later fetch continues it. Default: false.
   */
  readonly isKept?: boolean;
}
