/** The parameters of a sync. */
export interface SyncRun {
  /** Aborts with the job, and with TookTooLong. */
  readonly signal: AbortSignal;
  /** Whether no further attempt follows. */
  readonly lastAttempt: boolean;
}
