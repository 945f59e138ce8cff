import { runningKernelSubject, settleOffers } from '@plimsoll/advisories';
import {
  type AdmitNew,
  type Interning,
  type ParsedUpload,
  releaseFactsOf,
  storedFactsOf,
} from '@plimsoll/db';
import type { PackageVersionId, PackageVersionIdentity, Snapshot } from '@plimsoll/model';
import { followedReleaseLineOf } from './followed-release-line.ts';
import { packagesWithStreams } from './package-streams.ts';

/** An interned snapshot: everything that is stored of it besides its bytes. */
export type InternedSnapshot = Omit<ParsedUpload, 'id' | 'payloadGzip' | 'payloadSha256' | 'payloadSize'>;

/** Interns a snapshot's release, packages, updates, package set and running kernel. Rejects as `admit` does. */
export async function internSnapshot(
  interner: Interning,
  snapshot: Snapshot,
  receivedAt: Date,
  admit: AdmitNew,
): Promise<InternedSnapshot> {
  const release = await interner.release(releaseFactsOf(snapshot.platform));
  const kernel = runningKernelSubject(snapshot);
  const missingKernel = kernel.kind === 'not_installed' ? [kernel.subject] : [];
  const packages = await packagesWithStreams(interner, release, snapshot);
  const line = await followedReleaseLineOf(interner, release, snapshot);
  const identities: readonly PackageVersionIdentity[] = [...packages, ...missingKernel];
  const versions = line === null ? identities : identities.map((identity) => ({ ...identity, suite: line }));
  const ids = await interner.packageVersions(release, versions, admit);
  const offers = settleOffers(snapshot.upgrades, snapshot.packages, release.name);
  const installedIds = ids.slice(0, snapshot.packages.length);
  return {
    collectedAt: snapshot.collectedAt,
    schemaVersion: snapshot.schemaVersion,
    collectorVersion: snapshot.collectorVersion,
    releaseId: release.id,
    setId: await interner.packageSet(installedIds),
    facts: storedFactsOf(snapshot, receivedAt),
    upgradeIds: await interner.upgrades(release, offers.upgrades, admit),
    heldIds: heldIds(snapshot, installedIds),
    notes: offers.notes,
    runningKernelId: missingKernel.length === 0 ? null : (ids.at(-1) ?? null),
  };
}

function heldIds(snapshot: Snapshot, ids: readonly PackageVersionId[]): PackageVersionId[] {
  return ids.filter((_, index) => snapshot.packages[index]?.held === true);
}
