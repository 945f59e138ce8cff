import type {
  CoreInstall,
  KernelFacts,
  Lifecycle,
  PackageVersionId,
  Release,
  SectionFailure,
  ServiceFacts,
  Statement,
  Subscription,
  Upgrade,
  Verdict,
} from '@plimsoll/model';
import type { CandidateSource } from '../distribution.ts';
import type { OfferChange } from '../upgrade/offer-change.ts';

/** One installed package version of a host with what matching found for it. */
export interface AssessedPackage {
  readonly id: PackageVersionId;
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  readonly verdict: Verdict;
  /** Those that affect it, as matchPackage gives them. */
  readonly statements: readonly Statement[];
  /** Errata that explainPackage calls folded, for the evidence alone; empty changes no other result. */
  readonly folded: readonly Statement[];
}

/** A version that the host's package manager offers; see readOffer. */
export interface HostUpgrade {
  readonly upgrade: Upgrade;
  readonly source: CandidateSource;
  readonly change: OfferChange;
}

/** What a host is besides its packages, as far as findings, updates and reboots depend on it. */
export interface HostFacts {
  /** Null where it is none of a distribution we know. */
  readonly release: Release | null;
  /** How long a feed says that the release is supported; null, or left out, where none says. */
  readonly lifecycle?: Lifecycle | null;
  readonly virtualization: string;
  readonly kernel: KernelFacts;
  readonly services: ServiceFacts;
  /** Null where the host says nothing of one. */
  readonly subscription: Subscription | null;
  readonly failures: readonly SectionFailure[];
  readonly bootedAt: Date | null;
  /** Core packages that were updated after it booted; see coreUpdatesSinceBoot. */
  readonly coreUpdates: readonly CoreInstall[];
  /** All that was reported: versions that are installed and lower ones too; see isOffered. */
  readonly upgrades: readonly HostUpgrade[];
  /** Whether the host could say which updates it is offered. */
  readonly updates: 'known' | 'unknown';
  /** Package versions the host holds back. */
  readonly held: ReadonlySet<PackageVersionId>;
}
