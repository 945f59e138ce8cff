import {
  alikeKey,
  isNotable,
  isOfKernel,
  type KernelStatement,
  livePatchOf,
  openingKey,
  type PackageSummary,
} from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';

/** Estimated bytes kept between calls of `load`. */
const maxBytes = 64 * 1024 * 1024;
/** Names that have a number. */
const maxNames = 200_000;
/** Kinds of packages that count alike. Packages of further kinds are counted one by one. */
const maxKinds = 10_000;

const notLoaded = 0;
/** Adds nothing to the totals of most hosts; see isNotable. */
const plain = 1;
/** Is counted on its own. */
const single = 2;
/** Is counted with the host's kernels. */
const ofKernel = 3;
/** From this number on: one of the kinds that count alike, numbered as they appear. */
const firstKind = 4;

/** The packages of a host that matter for its totals. Valid until the next selection. */
export interface SelectedPackages {
  /** Those that count alike, in the order of the host's packages, and the kind of each. */
  readonly alike: readonly PackageVersionId[];
  readonly kinds: readonly number[];
  /** Those that are counted on their own: without updates under their name, but held, waived or of no kind. */
  readonly single: readonly PackageVersionId[];
  /** By place of a name in UpdateNames: those with this name. */
  readonly named: readonly (readonly PackageVersionId[] | undefined)[];
  readonly ofKernel: readonly PackageVersionId[];
}

/** The distinct package names of a host's updates, or the numbers of these names. */
export interface UpdateNames<Name extends string | number = number> {
  readonly all: readonly Name[];
  /** Those of updates that the host's package manager marks as security. */
  readonly flagged: readonly Name[];
}

/** What else decides how a host's packages count. */
export interface SelectedBy {
  readonly names: UpdateNames;
  readonly held: ReadonlySet<PackageVersionId>;
  /** Packages of which something is waived. */
  readonly waived: Pick<ReadonlySet<PackageVersionId>, 'has' | 'size'>;
}

/**
 * The loaded summaries of package versions in tables by version id. `select` finds the packages that matter
 * for a host without looking at the summary of each package, and counts those that count alike.
 */
export class VersionSummaries {
  private readonly summaries = new Map<PackageVersionId, PackageSummary>();
  private readonly livePatches = new Set<PackageVersionId>();
  private readonly nameNumbers = new Map<string, number>();
  /** Kernels of one source have nearly the same statements. */
  private readonly kernelStatements = new Map<string, KernelStatement>();
  private bytes = 0;
  private natures = new Uint16Array(1 << 16);
  private readonly kinds = new Map<string, number>();
  /** By kind: one of its packages. */
  private readonly examples: PackageSummary[] = [];
  /** Numbers of names by version id. */
  private names = new Int32Array(1 << 16);
  /**
   * By number of a name: twice the number of the last selection with an update of it, and one more if one is marked as
   * security. Not int32: it counts every host.
   */
  private marks = new Float64Array(1 << 12);
  /** By number of a name: its place among the names of the last selection with it. */
  private places = new Int32Array(1 << 12);
  private selections = 0;
  /** Changes when kinds get other numbers. */
  numbering = 0;

  /**
   * Forgets versions, and all live patches, because statements about other packages decide what a live patch
   * closes.
   */
  forget(versions: Iterable<PackageVersionId>): void {
    for (const id of [...versions, ...this.livePatches]) this.drop(id);
  }

  /** Forgets everything, also the numbers of names. */
  clear(): void {
    this.summaries.clear();
    this.livePatches.clear();
    this.nameNumbers.clear();
    this.kernelStatements.clear();
    this.kinds.clear();
    this.examples.length = 0;
    this.numbering += 1;
    this.bytes = 0;
    this.natures.fill(notLoaded);
  }

