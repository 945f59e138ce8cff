/** How both stages batch uploads: fewer and larger transactions are faster. Large uploads wait for ordinary ones. */
export const uploadBatches = { maxSize: 16, maxDelayMs: 5, longestWaitMs: 5_000 } as const;
