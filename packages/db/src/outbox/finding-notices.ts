import { type AdvisoryKey, compareSeverity, type PackageVersionId, type Severity } from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import { decodePackageSet } from '../ingest/package-set.ts';
import { findSets } from '../ingest/set-postings.ts';
import { findAffectedVersions } from '../judging/affected/affected-versions.ts';
import type { Notice, NoticeHost, OutboxRow } from './notice.ts';
import { loadWaivedFindings } from './waived-findings.ts';

/** Advisories looked up at once. */
const advisoriesPerPass = 1_000;

/** What a row of the outbox says of one advisory. */
interface Cause {
  readonly row: OutboxRow;
  /** Whether it was listed as exploited just now. */
  exploited: boolean;
  cause: string;
  /** The package versions that have it since; null: hosts decide. */
  versions: Set<PackageVersionId> | null;
  /** The hosts that have it since; null: those of the package versions. */
  hosts: Set<string> | null;
}

/** A host with what decides about its findings. */
interface FleetHost extends NoticeHost {
  readonly setId: number | null;
  readonly kernelId: PackageVersionId | null;
}

/**
 * The events about findings in rows of the two ledgers: one per advisory, with the approved hosts on which it is a
 * finding now because of these rows. Without those of another record about the same CVEs, those that the vendor rates
 * negligible, those of a host's first snapshot, unless they are known to be exploited, and those that are waived.
 */
export async function findingNotices(
  tx: PgTransaction,
  rows: readonly OutboxRow[],
): Promise<readonly Notice[]> {
  const causes = new Map<AdvisoryKey, Cause>();
  await addKnowledge(
    tx,
    rows.filter(({ event }) => event === 'ledger.knowledge'),
    causes,
  );
  await addHosts(
    tx,
    rows.filter(({ event }) => event === 'ledger.hosts'),
    causes,
  );
  const notices: Notice[] = [];
  const advisories = [...causes.keys()].sort((a, b) => a - b);
  for (let at = 0; at < advisories.length; at += advisoriesPerPass) {
    const part = advisories.slice(at, at + advisoriesPerPass);
    notices.push(...(await noticesOf(tx, part, causes)));
  }
  return notices;
}

/** On which hosts of `hostIds` each advisory (external id) is a finding now that is not waived: by external id. */
export async function hostsWithFindings(
  tx: PgTransaction,
  externalIds: readonly string[],
  hostIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await tx.query<{ id: AdvisoryKey; external: string }>(
    'SELECT id, external_id AS external FROM advisories WHERE external_id = ANY($1::text[]) AND withdrawn_at IS NULL',
    [externalIds],
  );
  const reached = await reach(
    tx,
    rows.map(({ id }) => id),
    hostIds,
  );
  const found = new Map<string, Set<string>>();
  for (const { id, external } of rows) {
    const hosts = found.get(external) ?? new Set<string>();
    for (const host of reached.hostsOf(id, null)) hosts.add(host.id);
    found.set(external, hosts);
  }
  return found;
}

async function addKnowledge(
  tx: PgTransaction,
  rows: readonly OutboxRow[],
  causes: Map<AdvisoryKey, Cause>,
): Promise<void> {
  if (rows.length === 0) return;
  const byChange = new Map(rows.map((row) => [Number(row.subject), row]));
  const entries = await tx.query<{
    change: number;
    advisory: AdvisoryKey;
    event: string;
    cause: string;
    ids: Uint8Array;
  }>(
    `SELECT change_id AS change, advisory_id AS advisory, event, cause, ids FROM knowledge_change_entries
     WHERE change_id = ANY($1::int[]) AND (event = 'exploited' OR event = 'opened' AND cause <> 'source_changed')
       AND coalesce(hosts, 1) > 0 ORDER BY change_id, advisory_id, event, cause`,
    [[...byChange.keys()]],
  );
  for (const { change, advisory, event, cause, ids } of entries.rows) {
    const row = byChange.get(change);
    if (row === undefined) continue;
    const known = causes.get(advisory) ?? { row, exploited: false, cause, versions: new Set(), hosts: null };
    if (event === 'exploited') known.exploited = true;
    for (const id of decodePackageSet(ids)) known.versions?.add(id);
    causes.set(advisory, known);
  }
}

