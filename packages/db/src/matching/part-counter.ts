import {
  alikeState,
  architecturesByName,
  type CountedPart,
  countKernels,
  countPackages,
  type DueSpan,
  DueTally,
  type HostFacts,
  type HostSums,
  noDueSpan,
  type PackageSummary,
  summaryDueSpan,
  sumsOf,
  type Tally,
  TallySum,
  tallyUpdates,
} from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import {
  type EncodedEntry,
  type EncodedFindingList,
  encodeEntry,
  FindingListWriter,
  headOf,
} from '../interning/finding-list.ts';
import { type NamedOffers, noOffers, type OfferList } from './offer-lists.ts';
import type { SelectedPackages, UpdateNames, VersionSummaries } from './version-summaries.ts';

/** A host to count. The summaries of its packages are loaded. */
export interface HostInParts {
  /** Its package versions, ascending. */
  readonly ids: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
  readonly facts: HostFacts;
  readonly offers: OfferList;
  /** Equal for hosts on which equal packages with equal offers and holds count the same, kernels aside. */
  readonly context: string;
  /** Equal for hosts with equal facts about their kernels. */
  readonly kernelFacts: string;
  /** Summaries of the packages of which something is waived on the host. */
  readonly waived: ReadonlyMap<PackageVersionId, PackageSummary>;
}

/** Estimated bytes of what is kept. */
const maxBytes = 32 * 1024 * 1024;
const bytesPerPart = 300;
const bytesPerSpan = 16;
/** Numbers of offers below this one form a number with any version's id that is exact. */
const offerNumbers = 2 ** 22;

/**
 * Counts hosts as sums of their parts: packages that count alike are counted by kind; packages with offers by name; those
 * that decide about kernels together. What a part adds is kept, because most hosts have most of their parts in common.
 */
export class PartCounter {
  private readonly versions: VersionSummaries;
  private readonly contexts = new Map<string, Context>();
  private bytes = 0;
  /** The number of calls of `forget`, and by version the last one with it. */
  private changes = 0;
  private changedAt = new Uint32Array(1 << 16);
  private readonly tallies = new Tallies();
  private names = new WeakMap<OfferList, UpdateNames>();
  private numbering = 0;

  constructor(versions: VersionSummaries) {
    this.versions = versions;
  }

  /** Forgets everything. */
  clear(): void {
    this.contexts.clear();
    this.tallies.clear();
    this.bytes = 0;
  }

  /** Forgets what depends on these versions. */
  forget(versions: readonly PackageVersionId[]): void {
    this.changes += 1;
    for (const id of versions) {
      if (id >= this.changedAt.length) {
        const known = this.changedAt;
        this.changedAt = new Uint32Array(2 ** Math.ceil(Math.log2(id + 1)));
        this.changedAt.set(known);
      }
      this.changedAt[id] = this.changes;
    }
    for (const { spans, kernels } of this.contexts.values()) {
      kernels.clear();
      for (const id of versions) if (id < spans.length) spans[id] = undefined;
    }
  }

  /** Counts a host. Agrees with assessHost. */
  count(host: HostInParts): { readonly sums: HostSums; readonly findings: EncodedFindingList } {
    if (this.bytes > maxBytes) this.clear();
    this.tallies.reset();
    const context = this.contextOf(host.context);
    const { facts, offers, waived } = host;
    const { held } = facts;
    const isDivisible = this.isDivisible(host);
    const selected = isDivisible
      ? this.versions.select(host.ids, { names: this.namesOf(offers), held, waived })
      : { alike: [], kinds: [], single: [], named: [], ofKernel: host.ids };
    const due = new DueTally(facts.due);
    const entries: DatedEntry[] = [];
    for (const id of selected.single) this.take(this.partOf(context, host, [id], noOffers), entries, due);
    for (let place = 0; place < selected.named.length; place++) {
      const ids = selected.named[place];
      const named = offers.byName[place];
      if (ids !== undefined && named !== undefined && !named.isOfKernel)
        this.take(this.partOf(context, host, ids, named), entries, due);
    }
    const kernels = this.kernelsOf(context, host, selected, isDivisible ? offers.ofKernel : offers.all);
    this.take(kernels, entries, due);
    entries.sort((a, b) => a.entry.versionId - b.entry.versionId);
    const findings = this.writeList(selected, entries, { context, host, due });
    const updates =
      held.size === 0
        ? offers.updates
        : tallyUpdates(offers.offered, {
            heldArchitectures: architecturesByName(this.summariesOf(host, (id) => held.has(id))),
          });
    const sums = sumsOf({ facts, kernels: kernels.kernels }, this.tallies.sum(), { updates, due });
    return { sums, findings };
  }

