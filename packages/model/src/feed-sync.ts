/**
 * The stages of a sync in order: reading lists of files, downloading files, reading their records, and
 * storing the records and matching hosts again. A feed with an archive and changes goes through them twice.
 */
export const feedSyncStages = ['listing', 'downloading', 'reading', 'matching'] as const;

/** One of `feedSyncStages`. */
export type FeedSyncStage = (typeof feedSyncStages)[number];

/** `interrupted`: the worker of an unfinished sync no longer reports; it ended, or lost the database. */
export const feedSyncStates = ['running', 'interrupted'] as const;

/** One of `feedSyncStates`. */
export type FeedSyncState = (typeof feedSyncStates)[number];