async function addHosts(
  tx: PgTransaction,
  rows: readonly OutboxRow[],
  causes: Map<AdvisoryKey, Cause>,
): Promise<void> {
  for (const row of rows) {
    const { rows: changes } = await tx.query<{ hostId: string; isFirst: boolean; opened: Uint8Array }>(
      `SELECT c.host_id AS "hostId", c.is_first AS "isFirst", c.opened
       FROM unnest($1::uuid[], $2::bigint[]) AS n (host_id, sequence) JOIN host_changes c USING (host_id, sequence)
       ORDER BY c.host_id, c.sequence`,
      [row.hostIds, sequencesOf(row)],
    );
    const first = new Set(
      changes.filter(({ isFirst }) => isFirst).flatMap(({ opened }) => decodeAdvisories(opened)),
    );
    const exploited = await exploitedOf(tx, [...first]);
    for (const { hostId, isFirst, opened } of changes)
      for (const advisory of decodeAdvisories(opened)) {
        if (isFirst && !exploited.has(advisory)) continue;
        const known = causes.get(advisory);
        if (known === undefined)
          causes.set(advisory, {
            row,
            exploited: false,
            cause: 'package_changed',
            versions: null,
            hosts: new Set([hostId]),
          });
        else known.hosts?.add(hostId);
      }
  }
}

function decodeAdvisories(bytes: Uint8Array): readonly AdvisoryKey[] {
  // Encoded as the ids of a package set (HostChange).
  return decodePackageSet(bytes) as readonly number[] as readonly AdvisoryKey[];
}

function sequencesOf({ data }: OutboxRow): readonly string[] {
  const sequences = data['sequences'];
  return Array.isArray(sequences) ? sequences.map(String) : [];
}

