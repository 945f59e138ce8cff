import { kernelOf } from '@plimsoll/advisories';
import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import type { MatchSpan } from '../../knowledge/known-versions.ts';
import type { StoredPackageVersion } from '../../knowledge/package-versions.ts';
import {
  type Exposure,
  exposuresOf,
  type KnownOfVersions,
  SameBuilds,
  withSameBuilds,
} from '../history/exposure-walk.ts';
import { partChains } from '../history/kernel-parts.ts';
import { loadBootedChains, loadPackageChains } from '../history/load-exposures.ts';
import { packageKey, type VersionChain } from '../history/version-chains.ts';
import type { HostToAssess } from './stored-host.ts';

/** The host of findings. */
export type FindingHost = Pick<
  HostToAssess,
  'hostId' | 'firstSnapshotAt' | 'moment' | 'packages' | 'runningKernel' | 'memory'
>;

/** A version that a host has, or runs, and an advisory that affects it. */
export interface FindingOrigin {
  readonly name: string;
  readonly architecture: string;
  readonly versionId: PackageVersionId;
  readonly advisory: AdvisoryKey;
  /** Since when the advisory is known to affect the version. */
  readonly statedAt: Date;
}

/** The exposures that a finding belongs to. */
export interface FindingExposures {
  /** The oldest first. Empty if the history does not have the version, as that of a snapshot that a newer one overtook. */
  readonly exposures: readonly Exposure[];
  /** When one of them began, whichever advisories said so of the same build before; see SameBuilds. */
  startOf(exposure: Exposure): Date;
}

/**
 * The exposures that findings of a host belong to, in the order of `origins`: those of the chain in which the host has the
 * version at its moment; see exposuresOf. A kernel, and a package that moves with it, is followed over boots.
 * @param as what the matches are taken as.
 */
export async function loadFindingExposures(
  client: Statements,
  host: FindingHost,
  origins: readonly FindingOrigin[],
  as: (spans: readonly MatchSpan[]) => readonly MatchSpan[] = (spans) => spans,
): Promise<readonly FindingExposures[]> {
  const chainOf = await loadChains(client, host, origins);
  const chains = origins.map(chainOf);
  const stays = chains.flatMap((chain) => chain?.stays ?? []);
  const versions = await host.memory.versions.read(new Set(stays.map(({ versionId }) => versionId)));
  const known: KnownOfVersions = {
    spansOf: (id, advisory) => versions.get(id)?.history.spansOf(advisory) ?? [],
    openAt: (id, at) => versions.get(id)?.history.openAt(at) ?? [],
    isJudged: (id) => versions.get(id)?.version.verdict.kind === 'comparable',
  };
  const builds = { get: (id: PackageVersionId) => versions.get(id)?.version };
  const marked = new Map<VersionChain | undefined, { chain: VersionChain; builds: SameBuilds }>();
  for (const chain of chains) {
    if (chain === undefined || marked.has(chain)) continue;
    const own = withSameBuilds(chain, builds);
    marked.set(chain, { chain: own, builds: new SameBuilds(own, known) });
  }
  return origins.map(({ advisory }, index) => {
    const own = marked.get(chains[index]);
    if (own === undefined) return { exposures: [], startOf: ({ from }) => from };
    const exposures = exposuresOf(own.chain, (id) => as(known.spansOf(id, advisory)));
    return {
      exposures: exposures.map((one) => ({ ...one, ...own.builds.causesOf(advisory, one) })),
      startOf: (exposure) => own.builds.startOf(advisory, exposure).from,
    };
  });
}

/** Finds the chain in which a host has the version of a finding. */
type ChainOf = (origin: FindingOrigin) => VersionChain | undefined;

async function loadChains(
  client: Statements,
  host: FindingHost,
  origins: readonly FindingOrigin[],
): Promise<ChainOf> {
  const kernels = judgedOf(host, origins).filter((version) => kernelOf(version) !== null);
  const [found, booted] = await Promise.all([
    loadPackageChains(client, host, { names: namesOf(origins), installed: newestOf(host) }),
    kernels.length === 0 ? [] : loadBootedChains(client, host),
  ]);
  const packages = new Map(found.map(({ chains, ...key }) => [packageKey(key), chains]));
  const parts = await partsOf(host, booted, packages, kernels);
  const isKernel = new Set(kernels.map(({ id }) => id));
  return ({ versionId, ...key }) => {
    const part = parts.get(packageKey(key));
    const kernelChains = part === undefined ? booted : [...booted, part];
    const all = isKernel.has(versionId) ? kernelChains : (packages.get(packageKey(key)) ?? []);
    return chainWith(all, versionId, host.moment.at);
  };
}

function namesOf(origins: readonly FindingOrigin[]): readonly string[] {
  return [...new Set(origins.map(({ name }) => name))];
}

/** The versions of a host that some findings are about. */
function judgedOf(
  { packages, runningKernel }: FindingHost,
  origins: readonly FindingOrigin[],
): readonly StoredPackageVersion[] {
  const judged = new Set(origins.map(({ versionId }) => versionId));
  const all = runningKernel === null ? packages : [...packages, runningKernel];
  return all.map(({ version }) => version).filter(({ id }) => judged.has(id));
}

/** The versions in a host's newest package set; null if the host is looked at as it was. */
function newestOf({ moment, packages }: FindingHost): readonly StoredPackageVersion[] | null {
  return moment.at === null ? packages.map(({ version }) => version) : null;
}

/** The chain that has a version at a time; null: that has it still. */
function chainWith(
  chains: readonly VersionChain[],
  id: PackageVersionId,
  at: Date | null,
): VersionChain | undefined {
  return chains.find(({ stays }) =>
    stays.some(
      ({ versionId, from, until }) =>
        versionId === id && (at === null ? until === null : from <= at && (until === null || until > at)),
    ),
  );
}

/** The chains of parts of the running kernel, by package. */
async function partsOf(
  { memory }: FindingHost,
  booted: readonly VersionChain[],
  packages: ReadonlyMap<string, readonly VersionChain[]>,
  kernels: readonly StoredPackageVersion[],
): Promise<ReadonlyMap<string, VersionChain>> {
  const keys = new Set(kernels.filter((version) => kernelOf(version)?.role === 'part').map(packageKey));
  if (keys.size === 0) return new Map();
  const staysOf = (chains: readonly VersionChain[]) => chains.flatMap(({ stays }) => stays);
  const parts = [...keys].flatMap((key) => staysOf(packages.get(key) ?? []));
  const ids = [...parts, ...staysOf(booted)].map(({ versionId }) => versionId);
  const known = await memory.versions.read(new Set(ids));
  return partChains(parts, booted, new Map([...known].map(([id, { version }]) => [id, version])));
}
