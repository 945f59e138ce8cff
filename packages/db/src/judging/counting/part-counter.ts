import {
  architecturesByName,
  type CountedPart,
  countKernels,
  countPackages,
  type DueSpan,
  DueTally,
  type HostFacts,
  type HostSums,
  isOfKernel,
  type PackageSummary,
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
} from './finding-list.ts';
import { type NamedOffers, noOffers, type OfferList } from './offer-lists.ts';

/** A host to count. */
export interface HostInParts {
  /** Its packages that can add anything, by ascending version; see VersionMemory.select. */
  readonly packages: readonly PackageSummary[];
  readonly runningKernel: PackageSummary | null;
  readonly facts: HostFacts;
  readonly offers: OfferList;
  /** Equal for hosts on which equal packages with equal offers and holds count the same, kernels aside. */
  readonly context: string;
  /** Equal for hosts with equal facts about their kernels. */
  readonly kernelFacts: string;
}

/** Estimated bytes of what is kept. */
const maxBytes = 32 * 1024 * 1024;
const bytesPerPart = 300;

/**
 * Counts hosts as sums of their parts: packages without offers one by one; packages with offers by name; those that decide
 * about kernels together. What a part adds is kept, because most hosts have most of their parts in common, and counts as
 * long as its packages have the same summaries.
 */
export class PartCounter {
  private readonly contexts = new Map<string, Context>();
  private bytes = 0;

  /** Counts a host. Agrees with assessHost. */
  count(host: HostInParts): { readonly sums: HostSums; readonly findings: EncodedFindingList } {
    if (this.bytes > maxBytes) this.forget();
    const { facts, offers, packages } = host;
    const { held } = facts;
    const context = this.contextOf(host.context);
    const sum = new TallySum();
    const found: ListedFinding[] = [];
    const take = ({ tally, findings }: KeptPart): void => {
      sum.add(tally);
      for (const finding of findings) found.push(finding);
    };
    const { alone, named, kernels } = divide(host);
    for (const summary of alone)
      take(held.has(summary.id) ? partOf([summary], facts, noOffers) : this.aloneIn(context, summary, facts));
    for (const [own, some] of named) take(this.namedIn(context, some, facts, own));
    const ofKernel = this.kernelsIn(context, host, kernels);
    take(ofKernel);
    const due = new DueTally(facts.due);
    const findings = writeList(found, due);
    const updates =
      held.size === 0
        ? offers.updates
        : tallyUpdates(offers.offered, {
            heldArchitectures: architecturesByName(packages.filter(({ id }) => held.has(id))),
          });
    return { sums: sumsOf({ facts, kernels: ofKernel.kernels }, sum, { updates, due }), findings };
  }

  /** Of kernels, whose summaries are large, nothing is kept beyond a change of knowledge. */
  forgetKernels(): void {
    for (const { kernels } of this.contexts.values()) kernels.clear();
  }

  private forget(): void {
    this.contexts.clear();
    this.bytes = 0;
  }

  private contextOf(key: string): Context {
    const known = this.contexts.get(key);
    if (known !== undefined) return known;
    const made: Context = { alone: new WeakMap(), named: new Map(), kernels: new Map() };
    this.contexts.set(key, made);
    this.bytes += bytesPerPart + 2 * key.length;
    return made;
  }

  private aloneIn({ alone }: Context, summary: PackageSummary, facts: HostFacts): KeptPart {
    const known = alone.get(summary);
    if (known !== undefined) return known;
    const part = partOf([summary], facts, noOffers);
    alone.set(summary, part);
    this.bytes += bytesPerPart;
    return part;
  }

  /** Packages with the same name and all offers of this name. */
  private namedIn(
    { named }: Context,
    packages: readonly PackageSummary[],
    facts: HostFacts,
    offers: NamedOffers,
  ): KeptPart {
    const key = keyOf(packages, offers, facts.held);
    const known = named.get(key);
    if (known !== undefined && isEqual(known.of, packages)) return known;
    const part = { ...partOf(packages, facts, offers), of: packages };
    this.keep(named, key, part);
    return part;
  }