async function exploitedOf(
  tx: PgTransaction,
  ids: readonly AdvisoryKey[],
): Promise<ReadonlySet<AdvisoryKey>> {
  if (ids.length === 0) return new Set();
  const { rows } = await tx.query<{ id: AdvisoryKey }>(
    'SELECT id FROM advisories WHERE id = ANY($1::int[]) AND known_exploited',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

interface Reach {
  /** The hosts on which an advisory is a finding that is not waived, by one of these package versions if given. */
  hostsOf(advisory: AdvisoryKey, versions: ReadonlySet<PackageVersionId> | null): readonly NoticeHost[];
  isFixed(advisory: AdvisoryKey): boolean;
}

/** @param among only these hosts; null: all approved ones. */
async function reach(
  tx: PgTransaction,
  advisories: readonly AdvisoryKey[],
  among: readonly string[] | null,
): Promise<Reach> {
  const affected = await findAffectedVersions(tx, advisories, { includeHidden: false, includeFolded: false });
  const kernels = new Set(affected.filter(({ isKernel }) => isKernel).map(({ id }) => id));
  const ordinary = new Set(affected.filter(({ isKernel }) => !isKernel).map(({ id }) => id));
  const { heldOf, held } = await findSets(tx, ordinary);
  const { rows } = await tx.query<FleetHost>(
    `SELECT h.id, h.display_name AS name, h.tags, s.set_id AS "setId", s.judged_kernel_id AS "kernelId"
     FROM host_state s JOIN hosts h ON h.id = s.host_id
     WHERE h.approval_status = 'approved' AND ($3::uuid[] IS NULL OR h.id = ANY($3))
       AND (s.set_id = ANY($1::int[]) OR s.judged_kernel_id = ANY($2::int[]))
     ORDER BY h.display_name, h.id`,
    [[...heldOf.keys()], [...kernels], among],
  );
  // Hosts with the same versions in question are alike for every advisory.
  const groups = new Map<
    string,
    { readonly versions: readonly PackageVersionId[]; readonly hosts: FleetHost[] }
  >();
  for (const host of rows) {
    const set = host.setId === null ? 0 : (heldOf.get(host.setId) ?? 0);
    const kernel = host.kernelId !== null && kernels.has(host.kernelId) ? [host.kernelId] : [];
    const key = `${set} ${kernel.join('')}`;
    const group = groups.get(key) ?? { versions: [...(held[set] ?? []), ...kernel], hosts: [] };
    group.hosts.push(host);
    groups.set(key, group);
  }
  const waived = await loadWaivedFindings(tx, advisories, [...new Set(affected.map(({ id }) => id))]);
  const versionsOf = new Map<AdvisoryKey, Set<PackageVersionId>>();
  const fixed = new Set<AdvisoryKey>();
  for (const { asked, id, fixed: hasFix } of affected) {
    const known = versionsOf.get(asked) ?? new Set();
    versionsOf.set(asked, known.add(id));
    if (hasFix) fixed.add(asked);
  }
  return {
    hostsOf(advisory, versions) {
      const own = versionsOf.get(advisory) ?? new Set();
      const counts = (id: PackageVersionId) => own.has(id) && (versions === null || versions.has(id));
      return [...groups.values()].flatMap((group) => {
        const counted = group.versions.filter(counts);
        return group.hosts.filter((host) =>
          counted.some((version) => !waived.isWaived(host, version, advisory)),
        );
      });
    },
    isFixed: (advisory) => fixed.has(advisory),
  };
}

async function noticesOf(
  tx: PgTransaction,
  ids: readonly AdvisoryKey[],
  causes: ReadonlyMap<AdvisoryKey, Cause>,
): Promise<readonly Notice[]> {
  const reached = await reach(tx, ids, null);
  const found = await loadAdvisories(tx, ids);
  return found.flatMap((advisory): Notice[] => {
    const cause = causes.get(advisory.id);
    if (cause === undefined) return [];
    const all = reached.hostsOf(advisory.id, cause.versions);
    const hosts = cause.hosts === null ? all : all.filter(({ id }) => cause.hosts?.has(id) === true);
    if (hosts.length === 0) return [];
    const isNew = !cause.exploited;
    return [
      {
        id: cause.row.id,
        events: advisory.knownExploited
          ? ['finding.known_exploited', ...(isNew ? (['finding.new'] as const) : [])]
          : ['finding.new'],
        subject: advisory.externalId,
        at: cause.row.at,
        severity: advisory.severity,
        hosts,
        isFromHosts: cause.hosts !== null,
        data: {
          advisory: { ...advisoryData(advisory), has_fix: reached.isFixed(advisory.id) },
          cause: cause.exploited ? 'listed_as_exploited' : cause.cause,
        },
      },
    ];
  });
}

/** What is told of an advisory. */
export interface AdvisoryFacts {
  readonly id: AdvisoryKey;
  readonly externalId: string;
  readonly title: string;
  readonly url: string;
  readonly cves: readonly string[];
  readonly knownExploited: boolean;
  readonly epss: number | null;
  readonly severity: Severity;
}

/** An advisory as events contain it. */
export function advisoryData(advisory: AdvisoryFacts): Readonly<Record<string, unknown>> {
  return {
    id: advisory.externalId,
    title: advisory.title,
    url: advisory.url,
    severity: advisory.severity,
    cves: advisory.cves,
    known_exploited: advisory.knownExploited,
    epss: advisory.epss,
  };
}

/** The facts about advisories, worst first. */
export async function loadAdvisories(
  tx: PgTransaction,
  ids: readonly AdvisoryKey[],
): Promise<readonly AdvisoryFacts[]> {
  const { rows } = await tx.query<
    Omit<AdvisoryFacts, 'severity'> & { readonly severities: readonly Severity[] | null }
  >(
    `SELECT a.id, a.external_id AS "externalId", left(a.title, 300) AS title, a.url, a.cves[1:50] AS cves,
            a.known_exploited AS "knownExploited",
            (SELECT max(c.epss) FROM cves c WHERE c.id = ANY(a.cves)) AS epss,
            (SELECT array_agg(DISTINCT ap.severity) FROM advisory_packages ap
             WHERE ap.advisory_id = a.id AND ap.severity <> 'none'
               AND EXISTS (SELECT FROM package_version_advisories m WHERE m.advisory_package_id = ap.id)) AS severities
     FROM advisories a WHERE a.id = ANY($1::int[]) ORDER BY a.external_id`,
    [ids],
  );
  return rows
    .map(({ severities, ...facts }) => ({
      ...facts,
      severity: [...(severities ?? [])].sort(compareSeverity)[0] ?? ('unrated' as const),
    }))
    .sort(
      (a, b) =>
        Number(b.knownExploited) - Number(a.knownExploited) || compareSeverity(a.severity, b.severity),
    );
}
