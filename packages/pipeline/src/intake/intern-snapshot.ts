import {
  distributionOf,
  labelFromEnabledStreams,
  lacksStream,
  runningKernelSubject,
  settleOffers,
  withOrigins,
} from '@plimsoll/advisories';
import {
  type AdmitNew,
  type InternedRelease,
  type Interning,
  type PackageBefore,
  type ParsedUpload,
  releaseFactsOf,
  storedFactsOf,
} from '@plimsoll/db';
import type { HostId, PackageVersionId, PackageVersionIdentity, Snapshot } from '@plimsoll/model';

/** An interned snapshot: everything that is stored about it besides its bytes. */
type InternedSnapshot = Omit<ParsedUpload, 'id' | 'payloadGzip' | 'payloadSha256' | 'payloadSize'>;

/** Admits what a snapshot has and no other host had before; rejects if it must not be stored. */
export interface Admission {
  readonly release: AdmitNew;
  /** Package versions or updates. */
  readonly entries: AdmitNew;
}

/** Interns a snapshot's release, packages, updates, package set and running kernel. Rejects as `admit` does. */
export async function internSnapshot(
  interner: Interning,
  hostId: HostId,
  reported: Snapshot,
  receivedAt: Date,
  admit: Admission,
): Promise<{ readonly interned: InternedSnapshot; readonly packageIds: readonly PackageVersionId[] }> {
  const release = await interner.release(releaseFactsOf(reported.platform), admit.release);
  const rules = await interner.originRulesOf(hostId);
  const snapshot = { ...reported, ...withOrigins(reported, rules) };
  const kernel = runningKernelSubject(snapshot);
  const missingKernel = kernel.kind === 'not_installed' ? [kernel.subject] : [];
  const before = needsBefore(snapshot) ? await interner.packagesBefore(hostId, release, receivedAt) : [];
  const streamed = await packagesWithStreams(interner, release, snapshot);
  const packages = unfinishedPackages(streamed, snapshot, before);
  const line = await followedReleaseLineOf(interner, release, snapshot);
  const identities: readonly PackageVersionIdentity[] = [...packages, ...missingKernel];
  const versions = line === null ? identities : identities.map((identity) => ({ ...identity, suite: line }));
  const ids = await interner.packageVersions(release, versions, admit.entries);
  const offers = settleOffers(snapshot.upgrades, snapshot.packages, release.name);
  const installedIds = ids.slice(0, snapshot.packages.length);
  const packageIds = [...installedIds, ...unreadPackages(snapshot, before)];
  const interned = {
    collectedAt: snapshot.collectedAt,
    schemaVersion: snapshot.schemaVersion,
    collectorVersion: snapshot.collectorVersion,
    releaseId: release.id,
    setId: await interner.packageSet(packageIds),
    facts: storedFactsOf(snapshot, receivedAt),
    upgradeIds: await interner.upgrades(release, offers.upgrades, admit.entries),
    heldIds: heldIds(snapshot, installedIds),
    notes: offers.notes,
    runningKernelId: missingKernel.length === 0 ? null : (ids.at(-1) ?? null),
  };
  return { interned, packageIds };
}

/** Whether it depends on the host's packages before: some could not be read, or a version before is not stated. */
function needsBefore(snapshot: Snapshot): boolean {
  return areUnread(snapshot) || (snapshot.broken ?? []).some(({ otherVersion }) => otherVersion === null);
}

function areUnread({ failures }: Snapshot): boolean {
  return failures.some(({ section }) => section === 'packages');
}

/** If packages could not be read, those that the report lacks: as far as is known, the host still has them. */
function unreadPackages(snapshot: Snapshot, before: readonly PackageBefore[]): readonly PackageVersionId[] {
  if (!areUnread(snapshot)) return [];
  const read = new Set(snapshot.packages.map(nameKeyOf));
  return before.filter((entry) => !read.has(nameKeyOf(entry))).map(({ id }) => id);
}

/** Packages with what an installation that did not end has to do with them. One that was never there before is as it is. */
function unfinishedPackages(
  packages: Snapshot['packages'],
  { broken = [] }: Snapshot,
  before: readonly PackageBefore[],
): readonly PackageVersionIdentity[] {
  const versions = new Map(
    before.map((entry) => [nameKeyOf(entry), entry.unfinished ?? entry.version] as const),
  );
  const others = new Map(
    broken.flatMap(({ state, otherVersion, ...entry }) =>
      state === 'triggers' || otherVersion === ''
        ? []
        : [[versionKeyOf(entry), otherVersion ?? versions.get(nameKeyOf(entry)) ?? '']],
    ),
  );
  if (others.size === 0) return packages;
  return packages.map((entry) => {
    const unfinished = others.get(versionKeyOf(entry));
    return unfinished === undefined ? entry : { ...entry, unfinished };
  });
}

type Named = Pick<PackageVersionIdentity, 'name' | 'architecture' | 'version'>;

function nameKeyOf({ name, architecture }: Omit<Named, 'version'>): string {
  return `${name} ${architecture}`;
}

function versionKeyOf(entry: Named): string {
  return `${nameKeyOf(entry)} ${entry.version}`;
}

function heldIds(snapshot: Snapshot, ids: readonly PackageVersionId[]): PackageVersionId[] {
  return ids.filter((_, index) => snapshot.packages[index]?.held === true);
}

/**
 * A snapshot's packages. Adds the module stream to packages that were built in a module but do not name it, if
 * advisories name the module and the host has enabled one stream of it.
 */
export async function packagesWithStreams(
  interner: Pick<Interning, 'modulesOf'>,
  release: InternedRelease,
  { packages, moduleStreams }: Pick<Snapshot, 'packages' | 'moduleStreams'>,
): Promise<Snapshot['packages']> {
  const lacking = moduleStreams.length === 0 ? [] : packages.filter(lacksStream);
  if (lacking.length === 0) return packages;
  const modules = await interner.modulesOf(release, [...new Set(lacking.map(({ name }) => name))]);
  return packages.map((entry) => {
    const known = lacksStream(entry) ? (modules.get(entry.name) ?? []) : [];
    const label = labelFromEnabledStreams(known, moduleStreams);
    return label === null ? entry : { ...entry, module: label };
  });
}

/** The release line that a snapshot's repositories follow, as `suite` of its package versions; null if unknown. */
export async function followedReleaseLineOf(
  interner: Interning,
  release: InternedRelease,
  snapshot: Snapshot,
): Promise<string | null> {
  const distribution = distributionOf(release.name);
  if (distribution?.followedReleaseLine === undefined) return null;
  const enabled = snapshot.repositories.filter((repository) => repository.enabled).map(({ id }) => id);
  const products = await interner.productsOf([...new Set(enabled)]);
  const line = distribution.followedReleaseLine(snapshot, (id) => products.get(id) ?? []);
  return line === '' ? null : line;
}
