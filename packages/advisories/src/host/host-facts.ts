import type {
  BrokenPackage,
  CoreInstall,
  KernelFacts,
  Lifecycle,
  PackageVersionId,
  Release,
  SectionFailure,
  ServiceFacts,
  Statement,
  Upgrade,
  Verdict,
} from '@plimsoll/model';
import type { CandidateSource, HostSubscription } from '../distribution.ts';
import type { HostDue } from '../due/host-due.ts';
import { classifyUpgrade } from '../registry/distributions.ts';
import { changeOf, type OfferChange } from '../upgrade/offer-change.ts';
import type { HostWaivers } from '../waivers/host-waivers.ts';

/** An installed package version of a host with its matching result. */
export interface AssessedPackage {
  readonly id: PackageVersionId;
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  readonly release: Release;
  readonly verdict: Verdict;
  /** The statements that affect it, from matchPackage. */
  readonly statements: readonly Statement[];
  /** For a package with a live patch: the CVEs that it closes, sorted; see cvesFixedIn. Absent: none. */
  readonly closes?: readonly string[];
  /** Errata that explainPackage judges `folded`; used only for the evidence. */
  readonly folded: readonly Statement[];
}

/** A version that the host's package manager offers; see readOffer. */
export interface HostUpgrade {
  readonly upgrade: Upgrade;
  readonly source: CandidateSource;
  readonly change: OfferChange;
}

/** The facts of a host besides its packages on which findings, updates and reboots depend. */
export interface HostFacts {
  /** Null if no supported distribution has it. */
  readonly release: Release | null;
  /** The release's support period from a feed; null or absent if no feed has it. */
  readonly lifecycle?: Lifecycle | null;
  /** The end of support of its edition of the release; absent: that of the release. */
  readonly editionEnd?: Date;
  /** The end of support that the host's system states itself; absent: it states none. */
  readonly statedEnd?: Date;
  readonly virtualization: string;
  readonly kernel: KernelFacts;
  readonly services: ServiceFacts;
  readonly subscription: HostSubscription;
  readonly failures: readonly SectionFailure[];
  /** Installs that did not end; absent: none. */
  readonly broken?: readonly BrokenPackage[];
  readonly bootedAt: Date | null;
  /** Core packages updated after boot; see coreUpdatesSinceBoot. */
  readonly coreUpdates: readonly CoreInstall[];
  /** All reported offers, including installed and lower versions; see isOffered. */
  readonly upgrades: readonly HostUpgrade[];
  /** Whether the host could determine its available updates. */
  readonly updates: 'known' | 'unknown';
  /** Package versions that are held. */
  readonly held: ReadonlySet<PackageVersionId>;
  /** The waivers that apply to the host, for its assessment; absent: none. Summaries for counting follow them already. */
  readonly waivers?: HostWaivers;
  /** Absent: no policy of due dates is set. */
  readonly due?: HostDue;
}

/** Reads an offer: its compared version in a release, and its relation to the stated installed version. */
export function readOffer(upgrade: Upgrade, release: Release): HostUpgrade {
  const { installedVersion, candidateVersion } = upgrade;
  return {
    upgrade,
    source: classifyUpgrade(upgrade, release),
    change: changeOf(installedVersion, candidateVersion, release),
  };
}

/** Whether an offer is not known to be equal or lower, and so counts as an update. */
export function isOffered({ change }: HostUpgrade): boolean {
  return change !== 'same' && change !== 'downgrade';
}
