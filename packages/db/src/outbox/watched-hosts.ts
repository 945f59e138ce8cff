import type { AdvisoryKey, HostId, PackageVersionId, Statement } from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import { type DueTermsOfHosts, loadDueTerms } from '../judging/due/host-due-terms.ts';
import { loadDueTimes, loadFirstReportDays, timedHosts } from '../judging/due/host-due-times.ts';
import { dateAll } from '../knowledge/statement-dates.ts';
import { loadMatchedStatements } from '../knowledge/statements.ts';
import { type DueOn, type ListMarks, readMarks } from './list-marks.ts';

/** A host with its finding list. */
export interface WatchedHost {
  readonly id: HostId;
  readonly snapshotId: string;
  readonly listId: number;
}

/** The marks of finding lists; lists that are deleted are absent. */
export async function loadMarks(
  tx: PgTransaction,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, ListMarks>> {
  const { rows } = await tx.query<{ id: number; entries: Uint8Array }>(
    'SELECT id, entries FROM finding_lists WHERE id = ANY($1::int[])',
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, entries }) => [id, readMarks(entries)]));
}

/** The statements about package versions, with their dates; kept within one look, as far as memory is bounded. */
export class DatedStatements {
  private readonly known = new Map<PackageVersionId, readonly Statement[]>();

  of(id: PackageVersionId): readonly Statement[] {
    return this.known.get(id) ?? [];
  }

  async load(tx: PgTransaction, ids: Iterable<PackageVersionId>): Promise<void> {
    const wanted = [...new Set(ids)];
    if (this.known.size + wanted.length > mostKnown) this.known.clear();
    const missing = wanted.filter((id) => !this.known.has(id));
    for (let at = 0; at < missing.length; at += versionsPerLoad) {
      const some = missing.slice(at, at + versionsPerLoad);
      const found = await dateAll(tx, await loadMatchedStatements(tx, some));
      for (const id of some) this.known.set(id, found.get(id) ?? []);
    }
  }
}

const versionsPerLoad = 500;
/** Package versions whose statements are kept. */
const mostKnown = 10_000;

/** By what hosts are due; null: no policy is set, or the host is deleted. */
export interface DueTermsOn {
  /** Equal for hosts with equal terms. */
  keyOf(host: WatchedHost): string;
  /** The terms of some hosts, each for all hosts with an equal list and key. */
  of(hosts: readonly WatchedHost[]): Promise<(host: WatchedHost) => DueOn | null>;
}

/** Reads the terms of hosts. */
export async function loadDueOn(tx: PgTransaction, hosts: readonly WatchedHost[]): Promise<DueTermsOn> {
  const loaded: DueTermsOfHosts | null = await loadDueTerms(
    tx,
    hosts.map(({ id }) => id),
  );
  const hostOf = ({ id, snapshotId }: WatchedHost) => ({ hostId: id, snapshotId });
  const termsOf = ({ hostId }: { readonly hostId: HostId }) => loaded?.byHost.get(hostId);
  const dayOf = await loadFirstReportDays(tx, hosts.map(hostOf), termsOf);
  return {
    keyOf({ id }) {
      const own = loaded?.byHost.get(id);
      return own === undefined ? '' : `${own.key} ${dayOf(id)}`;
    },
    async of(some) {
      const times = await loadDueTimes(tx, timedHosts(some.map(hostOf), termsOf));
      return ({ id }) => {
        const own = loaded?.byHost.get(id);
        return own === undefined ? null : { terms: own.terms, key: own.key, ...times.of(id) };
      };
    },
  };
}

/** Advisories with hosts. */
export type HostsByAdvisory = Map<AdvisoryKey, Set<HostId>>;

/** Adds hosts to each of some advisories. */
export function addHosts(
  to: HostsByAdvisory,
  advisories: Iterable<AdvisoryKey>,
  hosts: readonly HostId[],
): void {
  for (const advisory of advisories) {
    const known = to.get(advisory) ?? new Set<HostId>();
    to.set(advisory, known);
    for (const host of hosts) known.add(host);
  }
}
