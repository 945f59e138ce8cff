import { type AdvisoryRecord, judgeSilence, type SilentHosts } from '@plimsoll/db';

/** The number of approved hosts that the records of an advisory cannot judge; see judgeSilence. */
export function countUnjudged(silent: readonly SilentHosts[], records: readonly AdvisoryRecord[]): number {
  const reasonOf = judgeSilence(records);
  return silent.filter((host) => reasonOf(host) !== null).reduce((sum, { hosts }) => sum + hosts, 0);
}
