import type { CoreHistory } from '@plimsoll/advisories';
import type { HostId } from '@plimsoll/model';
import type pg from 'pg';

/** A host, and the names of its core packages. */
export interface CoreQuestion {
  readonly hostId: HostId;
  readonly names: readonly string[];
}

/** The histories of the hosts whose boot time is known. */
export async function loadCoreHistories(
  client: pg.Pool | pg.PoolClient,
  questions: readonly CoreQuestion[],
): Promise<ReadonlyMap<HostId, CoreHistory>> {
  if (questions.length === 0) return new Map();
  const hostIds = questions.map(({ hostId }) => hostId);
  const hosts = await client.query<{ hostId: HostId; bootedAt: Date; firstSnapshotAt: Date | null }>(
    `SELECT hs.host_id AS "hostId", c.booted_at AS "bootedAt", hs.first_snapshot_at AS "firstSnapshotAt"
     FROM host_state hs JOIN host_contacts c USING (host_id)
     WHERE hs.host_id = ANY($1::uuid[]) AND c.booted_at IS NOT NULL`,
    [hostIds],
  );
  // Equal versions from two vendors are two package versions, but replacing one by the other is not an update.
  const changes = await client.query<CoreHistory['changes'][number] & { hostId: HostId }>(
    `SELECT p.host_id AS "hostId", p.name, p.architecture, p.at
     FROM package_changes p JOIN host_contacts c USING (host_id)
     JOIN package_versions f ON f.id = p.from_id JOIN package_versions t ON t.id = p.to_id
     WHERE p.host_id = ANY($1::uuid[]) AND p.name = ANY($2::text[]) AND p.at >= c.booted_at AND f.version <> t.version
     ORDER BY p.host_id, p.sequence, p.n`,
    [hostIds, [...new Set(questions.flatMap(({ names }) => names))]],
  );
  return new Map(
    hosts.rows.map(({ hostId, bootedAt, firstSnapshotAt }) => [
      hostId,
      {
        bootedAt,
        firstSnapshotAt,
        changes: changes.rows
          .filter((change) => change.hostId === hostId)
          .map(({ name, architecture, at }) => ({ name, architecture, at })),
      },
    ]),
  );
}

/** The question for a host with these facts; null if they name no core packages. */
export function coreQuestion(
  hostId: HostId,
  { coreInstalls }: { readonly coreInstalls?: readonly { readonly name: string }[] },
): CoreQuestion | null {
  if (coreInstalls === undefined || coreInstalls.length === 0) return null;
  return { hostId, names: coreInstalls.map(({ name }) => name) };
}
