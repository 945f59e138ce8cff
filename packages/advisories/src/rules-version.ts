/**
 * Counts what the rules know. Raise it with every change by which a stored package version could be judged otherwise, a
 * release have another feed or end, or a feed's file be read otherwise: the advisory-worker then judges all of them
 * again when it starts, and feeds are read again though their files did not change.
 */
export const rulesVersion = 7;
