import type { HostId } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot, isUuid } from '../../core/database.ts';
import { loadHistoryStart } from '../history/history-retention.ts';
import type { TagLists } from '../summary/tag-combinations.ts';
import { type CvePlace, exposuresOfCve } from './cve-exposures.ts';
import { type CveProgress, progressOfCve } from './cve-progress.ts';
import { type ExposureFilter, type HostExposure, newestFirst } from './host-exposures.ts';
import { readExposures } from './read-exposures.ts';
import { SharedRows } from './shared-rows.ts';

/** Exposures, and since when they are complete. */
export interface ExposureList {
  /** The newest first. None ended before the start of the history. */
  readonly exposures: readonly HostExposure[];
  /** The start of the history; null: nothing was dropped. */
  readonly historyFrom: Date | null;
}

/** A page of the exposures of all hosts to one CVE. */
export interface CveExposurePage extends ExposureList {
  /** The exposures of all pages. */
  readonly total: number;
}

/** From when to when hosts were exposed to what. Each call reads one state of the database. */
export interface ExposureStore {
  /** The exposures of a host; none before its first snapshot. */
  ofHost(hostId: string, filter: ExposureFilter): Promise<ExposureList>;
  /**
   * The exposures of approved hosts to a CVE: those of which the CVE was open on the package. Of hosts with a tag of
   * each list. The newest first, then by host; up to `limit` after a place.
   */
  ofCve(
    cve: string,
    filter: ExposureFilter,
    page: { readonly limit: number; readonly after: CvePlace | null; readonly tags: TagLists },
  ): Promise<CveExposurePage>;
  /** How many approved hosts with a tag of each list were exposed to a CVE since its publication. */
  progressOfCve(
    cve: string,
    asked: { readonly publishedAt: Date | null; readonly tags: TagLists; readonly now: Date },
  ): Promise<CveProgress>;
}

/** The exposures of one database. */
export function createExposureStore({ pool }: Database): ExposureStore {
  const atOnce = <T>(read: (tx: pg.PoolClient) => Promise<T>): Promise<T> => inPgSnapshot(pool, read);
  return {
    async ofHost(hostId, filter) {
      if (!isUuid(hostId)) return { exposures: [], historyFrom: null };
      return atOnce(async (tx) => {
        const historyFrom = await loadHistoryStart(tx);
        // A UUID, checked above.
        const exposures = (await readExposures(new SharedRows(tx), hostId as HostId, filter)) ?? [];
        return { exposures: exposures.filter(endsSince(historyFrom)).toSorted(newestFirst), historyFrom };
      });
    },
    ofCve: (cve, filter, page) =>
      atOnce(async (tx) => {
        const historyFrom = await loadHistoryStart(tx);
        const since = { ...filter, isKept: endsSince(historyFrom) };
        return { ...(await exposuresOfCve(tx, cve, since, page)), historyFrom };
      }),
    progressOfCve: (cve, asked) => atOnce((tx) => progressOfCve(tx, cve, asked)),
  };
}

/** Whether an exposure did not end before the start of the history. */
function endsSince(historyFrom: Date | null): (exposure: { readonly until: Date | null }) => boolean {
  return ({ until }) => historyFrom === null || until === null || until >= historyFrom;
}