  /**
   * Loads the summaries of those ids in any of `sets` that are not loaded. All are loaded when it returns, and
   * until the caller waits for anything else: other callers may make it forget. Numbers of names from before are no
   * longer valid. Throws if a version does not exist.
   */
  async load(
    sets: readonly (readonly PackageVersionId[])[],
    from: (missing: readonly PackageVersionId[]) => Promise<readonly PackageSummary[]>,
  ): Promise<void> {
    if (this.bytes > maxBytes || this.nameNumbers.size > maxNames) this.clear();
    let missing = this.missing(sets);
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

  private numberOf(name: string): number {
    const known = this.nameNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.nameNumbers.size;
    this.nameNumbers.set(name, number);
    if (number >= this.marks.length) {
      this.marks = grown(this.marks, new Float64Array(this.marks.length * 2));
      this.places = grown(this.places, new Int32Array(this.places.length * 2));
    }
    return number;
  }

  /** The numbers of names, for `select`; valid until the caller waits for anything. */
  numbersOf({ all, flagged }: UpdateNames<string>): UpdateNames {
    const numberOf = (name: string): number => this.numberOf(name);
    return { all: all.map(numberOf), flagged: flagged.map(numberOf) };
  }

  /** What counts of the packages `ids`, which are loaded, on a host with these updates, holds and waivers. */
  select(ids: readonly PackageVersionId[], { names, held, waived }: SelectedBy): SelectedPackages {
    const named = 2 * ++this.selections;
    const flagged = named + 1;
    const { natures, marks, places, names: nameOf } = this;
    for (let place = 0; place < names.all.length; place++) {
      const number = names.all[place] ?? 0;
      marks[number] = named;
      places[number] = place;
    }
    for (const number of names.flagged) marks[number] = flagged;
    const isOrdinary = held.size === 0 && waived.size === 0;
    const selected = {
      alike: [] as PackageVersionId[],
      kinds: [] as number[],
      single: [] as PackageVersionId[],
      named: [] as (PackageVersionId[] | undefined)[],
      ofKernel: [] as PackageVersionId[],
    };
    for (const id of ids) {
      const nature = natures[id] ?? notLoaded;
      const name = nameOf[id] ?? 0;
      const mark = marks[name] ?? 0;
      const isOrdinaryHere = isOrdinary || !(held.has(id) || waived.has(id));
      if (nature === plain && mark !== flagged && isOrdinaryHere) continue;
      if (nature === ofKernel) selected.ofKernel.push(id);
      else if (mark >= named) {
        const place = places[name] ?? 0;
        const others = selected.named[place];
        if (others === undefined) selected.named[place] = [id];
        else others.push(id);
      } else if (nature < firstKind || !isOrdinaryHere) selected.single.push(id);
      else {
        selected.alike.push(id);
        selected.kinds.push(nature - firstKind);
      }
    }
    return selected;
  }

  /** One of the packages of a kind. */
  exampleOf(kind: number): PackageSummary {
    const summary = this.examples[kind];
    if (summary === undefined) throw new Error('a kind of packages has no example');
    return summary;
  }

  private missing(sets: readonly (readonly PackageVersionId[])[]): PackageVersionId[] {
    const { natures } = this;
    const missing = new Set<PackageVersionId>();
    for (const ids of sets)
      for (const id of ids) if (id >= natures.length || natures[id] === notLoaded) missing.add(id);
    return [...missing];
  }

  private add(summary: PackageSummary): void {
    const { id, name, version, kernel } = summary;
    this.drop(id);
    if (id >= this.natures.length) {
      const size = 2 ** Math.ceil(Math.log2(id + 1));
      this.natures = grown(this.natures, new Uint16Array(size));
      this.names = grown(this.names, new Int32Array(size));
    }
    const statements = kernel?.statements.map((statement) => this.shared(statement));
    const kept =
      kernel === null || statements === undefined
        ? summary
        : { ...summary, kernel: { ...kernel, statements } };
    this.summaries.set(id, kept);
    this.bytes += bytesOfSummary(kept);
    this.natures[id] = this.natureOf(kept);
    this.names[id] = this.numberOf(name);
    if (livePatchOf(name, version) !== null) this.livePatches.add(id);
  }

  private natureOf(summary: PackageSummary): number {
    if (!isNotable(summary)) return plain;
    if (isOfKernel(summary)) return ofKernel;
    const key = alikeKey(summary);
    if (key === null) return single;
    const known = this.kinds.get(key);
    if (known !== undefined) return firstKind + known;
    if (this.examples.length >= maxKinds) return single;
    const kind = this.examples.push(summary) - 1;
    this.kinds.set(key, kind);
    return firstKind + kind;
  }

  private drop(id: PackageVersionId): void {
    const summary = this.summaries.get(id);
    if (summary === undefined) return;
    this.bytes -= bytesOfSummary(summary);
    this.summaries.delete(id);
    this.livePatches.delete(id);
    this.natures[id] = notLoaded;
  }

  private shared(statement: KernelStatement): KernelStatement {
    const { advisory, openCves, opening, due } = statement;
    const dated = due === undefined ? '' : JSON.stringify(due);
    const key = `${advisory} ${openCves.join(' ')} ${openingKey(opening)} ${dated}`;
    const known = this.kernelStatements.get(key);
    if (known !== undefined) return known;
    this.kernelStatements.set(key, statement);
    this.bytes += 4 * key.length + bytesPerObject;
    return statement;
  }
}

/** Estimates in bytes. */
const bytesPerObject = 100;
const bytesPerSummary = 400;
const bytesPerOpening = 250;
const bytesPerCve = 60;
const bytesPerAdvisory = 8;
const bytesPerDueCve = 200;
/** A reference, and a number in the list of advisories. */
const bytesPerStatement = 12;

/** The estimated size of a summary, without its kernel statements, which others share. */
export function bytesOfSummary({ name, version, openings, dues, kernel, livePatch }: PackageSummary): number {
  return (
    bytesPerSummary +
    2 * (name.length + version.length) +
    openings.reduce(
      (sum, { advisories }) => sum + bytesPerOpening + advisories.length * bytesPerAdvisory,
      0,
    ) +
    (kernel?.statements.length ?? 0) * bytesPerStatement +
    (livePatch?.cves.length ?? 0) * bytesPerCve +
    (dues ?? []).reduce((sum, { cves }) => sum + bytesPerObject + cves.length * bytesPerDueCve, 0)
  );
}

function grown<T extends Uint16Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
