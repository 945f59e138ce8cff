/**
 * Version of the matching rules. Raise it with every change after which a stored package version could be judged
 * differently, a release could get another feed or end, or a feed's file could be read differently. At its next start
 * the advisory-worker then judges all package versions again, and unchanged feed files are read again.
 */
export const rulesVersion = 21;
