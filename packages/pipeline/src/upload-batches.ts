/** How uploads are parsed in batches: fewer and larger transactions are faster. Large uploads wait for ordinary ones. */
export const uploadBatches = { maxSize: 32, maxDelayMs: 5, longestWaitMs: 5_000 } as const;

/** How uploads are matched in batches: most of the cost of a small batch is its number of statements. */
export const matchBatches = { ...uploadBatches, maxSize: 64 } as const;