  private take({ tally, findings }: KeptPart, entries: DatedEntry[], due: DueTally): void {
    this.tallies.add(tally);
    for (const { entry, span } of findings) {
      const { versionId } = entry;
      const installedAt = due.installationOf(span, versionId);
      entries.push({ entry, dueAt: due.add(span, versionId), installedAt });
    }
  }

  /** Writes the list of all findings, and counts the packages that count alike. */
  private writeList(
    { alike, kinds }: SelectedPackages,
    entries: readonly DatedEntry[],
    { context, host, due }: { readonly context: Context; readonly host: HostInParts; readonly due: DueTally },
  ): EncodedFindingList {
    const writer = new FindingListWriter(alike.length + entries.length);
    const isDated = host.facts.due !== undefined;
    let next = 0;
    let before = entries[0];
    for (let n = 0; n < alike.length; n++) {
      const id = alike[n];
      const number = kinds[n];
      if (id === undefined || number === undefined) break;
      while (before !== undefined && before.entry.versionId < id) {
        writer.entry(before.entry, before.dueAt, before.installedAt);
        before = entries[++next];
      }
      const { tally, head } = context.kinds[number] ?? this.kindOf(context, host, number);
      if (head === byVersion) {
        const part = this.partOf(context, host, [id], noOffers);
        this.tallies.add(part.tally);
        for (const { entry, span } of part.findings)
          writer.entry(entry, due.add(span, id), due.installationOf(span, id));
        continue;
      }
      this.tallies.add(tally);
      if (head === notListed) continue;
      const span = isDated ? this.spanOf(context, host, id) : noDueSpan;
      writer.version(id, head, due.add(span, id), due.installationOf(span, id));
    }
    for (; before !== undefined; before = entries[++next])
      writer.entry(before.entry, before.dueAt, before.installedAt);
    return writer.written();
  }

  private contextOf(key: string): Context {
    if (this.numbering !== this.versions.numbering) {
      this.numbering = this.versions.numbering;
      this.names = new WeakMap();
      for (const context of this.contexts.values()) context.kinds.length = 0;
    }
    const known = this.contexts.get(key);
    if (known !== undefined) return known;
    const made: Context = { kinds: [], parts: new Map(), kernels: new Map(), spans: [] };
    this.contexts.set(key, made);
    this.bytes += bytesPerPart + 2 * key.length;
    return made;
  }

  private namesOf(offers: OfferList): UpdateNames {
    const known = this.names.get(offers);
    if (known !== undefined) return known;
    const numbers = this.versions.numbersOf(offers.names);
    this.names.set(offers, numbers);
    return numbers;
  }

  /** Whether offers for the running kernel are told apart from those for other packages: they have its flavour. */
  private isDivisible(host: HostInParts): boolean {
    if (host.runningKernelId === null) return true;
    const { kernel, standing } = this.summaryOf(host, host.runningKernelId);
    return kernel !== null || standing !== 'comparable';
  }

  private summariesOf(
    host: HostInParts,
    isWanted: (id: PackageVersionId) => boolean,
  ): readonly PackageSummary[] {
    return host.ids.filter(isWanted).map((id) => this.summaryOf(host, id));
  }

  private summaryOf({ waived }: HostInParts, id: PackageVersionId): PackageSummary {
    return (waived.size === 0 ? undefined : waived.get(id)) ?? this.versions.get(id);
  }

  private kindOf(context: Context, { facts }: HostInParts, number: number): KeptKind {
    const example = this.versions.exampleOf(number);
    const part = countPackages([example], { ...facts, upgrades: [], held: new Set() });
    const state = alikeState(example, facts);
    const listed = state === undefined ? byVersion : headOf({ state, waived: false });
    const kind = {
      tally: this.tallies.numberOf(part),
      head: part.findings.length === 0 ? notListed : listed,
    };
    context.kinds[number] = kind;
    this.bytes += bytesPerPart;
    return kind;
  }

  private spanOf(context: Context, host: HostInParts, id: PackageVersionId): DueSpan {
    const known = context.spans[id];
    if (known !== undefined) return known;
    const { due } = host.facts;
    const span = due === undefined ? noDueSpan : summaryDueSpan(this.versions.get(id), due.terms);
    context.spans[id] = span;
    this.bytes += bytesPerSpan;
    return span;
  }

  /** Packages with the same name and all offers of this name. */
  private partOf(
    context: Context,
    host: HostInParts,
    ids: readonly PackageVersionId[],
    offers: NamedOffers,
  ): KeptPart {
    const key = keyOf(ids, offers, host.facts.held);
    const known = context.parts.get(key);
    if (known !== undefined && this.isCurrent(ids, known)) return known;
    const packages = ids.map((id) => this.summaryOf(host, id));
    const part = this.kept(countPackages(packages, { ...host.facts, upgrades: offers.upgrades }), key);
    context.parts.set(key, part);
    return part;
  }

