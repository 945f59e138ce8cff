import { isDeepStrictEqual } from 'node:util';
import { rulesVersion } from '@plimsoll/advisories';
import { groundsOfBits, type HostId, type InstalledPackage, type PackageVersionId } from '@plimsoll/model';
import { type Database, inPgSnapshot, type PgTransaction } from '../../core/database.ts';
import { KnowledgeMemory } from '../../knowledge/knowledge-memory.ts';
import {
  assessStoredHost,
  completeHost,
  type HostToAssess,
  type StateRow,
  stateColumns,
  stateTables,
} from '../assessments/stored-host.ts';
import { compareChanges } from './compare-changes.ts';
import type { StateDifference } from './state-difference.ts';
import { verifyVersions } from './verify-versions.ts';

/** What to verify, and how to decode a payload: null if it cannot be decoded. */
export interface StateToVerify {
  /** Null: all hosts. */
  readonly hosts: readonly HostId[] | null;
  decode(payloadGzip: Uint8Array, reportedAt: Date): Promise<DecodedPackages | null>;
  /** Called before a pause because hosts are being counted. Throws to give up. */
  onBusy(): Promise<void>;
}

/** The packages of a payload. */
export type DecodedPackages = readonly Pick<
  InstalledPackage,
  'name' | 'architecture' | 'version' | 'sourceName' | 'sourceVersion' | 'vendor'
>[];

/** Hosts per transaction. */
const hostsPerPiece = 20;

/**
 * Computes the state of hosts anew and compares it with the stored one: the packages from the payload of the newest
 * snapshot, the classification and the matches of each package version, the counts from a full assessment, and the
 * changes of packages from all snapshots. Reads only, a piece of hosts at a time in one consistent view, so that it runs
 * beside a live service. Yields what it finds in each piece.
 */
export async function* verifyState(
  { pool }: Database,
  asked: StateToVerify,
): AsyncGenerator<{ readonly hosts: number; readonly differences: readonly StateDifference[] }> {
  const verified = new Set<PackageVersionId>();
  let after: HostId | null = null;
  for (;;) {
    const piece: Piece | null = await inPgSnapshot(pool, (tx) => verifyPiece(tx, asked, { after, verified }));
    if (piece === null) {
      await asked.onBusy();
      continue;
    }
    yield piece;
    if (piece.last === null) return;
    after = piece.last;
  }
}

interface Piece {
  readonly hosts: number;
  readonly differences: readonly StateDifference[];
  /** The last host; null if none follows. */
  readonly last: HostId | null;
}

/** Null if the stored counts are not meant to be current. */
async function verifyPiece(
  tx: PgTransaction,
  { hosts, decode }: StateToVerify,
  { after, verified }: { readonly after: HostId | null; readonly verified: Set<PackageVersionId> },
): Promise<Piece | null> {
  if (await isBusy(tx)) return null;
  const { rows } = await tx.query<PieceRow>(
    `SELECT ${stateColumns}, coalesce(s.reported_at, s.received_at) AS "reportedAt", to_jsonb(hs) AS counts, (
         SELECT c.booted_kernel_id FROM host_changes c WHERE c.host_id = hs.host_id ORDER BY c.sequence DESC LIMIT 1) AS "bootedKernel"
     FROM ${stateTables}
     WHERE ($1::uuid[] IS NULL OR hs.host_id = ANY($1)) AND ($2::uuid IS NULL OR hs.host_id > $2)
     ORDER BY hs.host_id LIMIT $3`,
    [hosts, after, hostsPerPiece],
  );
  const ids = rows.map(({ hostId }) => hostId);
  const differences = [...(await compareChanges(tx, ids))];
  const reads = inTurn(tx);
  const memory = new KnowledgeMemory(reads);
  for (const row of rows) {
    const host = await completeHost(reads, memory, row);
    const packages = await decode(await payloadOf(tx, row), row.reportedAt);
    differences.push(...comparePackages(host, packages), ...compareTotals(host, row));
    const versions = [...host.packages, ...(host.runningKernel === null ? [] : [host.runningKernel])]
      .map(({ version }) => version)
      .filter(({ id }) => !verified.has(id));
    differences.push(...(await verifyVersions(tx, versions)));
    for (const { id } of versions) verified.add(id);
  }
  const last = rows.length < hostsPerPiece ? null : (rows.at(-1)?.hostId ?? null);
  return { hosts: rows.length, differences, last };
}

interface PieceRow extends StateRow {
  readonly reportedAt: Date;
  /** The row of host_state by column. */
  readonly counts: Readonly<Record<string, unknown>>;
  /** As the ledger of hosts has it. */
  readonly bootedKernel: PackageVersionId | null;
}

