/**
 * The stages of a sync in their order: reading lists of files, downloading files, reading their records, and storing
 * the records and matching hosts again. Feeds of an archive and its changes go through them twice.
 */
export const feedSyncStages = ['listing', 'downloading', 'reading', 'matching'] as const;

/** One of `feedSyncStages`. */
export type FeedSyncStage = (typeof feedSyncStages)[number];

/** `interrupted`: the worker of an unfinished sync does not report any more; it ended, or it lost the database. */
export const feedSyncStates = ['running', 'interrupted'] as const;

/** One of `feedSyncStates`. */
export type FeedSyncState = (typeof feedSyncStates)[number];
