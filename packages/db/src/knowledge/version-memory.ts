import {
  type AssessedPackage,
  isNotable,
  type KernelStatement,
  livePatchOf,
  openingKey,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../core/transaction.ts';
import { MatchClasses, type MatchSources } from './find-matches.ts';
import { JudgedCveMemory } from './judged-cves.ts';
import { readVersionChanges } from './package-versions.ts';
import { StatementMemory } from './statements.ts';
import { bytesOfKernelStatement, bytesOfSummary } from './summary-size.ts';

/** Estimated bytes of summaries kept between calls of `load`. */
const maxBytes = 64 * 1024 * 1024;

const notLoaded = 0;
const notable = 1;

/** A number above `notable` for the name of a package that isNotable is false for. Other names can have the same. */
export function plainMark(name: string): number {
  let hash = 0;
  for (let place = 0; place < name.length; place += 1) hash = (hash * 31 + name.charCodeAt(place)) % 65_521;
  return notable + 1 + hash;
}

/** What else decides whether a package of a host adds anything. */
interface SelectedBy {
  readonly flagged: ReadonlySet<number>;
  readonly held: ReadonlySet<PackageVersionId>;
  /** Summaries of packages of which something is waived on the host. */
  readonly waived: ReadonlyMap<PackageVersionId, PackageSummary>;
}

/** The state of knowledge that a memory follows; another object after each change. */
export interface KnownState {
  /** What matching has read and found. */
  readonly sources: MatchSources;
}

/**
 * What a process knows of package versions, until a change concerns them: what is stated about packages, for matching new
 * versions, and the summaries of versions, for all that counts. One for each process and database.
 */
export class VersionMemory {
  private readonly summaries = new Map<PackageVersionId, PackageSummary>();
  private readonly livePatches = new Set<PackageVersionId>();
  /** Kernels of one source have nearly the same statements. */
  private readonly kernelStatements = new Map<string, KernelStatement>();
  private bytes = 0;
  /** By version: `notLoaded`, `notable`, or the mark of its name, see plainMark. Faster than looking at each summary. */
  private marks = new Uint16Array(1 << 16);
  private state = newState();
  /** The newest change of package versions that it follows; null: none is known. */
  private seen: string | null = null;
  private dated = false;

  /** Whether summaries have what due dates depend on. */
  get isDated(): boolean {
    return this.dated;
  }

  /**
   * Forgets what changed since the last call. The caller holds the lock of holdAdvisories or changeAdvisories until it has
   * used what it finds here, and what it keeps itself of a state is of no use for another one.
   */
  async follow(client: Statements): Promise<KnownState> {
    const { newest, versions } = await readVersionChanges(client, this.seen);
    if (versions !== null && newest === this.seen) return this.state;
    if (versions === null) this.clear();
    else this.forget(versions);
    this.state = newState();
    this.seen = newest;
    return this.state;
  }

  /** Forgets all summaries if a policy of due dates was set or removed: only with one they have dates. */
  followPolicy(isDated: boolean): KnownState {
    if (isDated === this.dated) return this.state;
    this.dated = isDated;
    this.clear();
    this.state = newState();
    return this.state;
  }

  /**
   * Forgets versions, and all live patches, because statements about other packages decide what a live patch
   * closes.
   */
  forget(versions: Iterable<PackageVersionId>): void {
    for (const id of [...versions, ...this.livePatches]) this.drop(id);
  }

  /**
   * Loads the summaries of those ids in any of `sets` that are not loaded. All are loaded when it returns, and
   * until the caller waits for anything else: other callers may make it forget. Throws if a version does not exist.
   * @param from package versions with the statements that affect them.
   */
  async load(
    sets: readonly Iterable<PackageVersionId>[],
    from: (missing: readonly PackageVersionId[]) => AsyncIterable<AssessedPackage>,
  ): Promise<void> {
    if (this.bytes > maxBytes) this.clear();
    let missing = this.missing(sets);
    while (missing.length > 0) {
      for await (const subject of from(missing)) this.add(subject);
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

  /**
   * The packages of a host that can add anything to what is counted; those in `ids` are loaded.
   * @param flagged marks of the names of updates that the host's package manager marks as security.
   */
  select(ids: readonly PackageVersionId[], { flagged, held, waived }: SelectedBy): readonly PackageSummary[] {
    const selected: PackageSummary[] = [];
    const { marks } = this;
    for (const id of ids) {
      const mark = marks[id] ?? notLoaded;
      if (mark > notable && !flagged.has(mark) && !(held.size > 0 && held.has(id))) continue;
      selected.push((waived.size > 0 ? waived.get(id) : undefined) ?? this.get(id));
    }
    return selected;
  }

  /** Keeps versions that were matched under a state, unless that has changed. */
  keep(subjects: readonly AssessedPackage[], state: KnownState): void {
    if (state !== this.state) return;
    for (const subject of subjects) this.add(subject);
  }

  private clear(): void {
    this.summaries.clear();
    this.livePatches.clear();
    this.kernelStatements.clear();
    this.bytes = 0;
    this.marks.fill(notLoaded);
  }

  private missing(sets: readonly Iterable<PackageVersionId>[]): PackageVersionId[] {
    const missing = new Set<PackageVersionId>();
    for (const ids of sets)
      for (const id of ids) if ((this.marks[id] ?? notLoaded) === notLoaded) missing.add(id);
    return [...missing];
  }

  private add(subject: AssessedPackage): void {
    const summary = summarisePackage(subject);
    const { id, name, version, kernel } = summary;
    this.drop(id);
    const statements = kernel?.statements.map((statement) => this.shared(statement));
    const kept =
      kernel === null || statements === undefined
        ? summary
        : { ...summary, kernel: { ...kernel, statements } };
    this.summaries.set(id, kept);
    if (id >= this.marks.length) {
      const grown = new Uint16Array(2 ** Math.ceil(Math.log2(id + 1)));
      grown.set(this.marks);
      this.marks = grown;
    }
    this.marks[id] = isNotable(kept) ? notable : plainMark(name);
    this.bytes += bytesOfSummary(kept);
    if (livePatchOf(name, version) !== null) this.livePatches.add(id);
  }

  private drop(id: PackageVersionId): void {
    const summary = this.summaries.get(id);
    if (summary === undefined) return;
    this.bytes -= bytesOfSummary(summary);
    this.summaries.delete(id);
    this.marks[id] = notLoaded;
    this.livePatches.delete(id);
  }

  private shared(statement: KernelStatement): KernelStatement {
    const { advisory, openCves, opening, due } = statement;
    const dated = due === undefined ? '' : JSON.stringify(due);
    const key = `${advisory} ${openCves.join(' ')} ${openingKey(opening)} ${dated}`;
    const known = this.kernelStatements.get(key);
    if (known !== undefined) return known;
    this.kernelStatements.set(key, statement);
    this.bytes += bytesOfKernelStatement(key);
    return statement;
  }
}

function newState(): KnownState {
  return {
    sources: {
      statements: new StatementMemory(),
      judged: new JudgedCveMemory(),
      classes: new MatchClasses(),
    },
  };
}