  private kernelsIn(
    { kernels }: Context,
    { facts, runningKernel, kernelFacts, offers }: HostInParts,
    packages: readonly PackageSummary[],
  ): KeptKernels {
    const own = isDivisible(runningKernel) ? offers.ofKernel : offers.all;
    const of = runningKernel === null ? packages : [...packages, runningKernel];
    const key = `${keyOf(of, own, facts.held)} ${runningKernel === null} ${kernelFacts}`;
    const known = kernels.get(key);
    if (known !== undefined && isEqual(known.of, of)) return known;
    const counted = countKernels({ packages, runningKernel, facts: { ...facts, upgrades: own.upgrades } });
    const part = { ...encoded(counted), kernels: counted.kernels, of };
    this.keep(kernels, key, part);
    return part;
  }

  /** @param key a host can make it long. */
  private keep<Part extends NamedPart>(parts: Map<string, Part>, key: string, part: Part): void {
    parts.set(key, part);
    this.bytes += bytesPerPart * (1 + part.of.length + part.findings.length) + 2 * key.length;
    for (const { entry } of part.findings)
      this.bytes += (entry.undated.exceptions?.length ?? 0) + (entry.dated.exceptions?.length ?? 0);
  }
}

/** What is kept of hosts on which packages count the same. */
interface Context {
  /** Packages without offers that are not held. */
  readonly alone: WeakMap<PackageSummary, KeptPart>;
  readonly named: Map<string, NamedPart>;
  readonly kernels: Map<string, KeptKernels>;
}

/** What a part adds. */
interface KeptPart {
  readonly tally: Tally;
  readonly findings: readonly ListedFinding[];
}

interface ListedFinding {
  readonly entry: EncodedEntry;
  readonly span: DueSpan;
}

interface NamedPart extends KeptPart {
  /** The packages that it was counted from. */
  readonly of: readonly PackageSummary[];
}

interface KeptKernels extends NamedPart {
  readonly kernels: ReturnType<typeof countKernels>['kernels'];
}

/** The packages of a host that can add anything, by part. */
interface DividedHost {
  readonly alone: readonly PackageSummary[];
  readonly named: ReadonlyMap<NamedOffers, readonly PackageSummary[]>;
  readonly kernels: readonly PackageSummary[];
}

function divide({ packages, runningKernel, offers: { byName } }: HostInParts): DividedHost {
  if (!isDivisible(runningKernel)) return { alone: [], named: new Map(), kernels: packages };
  const alone: PackageSummary[] = [];
  const named = new Map<NamedOffers, PackageSummary[]>();
  const kernels: PackageSummary[] = [];
  for (const summary of packages) {
    const offers = byName.get(summary.name);
    if (isOfKernel(summary) || offers?.isOfKernel === true) kernels.push(summary);
    else if (offers === undefined) alone.push(summary);
    else {
      const others = named.get(offers);
      if (others === undefined) named.set(offers, [summary]);
      else others.push(summary);
    }
  }
  return { alone, named, kernels };
}

/** Whether offers for the running kernel are told apart from those for other packages: they have its flavour. */
function isDivisible(runningKernel: PackageSummary | null): boolean {
  return runningKernel === null || runningKernel.kernel !== null || runningKernel.standing !== 'comparable';
}

function partOf(packages: readonly PackageSummary[], facts: HostFacts, offers: NamedOffers): KeptPart {
  return encoded(countPackages(packages, { ...facts, upgrades: offers.upgrades }));
}

function encoded({ counts, grounds, disagreements, findings }: CountedPart): KeptPart {
  return {
    tally: { counts, grounds, disagreements },
    findings: findings.map(({ entry, due }) => ({ entry: encodeEntry(entry), span: due })),
  };
}

function writeList(findings: ListedFinding[], due: DueTally): EncodedFindingList {
  findings.sort((a, b) => a.entry.versionId - b.entry.versionId);
  const writer = new FindingListWriter(findings.length);
  for (const { entry, span } of findings) {
    const { versionId } = entry;
    writer.entry(entry, due.add(span, versionId), due.installationOf(span, versionId));
  }
  return writer.written();
}

function keyOf(
  packages: readonly PackageSummary[],
  { text }: NamedOffers,
  held: ReadonlySet<PackageVersionId>,
): string {
  const ids = packages.map(({ id }) => id).join();
  return held.size === 0
    ? `${ids} ${text}`
    : `${ids} ${text} ${packages.map(({ id }) => held.has(id)).join()}`;
}

function isEqual(some: readonly PackageSummary[], others: readonly PackageSummary[]): boolean {
  return some.length === others.length && some.every((summary, place) => summary === others[place]);
}
