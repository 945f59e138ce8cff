/**
 * How exactly the state of a host at a past time is known: by the snapshot that counted then, or by the one that is kept of
 * its day or month (UTC). Packages, kernel and release are exact in every case.
 */
export const historyResolutions = ['snapshot', 'day', 'month'] as const;

/** A resolution of the past. */
export type HistoryResolution = (typeof historyResolutions)[number];
