import { isSameKernel } from '@plimsoll/advisories';
import { groupBy, type KernelImage, type KernelPart, type PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { rowTable } from '../../core/row-table.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import { findSetIds, visitSets } from '../../ingest/set-postings.ts';

/** Entries counted in one pass. */
const entriesPerPass = 50_000;
/** Of more versions most sets hold some. */
const fewVersions = 100;

/** The changes of knowledge whose entries have no number of hosts yet, by id. */
export async function readUncountedLedger(tx: Pick<PgTransaction, 'query'>): Promise<readonly number[]> {
  const { rows } = await tx.query<{ id: number }>(
    'SELECT id FROM knowledge_changes WHERE NOT counted ORDER BY id',
  );
  return rows.map(({ id }) => id);
}

/**
 * Stores on how many approved hosts each entry of these changes took effect: those with one of its package versions,
 * kernels only where they are judged. Every host counts once per entry, with its present packages.
 */
export async function countLedgerHosts(tx: PgTransaction, changes: readonly number[]): Promise<void> {
  if (changes.length === 0) return;
  let after: Entry | null = null;
  for (;;) {
    const entries = await readEntries(tx, changes, after);
    await writeHosts(tx, entries, await countHosts(tx, entries));
    after = entries.at(-1) ?? null;
    if (after === null || entries.length < entriesPerPass) break;
  }
  await tx.query('UPDATE knowledge_changes SET counted = true WHERE id = ANY($1::int[])', [changes]);
}

interface Entry {
  readonly change: number;
  readonly advisory: number;
  readonly event: string;
  readonly cause: string;
  readonly ids: Uint8Array;
}

async function readEntries(
  tx: PgTransaction,
  changes: readonly number[],
  after: Entry | null,
): Promise<readonly Entry[]> {
  const { rows } = await tx.query<Entry>(
    `SELECT change_id AS change, advisory_id AS advisory, event, cause, ids FROM knowledge_change_entries
     WHERE change_id = ANY($1::int[]) AND (change_id, advisory_id, event, cause) > ($2, $3, $4, $5)
     ORDER BY change_id, advisory_id, event, cause LIMIT $6`,
    [
      changes,
      after?.change ?? 0,
      after?.advisory ?? 0,
      after?.event ?? '',
      after?.cause ?? '',
      entriesPerPass,
    ],
  );
  return rows;
}

async function writeHosts(tx: PgTransaction, entries: readonly Entry[], hosts: Int32Array): Promise<void> {
  if (entries.length === 0) return;
  const { table, values } = rowTable(
    'change int, advisory int, event text, cause text, hosts int',
    entries.map((entry, n) => ({ hosts: hosts[n] ?? 0, ...entry })),
  );
  await tx.query(
    `UPDATE knowledge_change_entries e SET hosts = n.hosts FROM ${table} n
     WHERE (e.change_id, e.advisory_id, e.event, e.cause) = (n.change, n.advisory, n.event, n.cause)`,
    values,
  );
}

/** The numbers of hosts, in the order of `entries`. */
async function countHosts(tx: PgTransaction, entries: readonly Entry[]): Promise<Int32Array> {
  const tally = new EntryTally(entries);
  if (entries.length === 0) return tally.hosts;
  const kernels = await loadKernels(tx, tally.versions);
  const judgedOutside = await tallySets(tx, tally, kernels);
  for (const { judged, hosts } of judgedOutside) tally.add([judged], hosts);
  return tally.hosts;
}

/** Hosts with equal packages that run the same kernel. */
interface HostGroup {
  readonly setId: number;
  readonly judged: PackageVersionId | null;
  readonly hosts: number;
}

const hostGroups = `SELECT hs.set_id AS "setId", hs.judged_kernel_id AS judged, count(*)::int AS hosts
  FROM host_state hs JOIN hosts h ON h.id = hs.host_id AND h.approval_status = 'approved'`;

/** Adds the hosts of all sets that hold one of the versions; returns the others that run one of them as their kernel. */
async function tallySets(
  tx: PgTransaction,
  tally: EntryTally,
  kernels: Kernels,
): Promise<readonly { readonly judged: PackageVersionId; readonly hosts: number }[]> {
  // A part of a kernel counts where its kernel is in the set.
  const wanted = new Set([...tally.versions, ...(kernels.hasParts ? kernels.judged : [])]);
  const sets = wanted.size > fewVersions ? null : await findSetIds(tx, wanted);
  // In one statement, so that a host that moves to another set meanwhile counts once.
  const { rows } = await tx.query<HostGroup>(
    `${hostGroups} WHERE $1::int[] IS NULL OR hs.set_id = ANY($1) GROUP BY 1, 2`,
    [sets === null ? null : [...sets]],
  );
  const groups = groupBy(rows, ({ setId }) => setId);
  const visited = new Set<number>();
  await visitSets(tx, wanted, (id, installed) => {
    visited.add(id);
    for (const { judged, hosts } of groups.get(id) ?? []) {
      const judgedHere = installed.filter((version) => kernels.counts(version, judged, installed));
      if (judged !== null && !judgedHere.includes(judged)) judgedHere.push(judged);
      tally.add(judgedHere, hosts);
    }
  });
  const running = await tx.query<HostGroup & { readonly judged: PackageVersionId }>(
    `${hostGroups} WHERE hs.judged_kernel_id = ANY($1::int[]) GROUP BY 1, 2`,
    [[...tally.versions].filter((id) => kernels.judged.has(id))],
  );
  return running.rows.filter(({ setId }) => !visited.has(setId));
}

/** Counts hosts per entry. */
class EntryTally {
  readonly hosts: Int32Array;
  readonly #entriesOf = new Map<PackageVersionId, number[]>();
  /** The last group of hosts that counted, by entry. */
  readonly #marks: Float64Array;
  #groups = 0;

  constructor(entries: readonly Entry[]) {
    this.hosts = new Int32Array(entries.length);
    this.#marks = new Float64Array(entries.length);
    entries.forEach(({ ids }, entry) => {
      for (const id of decodePackageSet(ids)) {
        const known = this.#entriesOf.get(id);
        if (known === undefined) this.#entriesOf.set(id, [entry]);
        else known.push(entry);
      }
    });
  }

  /** The package versions of all entries. */
  get versions(): ReadonlySet<PackageVersionId> {
    return new Set(this.#entriesOf.keys());
  }

  /** Adds hosts that have these versions, once per entry. */
  add(versions: readonly PackageVersionId[], hosts: number): void {
    const mark = ++this.#groups;
    for (const id of versions)
      for (const entry of this.#entriesOf.get(id) ?? []) {
        if (this.#marks[entry] === mark) continue;
        this.#marks[entry] = mark;
        this.hosts[entry] = (this.hosts[entry] ?? 0) + hosts;
      }
  }
}

interface Kernels {
  /** Versions that are the judged kernel of a host. */
  readonly judged: ReadonlySet<PackageVersionId>;
  /** Whether a wanted version is a part of a kernel. */
  readonly hasParts: boolean;
  /** Whether a version counts on hosts with this judged kernel. */
  counts(
    id: PackageVersionId,
    judged: PackageVersionId | null,
    installed: readonly PackageVersionId[],
  ): boolean;
}

async function loadKernels(tx: PgTransaction, versions: ReadonlySet<PackageVersionId>): Promise<Kernels> {
  const { rows } = await tx.query<{
    id: PackageVersionId;
    kernel: KernelImage | KernelPart;
    isJudged: boolean;
  }>(
    `SELECT v.id, v.verdict -> 'kernel' AS kernel, j.id IS NOT NULL AS "isJudged" FROM package_versions v
     LEFT JOIN (SELECT DISTINCT judged_kernel_id AS id FROM host_state) j ON j.id = v.id
     WHERE (j.id IS NOT NULL OR v.id = ANY($1::int[])) AND jsonb_typeof(v.verdict -> 'kernel') = 'object'`,
    [[...versions]],
  );
  const kernels = new Map(rows.map(({ id, kernel }) => [id, kernel]));
  return {
    judged: new Set(rows.filter(({ isJudged }) => isJudged).map(({ id }) => id)),
    hasParts: rows.some(({ id, kernel }) => kernel.role === 'part' && versions.has(id)),
    counts(id, judged, installed) {
      const kernel = kernels.get(id);
      if (kernel === undefined || id === judged) return true;
      if (kernel.role !== 'part' || judged === null || !installed.includes(judged)) return false;
      return isSameKernel(kernel, kernels.get(judged));
    },
  };
}
