import type { FixState, Upgrade } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { areLinesComparable, isSameArchitecture } from '../builds.ts';
import type { HostFacts, HostUpgrade } from './host-facts.ts';
import type { PackageSummary } from './package-summary.ts';

/** The package manager's offers for one installed package, or for the running kernel. */
export interface Supply {
  readonly offers: readonly Offer[];
  /** Whether the host could determine its available updates. */
  readonly known: boolean;
  /** The package is held. */
  readonly held: boolean;
  /** As in PackageSummary. */
  readonly reached: Uint8Array | null;
}

/**
 * One offered version. `key` is null if it cannot be compared with the package's fixed versions. `withheld`: why the
 * host does not install it now: the operator holds it, or the publisher offers it to other hosts first.
 */
export interface Offer {
  readonly upgrade: HostUpgrade;
  readonly key: Uint8Array | null;
  readonly withheld: 'held' | 'phased' | null;
}

/** A host's offers by package. */
export interface Offers {
  readonly byName: ReadonlyMap<string, readonly HostUpgrade[]>;
  readonly facts: HostFacts;
  /** The architectures of held packages by name. */
  readonly heldArchitectures: ReadonlyMap<string, readonly string[]>;
  readonly heldKernelFlavours: ReadonlySet<string>;
}

/** Groups a host's offers by package. */
export function gatherOffers(packages: readonly PackageSummary[], facts: HostFacts): Offers {
  const byName = new Map<string, HostUpgrade[]>();
  for (const offer of facts.upgrades) {
    const others = byName.get(offer.upgrade.name);
    if (others === undefined) byName.set(offer.upgrade.name, [offer]);
    else others.push(offer);
  }
  const held = facts.held.size === 0 ? [] : packages.filter(({ id }) => facts.held.has(id));
  return {
    byName,
    facts,
    heldArchitectures: architecturesByName(held),
    heldKernelFlavours: new Set(held.flatMap(({ metapackageFlavour }) => metapackageFlavour ?? [])),
  };
}

/** The architectures of packages, by name. */
export function architecturesByName(
  packages: readonly PackageSummary[],
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const { name, architecture } of packages) {
    const others = byName.get(name);
    if (others === undefined) byName.set(name, [architecture]);
    else others.push(architecture);
  }
  return byName;
}

/** Whether the host holds an offer or the package that it updates; another architecture's hold does not count. */
export function isHeld(
  { name, architecture, held }: Upgrade,
  { heldArchitectures }: Pick<Offers, 'heldArchitectures'>,
): boolean {
  return held || (heldArchitectures.get(name) ?? []).some((other) => isSameArchitecture(architecture, other));
}

/** The offers for an installed package that is not a kernel. */
export function packageSupply(subject: PackageSummary, { byName, facts }: Offers): Supply {
  const held = facts.held.has(subject.id);
  const known = facts.updates === 'known';
  const { reached } = subject;
  const named = byName.get(subject.name);
  if (named === undefined) return { offers: [], known, held, reached };
  const offers = named
    .filter(({ upgrade }) => isSameArchitecture(upgrade.architecture, subject.architecture))
    .map((upgrade) => ({
      upgrade,
      key: comparableKey(subject, upgrade),
      withheld: withheldBy(upgrade, held),
    }));
  return { offers, known, held, reached };
}

/**
 * The offers for the running kernel: every kernel of its flavour and source, under the same name, a new name, or the
 * metapackage. Kernels of another source belong to another line and close no advisory of this one.
 */
export function kernelSupply(running: PackageSummary, offers: Offers): Supply {
  const { facts, heldKernelFlavours } = offers;
  const flavour = running.kernel?.flavour ?? null;
  const kernels = facts.upgrades.filter(
    ({ source }) =>
      source.kernelFlavour === flavour &&
      (source.kind === 'unknown' || source.matchName === running.matchName),
  );
  return {
    offers: kernels.map((upgrade) => ({
      upgrade,
      key: kernelKey(running, upgrade),
      withheld: withheldBy(upgrade, isHeld(upgrade.upgrade, offers)),
    })),
    known: facts.updates === 'known',
    held: flavour !== null && heldKernelFlavours.has(flavour),
    reached: null,
  };
}

/** The key of an offered kernel, comparable with the running one's fixed versions; null for another source or line. */
export function kernelKey({ matchName, line }: PackageSummary, { source }: HostUpgrade): Uint8Array | null {
  if (source.kind !== 'comparable' || source.matchName !== matchName) return null;
  return areLinesComparable(source.line ?? '', line) ? source.key : null;
}

function withheldBy({ upgrade }: HostUpgrade, isPackageHeld: boolean): Offer['withheld'] {
  if (isPackageHeld || upgrade.held) return 'held';
  return upgrade.phased ? 'phased' : null;
}

/**
 * How a fix reaches the host: `unfinished` if it is installed in part; `installable` if an offer contains it; `held` if
 * only held offers contain it, or if the package is held and has no offer; `phased` if only offers to other hosts contain
 * it. An offer that cannot be compared leaves it at `fix_published`.
 */
export function supplyState({ offers, known, held, reached: own }: Supply, fixKey: Uint8Array): FixState {
  if (own !== null && compareKeys(own, fixKey) >= 0) return 'unfinished';
  let reached: Offer['withheld'] = null;
  let incomparable = false;
  for (const offer of offers) {
    if (offer.key === null) {
      incomparable = true;
    } else if (compareKeys(offer.key, fixKey) >= 0) {
      if (offer.withheld === null) return 'installable';
      if (reached !== 'held') reached = offer.withheld;
    }
  }
  if (reached !== null) return reached;
  if (incomparable || !known) return 'fix_published';
  return held && offers.length === 0 ? 'held' : 'not_in_repositories';
}

/** The key of an offer, comparable with a package's fixed versions; null if the two have different sources. */
export function comparableKey(subject: PackageSummary, { source }: HostUpgrade): Uint8Array | null {
  if (source.kind !== 'comparable' || !areLinesComparable(source.line ?? '', subject.line)) return null;
  if (source.matchName === subject.matchName) return source.key;
  return !source.stated && subject.versionIsSource ? source.key : null;
}

/** Whether an offer for a package or a kernel has the version of a fix, or a higher one. */
export function offersFix(subject: PackageSummary, offer: HostUpgrade, fixKey: Uint8Array): boolean {
  const key = offerKey(subject, offer);
  return key !== null && compareKeys(key, fixKey) >= 0;
}

/** Null if the offer is for another package, or cannot be compared. */
function offerKey(subject: PackageSummary, offer: HostUpgrade): Uint8Array | null {
  if (subject.kernel !== null) {
    return offer.source.kernelFlavour === subject.kernel.flavour ? kernelKey(subject, offer) : null;
  }
  const { name, architecture } = offer.upgrade;
  if (name !== subject.name || !isSameArchitecture(architecture, subject.architecture)) return null;
  return comparableKey(subject, offer);
}
