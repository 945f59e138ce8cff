import { startOfDay } from '@plimsoll/advisories';
import { groupBy, type HostId, type HostScope, type StatementDates } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot } from '../../core/database.ts';
import { datesOfStatements } from '../../knowledge/statement-dates.ts';
import { appliesTo } from '../counting/host-terms.ts';
import { loadDueTerms } from '../due/host-due-terms.ts';
import { exposuresToCve, hostsExposedTo } from '../exposures/cve-exposures.ts';
import { type HostExposure, newestFirst } from '../exposures/host-exposures.ts';
import { readExposures } from '../exposures/read-exposures.ts';
import { SharedRows } from '../exposures/shared-rows.ts';
import { isSilentBySql } from '../exposures/silent-hosts.ts';
import { readPastContents, readWaiverSpans, WaiverHistory } from '../exposures/waiver-history.ts';
import { loadHistoryStart } from '../history/history-retention.ts';
import type { TagLists } from '../summary/tag-combinations.ts';
import { type JudgedExposure, judgeExposures } from './judge-exposures.ts';

/** The time that evidence is about. `now` is at or after `to`. */
export interface EvidencePeriod {
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
}

/** What is known of one host in a period. */
export interface HostEvidence {
  /** Null: it had no matched snapshot yet. */
  readonly firstSnapshotAt: Date | null;
  /** When its content was last received or confirmed, until now. */
  readonly confirmedAt: Date | null;
  /** Whether what it had at the end was neither received nor confirmed since the start. */
  readonly isSilent: boolean;
  /** Those that went on in the period, the newest first. */
  readonly exposures: readonly JudgedExposure[];
}

/** What limits all evidence of a period. */
export interface EvidenceBounds {
  /** The start of the history; null: nothing was dropped. */
  readonly historyFrom: Date | null;
  /** Hosts that were deleted since the start of the period, as far as the audit log goes back; null: not for this reader. */
  readonly deletedHosts: number | null;
  /** The oldest entry of the audit log; null: it is empty. */
  readonly auditFrom: Date | null;
}

/** Reads what evidence packs contain. */
export interface EvidenceStore {
  bounds(scope: HostScope, period: EvidencePeriod): Promise<EvidenceBounds>;
  /**
   * The evidence of some hosts, all as of one state of the database. A deleted host is missing.
   * @param cve only exposures to this CVE, and only hosts with any; null: all
   */
  ofHosts(
    hosts: readonly HostId[],
    period: EvidencePeriod,
    cve: string | null,
  ): Promise<ReadonlyMap<HostId, HostEvidence>>;
  /** The approved hosts that were exposed to a CVE in the period, by display name. */
  exposedTo(cve: string, period: EvidencePeriod, tags: TagLists): Promise<readonly HostId[]>;
}

/** The evidence of one database. Severity `none` is left out, as in all totals. */
export function createEvidenceStore({ pool }: Pick<Database, 'pool'>): EvidenceStore {
  const atOnce = <T>(read: (tx: pg.PoolClient) => Promise<T>): Promise<T> => inPgSnapshot(pool, read);
  return {
    async bounds(scope, { from }) {
      const { rows } = await pool.query<Omit<EvidenceBounds, 'historyFrom'>>(
        `SELECT (SELECT count(*)::int FROM audit_events WHERE action = 'host.deleted' AND at >= $1) AS "deletedHosts",
           (SELECT at FROM audit_events ORDER BY id LIMIT 1) AS "auditFrom"`,
        [from],
      );
      const [row = { deletedHosts: 0, auditFrom: null }] = rows;
      const deletedHosts = scope.kind === 'whole_fleet' ? row.deletedHosts : null;
      return { ...row, deletedHosts, historyFrom: await loadHistoryStart(pool) };
    },
    ofHosts: (hosts, period, cve) =>
      atOnce(async (tx) => {
        const rows = new SharedRows(tx);
        const isKept = keptSince(await loadHistoryStart(tx));
        const filter = { ...filterOf(period), isKept };
        const toCve = cve === null ? null : await exposuresToCve(rows, cve, hosts, filter);
        const found = new Map<HostId, readonly HostExposure[]>();
        for (const hostId of hosts) {
          const all = toCve === null ? await readExposures(rows, hostId, filter) : toCve.get(hostId);
          if (toCve === null || all !== undefined)
            found.set(hostId, (all ?? []).filter(isKept).toSorted(newestFirst));
        }
        return judgeHosts(tx, found, period);
      }),
    exposedTo: (cve, period, tags) =>
      atOnce(async (tx) => {
        const isKept = keptSince(await loadHistoryStart(tx));
        return hostsExposedTo(tx, cve, { ...filterOf(period), isKept }, tags);
      }),
  };
}

function filterOf({ from, to }: EvidencePeriod) {
  return { from, to, severity: null, open: null } as const;
}

/** What ended before the start of the history is only known in part. */
function keptSince(historyFrom: Date | null): (exposure: { readonly until: Date | null }) => boolean {
  return ({ until }) => historyFrom === null || until === null || until >= historyFrom;
}

interface HostRow {
  readonly id: HostId;
  readonly tags: readonly string[];
  readonly firstSnapshotAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly isSilent: boolean;
}

async function judgeHosts(
  tx: pg.PoolClient,
  found: ReadonlyMap<HostId, readonly HostExposure[]>,
  { from, to, now }: EvidencePeriod,
): Promise<ReadonlyMap<HostId, HostEvidence>> {
  const ids = [...found.keys()];
  const { rows: hosts } = await tx.query<HostRow>(
    `SELECT h.id, h.tags, hs.first_snapshot_at AS "firstSnapshotAt", c.last_confirmed_at AS "confirmedAt",
       ${isSilentBySql} AS "isSilent"
     FROM hosts h LEFT JOIN host_state hs ON hs.host_id = h.id LEFT JOIN host_contacts c ON c.host_id = h.id
     WHERE h.id = ANY($4::uuid[])`,
    [from, to, now, ids],
  );
  const due = await loadDueTerms(tx, ids);
  const waivers = await readWaiverSpans(tx, { from, to });
  const exposed = [...found.values()].flat();
  const pastContents = await readPastContents(tx, exposed, waivers);
  const dates = await datesOf(tx, exposed);
  return new Map(
    hosts.map(({ id, tags, ...host }) => {
      const terms = {
        due: due?.byHost.get(id)?.terms ?? null,
        firstReportAt: startOfDay(host.firstSnapshotAt?.getTime() ?? 0),
        waivers: new WaiverHistory(
          waivers.filter((one) => appliesTo(one, id, tags)),
          pastContents,
        ),
        end: to < now ? to : now,
      };
      const exposures = judgeExposures(
        found.get(id) ?? [],
        terms,
        (statement) => dates.get(statement) ?? null,
      );
      return [id, { ...host, exposures }];
    }),
  );
}

/** The dates of statements by their number; those that are gone have none. */
async function datesOf(
  tx: pg.PoolClient,
  exposures: readonly HostExposure[],
): Promise<ReadonlyMap<number, StatementDates>> {
  const wanted = [...groupBy(exposures, ({ statementId }) => statementId)].map(([statementId, some]) => ({
    statementId,
    isFixed: some.some(({ fixedVersion }) => fixedVersion !== null),
    cves: [...new Set(some.flatMap(({ cves }) => cves))],
  }));
  return datesOfStatements(tx, wanted);
}