/** A connection whose statements wait for each other, for functions that begin several at once on a pool. */
function inTurn(tx: PgTransaction): PgTransaction {
  const query = tx.query.bind(tx) as (...args: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  const next = (...args: unknown[]): Promise<unknown> => {
    last = last.catch(() => undefined).then(() => query(...args));
    return last;
  };
  return Object.assign(Object.create(tx), { query: next });
}

/** One at a time, because a payload can have megabytes. */
async function payloadOf(tx: PgTransaction, { snapshotId }: StateRow): Promise<Uint8Array> {
  const { rows } = await tx.query<{ payload: Uint8Array | null }>(
    'SELECT payload FROM snapshots WHERE id = $1',
    [snapshotId],
  );
  return rows[0]?.payload ?? new Uint8Array();
}

/** Whether hosts are being counted, or older rules have judged some of what is stored. */
async function isBusy(tx: PgTransaction): Promise<boolean> {
  const { rows } = await tx.query<{ busy: boolean }>(
    `SELECT EXISTS (SELECT FROM version_changes WHERE NOT counted) OR EXISTS (SELECT FROM recount_pieces WHERE hosts <> '{}')
       OR EXISTS (SELECT FROM releases WHERE rules < $1) AS busy`,
    [rulesVersion],
  );
  return rows[0]?.busy !== false;
}

/** Compares without modules and suites: parsing derives these from other sections and from feeds of its time. */
function comparePackages(
  { hostId, packages }: HostToAssess,
  decoded: DecodedPackages | null,
): StateDifference[] {
  if (decoded === null) return [{ hostId, what: 'payload', detail: 'The payload cannot be decoded.' }];
  const stored = linesOf(packages.map(({ version }) => version));
  const sent = linesOf(decoded);
  const missing = [...sent].filter((line) => !stored.has(line));
  const extra = [...stored].filter((line) => !sent.has(line));
  return [
    ...missing.map((line) => `The payload has a package that is not stored: ${line}.`),
    ...extra.map((line) => `A package is stored that the payload does not have: ${line}.`),
  ].map((detail) => ({ hostId, what: 'packages' as const, detail }));
}

function linesOf(packages: DecodedPackages): ReadonlySet<string> {
  const lines = packages.map((each) =>
    [each.name, each.architecture, each.version, each.sourceName, each.sourceVersion, each.vendor].join(' '),
  );
  return new Set(lines);
}

function compareTotals(host: HostToAssess, { counts: stored, bootedKernel }: PieceRow): StateDifference[] {
  const { counts, ...totals } = assessStoredHost(host);
  const computed: Readonly<Record<string, unknown>> = {
    critical: counts.critical,
    important: counts.important,
    moderate: counts.moderate,
    low: counts.low,
    unrated: counts.unrated,
    unfixed: counts.unfixed,
    unfixed_critical: counts.unfixedCritical,
    unfixed_important: counts.unfixedImportant,
    unfixed_moderate: counts.unfixedModerate,
    unfixed_low: counts.unfixedLow,
    unfixed_unrated: counts.unfixedUnrated,
    known_exploited: counts.knownExploited,
    waived: counts.waived,
    unknown: counts.unknown,
    available_updates: totals.availableUpdates,
    phased_updates: totals.phasedUpdates,
    updates_known: totals.updatesKnown,
    broken_packages: totals.brokenPackages,
    services_due: totals.servicesDue,
    reboot_state: totals.rebootState,
    restart_state: totals.restartState,
    grounds: totals.grounds,
    judged_kernel_id: totals.judgedKernel,
    disagreements: totals.disagreementCount,
    support_ends_at: totals.supportEndsAt?.getTime() ?? null,
    due_at: totals.dueAt?.getTime() ?? null,
  };
  const wrong = Object.entries(computed).filter(
    ([column, value]) => !isDeepStrictEqual(readColumn(column, stored[column]), value),
  );
  const { hostId } = host;
  // Older versions did not note a kernel that is not judged, and one that the rules no longer know stays.
  const isOtherKernel = totals.judgedKernel !== null && totals.judgedKernel !== bootedKernel;
  const ledger: StateDifference[] = isOtherKernel
    ? [
        {
          hostId,
          what: 'ledger',
          detail: `The booted kernel is ${bootedKernel} and should be ${totals.judgedKernel}.`,
        },
      ]
    : [];
  const ofCounts = wrong.map(([column, value]) => ({
    hostId,
    what: 'counts' as const,
    detail: `${column} is ${JSON.stringify(readColumn(column, stored[column]))} and should be ${JSON.stringify(value)}.`,
  }));
  return [...ofCounts, ...ledger];
}

function readColumn(column: string, value: unknown): unknown {
  if (column === 'grounds' && typeof value === 'number') return groundsOfBits(value);
  if (column.endsWith('_at') && typeof value === 'string') return new Date(value).getTime();
  return value;
}