  private isCurrent(ids: readonly PackageVersionId[], { madeAt }: KeptPart): boolean {
    for (const id of ids) if ((this.changedAt[id] ?? 0) > madeAt) return false;
    return true;
  }

  private kernelsOf(
    context: Context,
    host: HostInParts,
    { ofKernel, named }: SelectedPackages,
    own: NamedOffers,
  ): KeptKernels {
    const { facts, offers, runningKernelId, kernelFacts } = host;
    const ids = [...ofKernel];
    for (const place of offers.kernelPlaces) ids.push(...(named[place] ?? []));
    const key = `${keyOf(ids, own, facts.held)} ${runningKernelId} ${kernelFacts}`;
    const known = context.kernels.get(key);
    if (known !== undefined) return known;
    const counted = countKernels({
      packages: ids.map((id) => this.summaryOf(host, id)),
      runningKernel: runningKernelId === null ? null : this.summaryOf(host, runningKernelId),
      facts: { ...facts, upgrades: own.upgrades },
    });
    const kernels = { ...this.kept(counted, key), kernels: counted.kernels };
    context.kernels.set(key, kernels);
    this.bytes += counted.kernels.installed.length * bytesPerPart;
    return kernels;
  }

  /** @param key under which it will be kept: a host can make it long. */
  private kept(part: CountedPart, key: number | string): KeptPart {
    const findings = part.findings.map(({ entry, due }) => ({ entry: encodeEntry(entry), span: due }));
    this.bytes += bytesPerPart * (1 + findings.length) + (typeof key === 'string' ? 2 * key.length : 0);
    for (const { entry } of findings)
      this.bytes += (entry.undated.exceptions?.length ?? 0) + (entry.dated.exceptions?.length ?? 0);
    return { tally: this.tallies.numberOf(part), findings, madeAt: this.changes };
  }
}

/** What is kept of hosts on which packages count the same. */
interface Context {
  readonly kinds: KeptKind[];
  readonly parts: Map<number | string, KeptPart>;
  readonly kernels: Map<string, KeptKernels>;
  /** By version. */
  readonly spans: (DueSpan | undefined)[];
}

interface KeptKind {
  /** A number of `Tallies`. */
  readonly tally: number;
  /** Of a package of the kind in a finding list, or one of the two below. */
  readonly head: number;
}

/** The packages of a kind are in no finding list. */
const notListed = -1;
/** Each package of a kind has an entry of its own. */
const byVersion = -2;

interface KeptPart {
  /** A number of `Tallies`. */
  readonly tally: number;
  readonly findings: readonly { readonly entry: EncodedEntry; readonly span: DueSpan }[];
  readonly madeAt: number;
}

interface KeptKernels extends KeptPart {
  readonly kernels: ReturnType<typeof countKernels>['kernels'];
}

interface DatedEntry {
  readonly entry: EncodedEntry;
  readonly dueAt: number;
  readonly installedAt: number;
}

/** Numbers for what parts add, which is equal for most of them; and how many of each a host has. */
class Tallies {
  private readonly numbers = new Map<string, number>();
  private readonly known: Tally[] = [];
  private readonly times: number[] = [];
  private readonly present: number[] = [];

  clear(): void {
    this.reset();
    this.numbers.clear();
    this.known.length = 0;
    this.times.length = 0;
  }

  numberOf({ counts, grounds, disagreements }: Tally): number {
    const tally = { counts, grounds, disagreements };
    const key = JSON.stringify(tally);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.known.length);
    this.times.push(0);
    return this.known.push(tally) - 1;
  }

  add(number: number): void {
    const times = this.times[number] ?? 0;
    if (times === 0) this.present.push(number);
    this.times[number] = times + 1;
  }

  /** Begins a host; the one before can have failed. */
  reset(): void {
    for (const number of this.present) this.times[number] = 0;
    this.present.length = 0;
  }

  /** The sum of what was added since the last reset. */
  sum(): Tally {
    const sum = new TallySum();
    for (const number of this.present) {
      const tally = this.known[number];
      if (tally !== undefined) sum.add(tally, this.times[number]);
    }
    return sum;
  }
}

function keyOf(
  ids: readonly PackageVersionId[],
  { number, text }: NamedOffers,
  held: ReadonlySet<PackageVersionId>,
): number | string {
  const [id] = ids;
  if (ids.length === 1 && id !== undefined && held.size === 0 && number < offerNumbers)
    return id * offerNumbers + number;
  return `${ids.join()} ${text} ${ids.filter((each) => held.has(each)).join()}`;
}
