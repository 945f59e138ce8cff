import {
  type CoreHistory,
  coreUpdatesSinceBoot,
  distributionOf,
  type HostFacts,
  type HostUpgrade,
  readOffer,
} from '@plimsoll/advisories';
import type {
  CoreInstall,
  HostId,
  Lifecycle,
  PackageVersionId,
  Release,
  SectionFailure,
  Upgrade,
} from '@plimsoll/model';
import type pg from 'pg';
import type { Statements } from '../../core/transaction.ts';
import type { CountedFacts } from '../../ingest/stored-facts.ts';
import { changesIn } from '../history/package-changes.ts';

/**
 * Section names with which collectors report that they could not read updates: the field name in snapshot.proto, and
 * the plain word.
 */
const updateSections: ReadonlySet<string> = new Set(['upgradable', 'updates']);

/** The same for the subscription, with the name of a client's section. */
const subscriptionSections: ReadonlySet<string> = new Set(['subscription', 'pro']);

/** The facts of a stored snapshot in the form that assessing and counting take. */
export function toHostFacts(stored: {
  readonly release: Release;
  readonly lifecycle: Lifecycle | null;
  readonly facts: CountedFacts;
  readonly bootedAt: Date | null;
  readonly coreHistory: CoreHistory | null;
  readonly upgrades: readonly HostUpgrade[];
  readonly held: ReadonlySet<PackageVersionId>;
}): HostFacts {
  const { platform, kernel, services, subscription, failures, broken, editionEnd } = stored.facts;
  return {
    release: distributionOf(stored.release) === null ? null : stored.release,
    lifecycle: stored.lifecycle,
    virtualization: platform.virtualization,
    ...(editionEnd === undefined ? {} : { editionEnd: new Date(editionEnd) }),
    ...(platform.supportEnd === undefined ? {} : { statedEnd: new Date(platform.supportEnd) }),
    kernel,
    services,
    subscription: hasFailed(failures, subscriptionSections) ? 'unknown' : subscription,
    failures,
    ...(broken === undefined ? {} : { broken }),
    bootedAt: stored.bootedAt,
    coreUpdates: coreUpdatesOf(stored.facts, stored.coreHistory),
    upgrades: stored.upgrades,
    updates: hasFailed(failures, updateSections) ? 'unknown' : 'known',
    held: stored.held,
  };
}

function hasFailed(failures: readonly SectionFailure[], sections: ReadonlySet<string>): boolean {
  return failures.some(({ section }) => sections.has(section.toLowerCase()));
}

function coreUpdatesOf(
  { coreInstalls = [], firstInstallAt }: CountedFacts,
  history: CoreHistory | null,
): readonly CoreInstall[] {
  if (history === null) return [];
  const installs = coreInstalls.map((install) => ({
    ...install,
    installedAt: new Date(install.installedAt),
  }));
  return coreUpdatesSinceBoot(
    { installs, firstInstallAt: firstInstallAt === undefined ? null : new Date(firstInstallAt) },
    history,
  );
}

/** A host, and the names of its core packages. */
interface CoreQuestion {
  readonly hostId: HostId;
  readonly names: readonly string[];
}

/** The histories of the hosts whose boot time is known. */
export async function loadCoreHistories(
  client: Statements,
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
    `SELECT p.host_id AS "hostId", c.name, c.architecture, p.at
     FROM package_changes p JOIN host_contacts b USING (host_id) CROSS JOIN LATERAL ${changesIn('p')}
     JOIN package_versions f ON f.id = c.from_id JOIN package_versions t ON t.id = c.to_id
     WHERE p.host_id = ANY($1::uuid[]) AND c.name = ANY($2::text[]) AND p.at >= b.booted_at AND f.version <> t.version
     ORDER BY p.host_id, p.sequence, c.n`,
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

/** Offered updates by id, interpreted by the current rules. */
export async function loadOffers(
  client: pg.PoolClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, HostUpgrade>> {
  const { rows } = await client.query<Upgrade & { id: number; release: Release }>(
    `SELECT ${upgradeColumns} FROM upgrades u JOIN releases r ON r.id = u.release_id WHERE u.id = ANY($1::int[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, readOffer(row, row.release)] as const));
}

/** Offered updates by id, ordered by name, architecture and id; limited to `names` unless it is null. */
export async function loadUpgrades(
  client: Statements,
  ids: readonly number[],
  names: readonly string[] | null,
): Promise<ReadonlyMap<number, Upgrade>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Upgrade & { id: number; release: Release }>(
    `SELECT ${upgradeColumns} FROM upgrades u JOIN releases r ON r.id = u.release_id
     WHERE u.id = ANY($1::int[]) AND ($2::text[] IS NULL OR u.name = ANY($2))
     ORDER BY u.name COLLATE "C", u.architecture, u.id`,
    [ids, names],
  );
  return new Map(rows.map(({ id, release: _release, ...upgrade }) => [id, upgrade]));
}

/** The select list of an `Upgrade` with its id and release, from `upgrades u` and `releases r`. */
const upgradeColumns = `u.id, r.name AS release, u.name, u.architecture, u.installed_version AS "installedVersion",
  u.candidate_version AS "candidateVersion", u.repository, u.is_security AS "isSecurity", u.held, u.phased,
  u.source_name AS "sourceName", u.source_version AS "sourceVersion", u.suite, u.origin,
  u.advisory_ids AS "advisoryIds"`;
