import { type BootedKernel, isSameKernel } from '@plimsoll/advisories';
import type { HostId, KernelImage, KernelPart, PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { rowTable } from '../../core/row-table.ts';
import { decodePackageSet, encodeIds, idsWithout } from '../../ingest/package-set.ts';

/** What the ledger of a host needs of a package version. */
export interface VersionAdvisories {
  /** Every advisory that affects it, hidden ones included, ascending. */
  readonly advisories: Int32Array;
  readonly kernel: KernelImage | KernelPart | null;
}

/** Loads versions by id. Throws if one does not exist. */
type LoadVersionAdvisories = (
  ids: Iterable<PackageVersionId>,
) => Promise<ReadonlyMap<PackageVersionId, VersionAdvisories>>;

/** What is installed and booted on a host, as far as findings depend on it. */
export interface HostContent {
  /** The encoded package set. */
  readonly ids: Uint8Array;
  /** The running kernel, also one that the rules cannot judge. Of the snapshot before: what the newest row says. */
  readonly bootedKernelId: PackageVersionId | null;
}

/** The kernel that runs by a snapshot. If it does not say one, the last one that is known: not known is not another one. */
export function ranBy(stated: BootedKernel, last: PackageVersionId | null): PackageVersionId | null {
  return stated === 'not_stated' ? last : stated;
}

/** The kernel that a host ran when it sent a snapshot. */
export interface RunningKernel {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly receivedAt: Date;
  /** See HostContent. */
  readonly bootedKernelId: PackageVersionId | null;
}

/** A snapshot that becomes its host's newest. */
export interface HostStep {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly receivedAt: Date;
  /** Null before the first snapshot. */
  readonly before: HostContent | null;
  /** What ran by the snapshots between the one before and this one, the oldest first. */
  readonly overtaken: readonly RunningKernel[];
  readonly after: HostContent;
}

/**
 * Has the histories of hosts begin with snapshots, unless they began before. From then on a walk of their exposures is due,
 * which a recount during the first walk can mark again. The caller has locked the hosts against deletion.
 */
export async function beginHistories(
  tx: PgTransaction,
  snapshots: readonly Pick<HostStep, 'hostId' | 'receivedAt'>[],
): Promise<void> {
  if (snapshots.length === 0) return;
  const hostIds = snapshots.map(({ hostId }) => hostId);
  await tx.query(
    `UPDATE host_state hs SET first_snapshot_at = least(hs.first_snapshot_at, n.at)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS n (host_id, at) WHERE hs.host_id = n.host_id`,
    [hostIds, snapshots.map(({ receivedAt }) => receivedAt)],
  );
  await tx.query(
    `INSERT INTO exposure_walks (host_id, sequence, due) SELECT host_id, 0, true FROM unnest($1::uuid[]) AS n (host_id)
     ON CONFLICT DO NOTHING`,
    [hostIds],
  );
}

/**
 * Stores which advisories each snapshot opened and closed on its host, by the advisories known now: a new package or
 * kernel has them, or none of the remaining ones has them any more. Of overtaken snapshots only another kernel is
 * stored: what opened and closed between two matched snapshots is never news. Steps without an effect have no row. The
 * caller holds the lock of holdAdvisories.
 */
export async function writeHostLedger(
  tx: PgTransaction,
  steps: readonly HostStep[],
  load: LoadVersionAdvisories,
): Promise<void> {
  const compared = steps.flatMap((step) => comparisonOf(step) ?? []);
  // Once for all hosts.
  await load(new Set(compared.flatMap(({ ids }) => [...ids])));
  const rows: LedgerRow[] = [];
  for (const comparison of compared) {
    const row = await rowOf(comparison, load);
    if (row !== null) rows.push(row);
  }
  await writeKernels(tx, steps.flatMap(overtakenBoots));
  if (rows.length === 0) return;
  const { table, columns, values } = rowTable(
    'host_id uuid, sequence bigint, at timestamptz, is_first bool, booted_kernel_id int?, opened bytea, closed bytea',
    rows,
  );
  await tx.query(`INSERT INTO host_changes (${columns}) SELECT * FROM ${table} n`, values);
}

/** Stores that hosts ran another kernel by past snapshots, which open and close nothing. */
export async function writeKernels(tx: PgTransaction, kernels: readonly RunningKernel[]): Promise<void> {
  if (kernels.length === 0) return;
  const { table, values } = rowTable(
    'host_id uuid, sequence bigint, received_at timestamptz, booted_kernel_id int?',
    kernels,
  );
  await tx.query(
    `INSERT INTO host_changes (host_id, sequence, at, is_first, booted_kernel_id, opened, closed)
     SELECT host_id, sequence, received_at, false, booted_kernel_id, '', '' FROM ${table} n`,
    values,
  );
}

/** The overtaken snapshots of a step by which another kernel ran than before; of a new host also the first one. */
function overtakenBoots({ before, overtaken }: HostStep): readonly RunningKernel[] {
  return overtaken.filter(({ bootedKernelId }, index) => {
    const earlier = index === 0 ? before : overtaken[index - 1];
    return earlier?.bootedKernelId !== bootedKernelId;
  });
}

/** Whether a step begins another kernel than ran just before it. */
function isBoot({ before, overtaken, after }: HostStep): boolean {
  return (overtaken.at(-1) ?? before)?.bootedKernelId !== after.bootedKernelId;
}

/**
 * Corrects the ledger of hosts whose newest snapshot is, by other rules, of another booted kernel than the newest row says. If
 * that has none, the rules came to know the kernel: it ran since the last row with one. Otherwise it is not known since when
 * the other one ran: since the newest snapshot. Kernels that the rules no longer know stay. The caller has locked the hosts' states.
 */
export async function correctBootedKernels(
  tx: PgTransaction,
  hosts: readonly { readonly hostId: HostId; readonly bootedKernelId: BootedKernel }[],
): Promise<void> {
  if (hosts.length === 0) return;
  await tx.query(
    `WITH wrong AS (
       SELECT w.host_id, w.kernel_id, n.booted_kernel_id AS before
       FROM unnest($1::uuid[], $2::int[]) AS w (host_id, kernel_id) CROSS JOIN LATERAL (
         SELECT booted_kernel_id FROM host_changes c WHERE c.host_id = w.host_id ORDER BY sequence DESC LIMIT 1) n
       WHERE w.kernel_id IS NOT NULL AND n.booted_kernel_id IS DISTINCT FROM w.kernel_id),
     learned AS (
       UPDATE host_changes c SET booted_kernel_id = wrong.kernel_id FROM wrong
       WHERE c.host_id = wrong.host_id AND wrong.before IS NULL AND c.sequence > coalesce((
         SELECT max(o.sequence) FROM host_changes o WHERE o.host_id = c.host_id AND o.booted_kernel_id IS NOT NULL), -1))
     INSERT INTO host_changes (host_id, sequence, at, is_first, booted_kernel_id, opened, closed)
     SELECT hs.host_id, hs.sequence, s.received_at, false, wrong.kernel_id, '', ''
     FROM wrong JOIN host_state hs ON hs.host_id = wrong.host_id JOIN snapshots s ON s.id = hs.snapshot_id
     WHERE wrong.before IS NOT NULL ORDER BY hs.host_id
     ON CONFLICT (host_id, sequence) DO UPDATE SET booted_kernel_id = excluded.booted_kernel_id`,
    [hosts.map(({ hostId }) => hostId), hosts.map(({ bootedKernelId }) => ranBy(bootedKernelId, null))],
  );
}

interface LedgerRow extends Pick<RunningKernel, 'hostId' | 'sequence' | 'bootedKernelId'> {
  readonly at: Date;
  readonly isFirst: boolean;
  readonly opened: Uint8Array;
  readonly closed: Uint8Array;
}

/** A content with its decoded ids, ascending. */
interface DecodedContent {
  readonly ids: readonly PackageVersionId[];
  readonly booted: PackageVersionId | null;
  readonly hasBooted: boolean;
}

type Known = ReadonlyMap<PackageVersionId, VersionAdvisories>;

/** What must be compared of a step. */
interface Comparison {
  readonly step: HostStep;
  readonly before: DecodedContent;
  readonly after: DecodedContent;
  /** The versions that can have come, gone, or begun or ceased to count. */
  readonly ids: ReadonlySet<PackageVersionId>;
}

/** Null if the step changed nothing. */
function comparisonOf(step: HostStep): Comparison | null {
  const isSameKernel = step.before?.bootedKernelId === step.after.bootedKernelId;
  const isSame =
    isSameKernel && step.before !== null && Buffer.compare(step.before.ids, step.after.ids) === 0;
  if (isSame && !isBoot(step)) return null;
  const before = decode(step.before);
  const after = decode(step.after);
  // Parts of a kernel count with their kernel, so another one changes more than the packages that changed.
  const isSmall = isSameKernel && before.hasBooted === after.hasBooted;
  const ids = new Set([
    ...(isSmall ? idsWithout(before.ids, after.ids) : before.ids),
    ...(isSmall ? idsWithout(after.ids, before.ids) : after.ids),
    ...[before.booted, after.booted].filter((id) => id !== null),
  ]);
  return { step, before, after, ids };
}

async function rowOf(
  { step, before, after, ids }: Comparison,
  load: LoadVersionAdvisories,
): Promise<LedgerRow | null> {
  const known = await load(ids);
  const left: PackageVersionId[] = [];
  const arrived = new Set<PackageVersionId>();
  for (const id of ids) {
    const kernel = known.get(id)?.kernel ?? null;
    const was = counts(id, kernel, before, known);
    const is = counts(id, kernel, after, known);
    if (was && !is) left.push(id);
    if (is && !was) arrived.add(id);
  }
  const closed = advisoriesOf(left, known);
  const opened = advisoriesOf(arrived, known);
  for (const id of opened) if (closed.delete(id)) opened.delete(id);
  await removeThoseOf(after, { arrived, opened, closed, load });
  const isFirst = step.before === null;
  if (opened.size === 0 && closed.size === 0 && !isFirst && !isBoot(step)) return null;
  const { hostId, sequence, receivedAt: at } = step;
  const { bootedKernelId } = step.after;
  const encoded = { opened: encodeIds(opened), closed: encodeIds(closed) };
  return { hostId, sequence, at, isFirst, bootedKernelId, ...encoded };
}

function decode(content: HostContent | null): DecodedContent {
  if (content === null) return { ids: [], booted: null, hasBooted: false };
  const ids = decodePackageSet(content.ids);
  const booted = content.bootedKernelId;
  return { ids, booted, hasBooted: booted !== null && includesSorted(ids, booted) };
}

/** Whether the advisories of a version count on a host with this content: of kernels only those of the booted one. */
function counts(
  id: PackageVersionId,
  kernel: KernelImage | KernelPart | null,
  { ids, booted, hasBooted }: DecodedContent,
  known: Known,
): boolean {
  if (id === booted) return true;
  if (!includesSorted(ids, id)) return false;
  if (kernel === null) return true;
  if (kernel.role !== 'part' || booted === null || !hasBooted) return false;
  return isSameKernel(kernel, known.get(booted)?.kernel);
}

function advisoriesOf(ids: Iterable<PackageVersionId>, known: Known): Set<number> {
  const all = new Set<number>();
  for (const id of ids) for (const advisory of known.get(id)?.advisories ?? []) all.add(advisory);
  return all;
}

/** Removes the advisories of the versions that did not just arrive: they neither opened nor closed on the host. */
async function removeThoseOf(
  content: DecodedContent,
  {
    arrived,
    opened,
    closed,
    load,
  }: {
    readonly arrived: ReadonlySet<PackageVersionId>;
    readonly opened: Set<number>;
    readonly closed: Set<number>;
    readonly load: LoadVersionAdvisories;
  },
): Promise<void> {
  if (opened.size === 0 && closed.size === 0) return;
  const remaining = new Set(content.booted === null ? content.ids : [...content.ids, content.booted]);
  for (const id of arrived) remaining.delete(id);
  const known = await load(remaining);
  for (const id of remaining) {
    const version = known.get(id);
    if (version === undefined || version.advisories.length === 0) continue;
    if (!counts(id, version.kernel, content, known)) continue;
    // Linear in the versions' advisories: a kernel opens thousands, and each of its host's packages has few.
    for (const advisory of version.advisories) {
      opened.delete(advisory);
      closed.delete(advisory);
    }
  }
}

/** Whether a sorted list contains a number. */
function includesSorted(sorted: ArrayLike<number>, wanted: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
