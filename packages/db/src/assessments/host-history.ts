import { matchVersion } from '@plimsoll/advisories';
import type { PackageVersionId, Statement, UploadId } from '@plimsoll/model';
import { type Database, isUuid } from '../database.ts';
import { loadJudgedCves, loadStatementsOf } from '../matching/statements.ts';
import { completeHost, type HostToAssess, type StateRow, stateColumns } from './stored-host.ts';

/** Selects a host's snapshot: the newest received by a time, one by its id, or the first. */
export type SnapshotChoice =
  | { readonly kind: 'at'; readonly at: Date }
  | { readonly kind: 'snapshot'; readonly id: string }
  | { readonly kind: 'first' };

/** A host as of one of its snapshots, with the current advisories. */
export interface HostThen {
  readonly snapshotId: UploadId;
  readonly receivedAt: Date;
  readonly host: HostToAssess;
}

/** Hosts as of earlier snapshots. */
export interface HostHistory {
  /** Null if the host has no such snapshot. */
  find(hostId: string, choice: SnapshotChoice): Promise<HostThen | null>;
  /**
   * By package version: statements of advisories that were withdrawn after the start of a time span and until its end,
   * and that would otherwise affect a host's packages.
   */
  withdrawn(
    host: HostToAssess,
    span: { readonly after: Date; readonly until: Date },
  ): Promise<ReadonlyMap<PackageVersionId, readonly Statement[]>>;
}

/** The host history of one database. */
export function createHostHistory({ pool }: Database): HostHistory {
  return {
    async find(hostId, choice) {
      if (!isUuid(hostId) || (choice.kind === 'snapshot' && !isUuid(choice.id))) return null;
      const [condition, value] = conditionOf(choice);
      const { rows } = await pool.query<StateRow & { receivedAt: Date }>(
        `SELECT ${stateColumns}, s.received_at AS "receivedAt" FROM snapshots s
         JOIN host_state hs ON hs.host_id = s.host_id AND s.sequence <= hs.sequence JOIN host_contacts c ON c.host_id = s.host_id
         JOIN package_sets ps ON ps.id = s.set_id JOIN releases r ON r.id = s.release_id LEFT JOIN feeds f ON f.id = r.feed_id
         WHERE s.host_id = $1 AND hs.first_snapshot_at IS NOT NULL AND ${condition} LIMIT 1`,
        value === null ? [hostId] : [hostId, value],
      );
      const row = rows[0];
      if (row === undefined) return null;
      const { receivedAt, ...state } = row;
      return { snapshotId: row.snapshotId, receivedAt, host: await completeHost(pool, state) };
    },
    async withdrawn(host, { after, until }) {
      const versions = [...host.packages, ...(host.runningKernel === null ? [] : [host.runningKernel])].map(
        ({ version }) => version,
      );
      const { rows } = await pool.query<{ id: number }>(
        `SELECT DISTINCT a.id FROM advisories a JOIN advisory_packages ap ON ap.advisory_id = a.id
         WHERE a.withdrawn_at > $1 AND a.withdrawn_at <= $2 AND ap.release_id = ANY($3::int[])`,
        [after, until, [...new Set(versions.map(({ releaseId }) => releaseId))]],
      );
      if (rows.length === 0) return new Map();
      const gone = new Set(rows.map(({ id }) => id));
      const said = await loadStatementsOf(pool, versions);
      const judged = await loadJudgedCves(pool, [...new Set(said.all.flatMap(({ cves }) => cves))]);
      return new Map(
        versions.map((version) => {
          const asIf = said
            .about(version)
            .map((statement) =>
              gone.has(statement.advisory) ? { ...statement, withdrawn: false } : statement,
            );
          const held = matchVersion(version, asIf, (cve) => judged.has(version, cve));
          return [version.id, held.filter(({ advisory }) => gone.has(advisory))] as const;
        }),
      );
    },
  };
}

function conditionOf(choice: SnapshotChoice): readonly [condition: string, value: Date | string | null] {
  switch (choice.kind) {
    case 'at':
      return ['s.received_at <= $2 ORDER BY s.sequence DESC', choice.at];
    case 'snapshot':
      return ['s.id = $2', choice.id];
    case 'first':
      return ['true ORDER BY s.sequence', null];
    default:
      return choice satisfies never;
  }
}
