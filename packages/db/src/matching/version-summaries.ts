import { isNotable, livePatchOf, type PackageSummary } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';

/** The number of summaries kept between calls of `load`. */
const maxSummaries = 200_000;

const notLoaded = 0;
const plain = 1;
const notable = 2;

/**
 * The loaded summaries of package versions in tables by version id. `select` finds the packages that matter
 * for a host without looking at the summary of each package.
 */
export class VersionSummaries {
  private readonly summaries = new Map<PackageVersionId, PackageSummary>();
  private readonly livePatches = new Set<PackageVersionId>();
  private readonly nameNumbers = new Map<string, number>();
  private natures = new Uint8Array(1 << 16);
  /** Numbers of names by version id. */
  private names = new Int32Array(1 << 16);
  /** The number of the last selection that included a name, by number of the name. Not int32: it counts every host. */
  private marks = new Float64Array(1 << 12);
  private selections = 0;

  /**
   * Forgets versions, and all live patches, because statements about other packages decide what a live patch
   * closes.
   */
  forget(versions: Iterable<PackageVersionId>): void {
    for (const id of [...versions, ...this.livePatches]) {
      this.summaries.delete(id);
      this.livePatches.delete(id);
      if (id < this.natures.length) this.natures[id] = notLoaded;
    }
  }

  /** Forgets everything except the numbers of names. */
  clear(): void {
    this.summaries.clear();
    this.livePatches.clear();
    this.natures.fill(notLoaded);
  }

  /**
   * Loads the summaries of those ids in any of `sets` that are not loaded. All are loaded when it returns, and
   * until the caller waits for anything else: other callers may make it forget. Throws if a version does not exist.
   */
  async load(
    sets: readonly (readonly PackageVersionId[])[],
    from: (missing: readonly PackageVersionId[]) => Promise<readonly PackageSummary[]>,
  ): Promise<void> {
    let missing = this.missing(sets);
    if (this.summaries.size + missing.length > maxSummaries) {
      this.clear();
      missing = this.missing(sets);
    }
    while (missing.length > 0) {
      for (const summary of await from(missing)) this.add(summary);
      for (const id of missing) this.get(id);
      missing = this.missing(sets);
    }
  }

  /** A loaded summary. Throws if it is not loaded. */
  get(id: PackageVersionId): PackageSummary {
    const summary = this.summaries.get(id);
    if (summary === undefined) throw new Error('a snapshot refers to a row that does not exist');
    return summary;
  }

  /** The number of a package name, for `select`. */
  numberOf(name: string): number {
    const known = this.nameNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.nameNumbers.size;
    this.nameNumbers.set(name, number);
    if (number >= this.marks.length) this.marks = grown(this.marks, new Float64Array(this.marks.length * 2));
    return number;
  }

  /** The loaded summaries of those `ids` that are notable, held, or have one of the names. */
  select(
    ids: readonly PackageVersionId[],
    { names, held }: { readonly names: readonly number[]; readonly held: ReadonlySet<PackageVersionId> },
  ): PackageSummary[] {
    const mark = ++this.selections;
    const { natures, marks, names: nameOf } = this;
    for (const number of names) marks[number] = mark;
    const selected: PackageSummary[] = [];
    for (const id of ids) {
      const nature = natures[id];
      if (nature === plain && marks[nameOf[id] ?? 0] !== mark && !(held.size > 0 && held.has(id))) continue;
      selected.push(this.get(id));
    }
    return selected;
  }

  private missing(sets: readonly (readonly PackageVersionId[])[]): PackageVersionId[] {
    const { natures } = this;
    const missing = new Set<PackageVersionId>();
    for (const ids of sets)
      for (const id of ids) if (id >= natures.length || natures[id] === notLoaded) missing.add(id);
    return [...missing];
  }

  private add(summary: PackageSummary): void {
    const { id, name, version } = summary;
    if (id >= this.natures.length) {
      const size = 2 ** Math.ceil(Math.log2(id + 1));
      this.natures = grown(this.natures, new Uint8Array(size));
      this.names = grown(this.names, new Int32Array(size));
    }
    this.summaries.set(id, summary);
    this.natures[id] = isNotable(summary) ? notable : plain;
    this.names[id] = this.numberOf(name);
    if (livePatchOf(name, version) !== null) this.livePatches.add(id);
  }
}

function grown<T extends Uint8Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
