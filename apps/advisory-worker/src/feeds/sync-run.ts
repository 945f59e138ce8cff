/** The parameters of a sync. */
export interface SyncRun {
  /** An empty folder for fetched files. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Whether no further attempt follows. */
  readonly lastAttempt: boolean;
}
