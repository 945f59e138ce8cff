import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HostId, PackageVersionIdentity, Release, Upgrade, UploadId } from '@plimsoll/model';
import { createUploadStore, type Database, type Interning, newId, type ParsedUpload } from '../src/index.ts';

/** Accepts an upload of a host with unique content. */
export async function receive(db: Database, hostId: HostId): Promise<UploadId> {
  const id = newId<UploadId>();
  const content = randomBytes(16);
  const stored = await createUploadStore(db).accept({
    id,
    hostId,
    door: 'agent',
    payloadKind: 'protobuf',
    size: content.length,
    body: gzipSync(content),
    contentHash: createHash('sha256').update(content).digest(),
    bootedAt: null,
    listsAt: null,
    repositories: null,
    collectedAt: null,
  });
  if (!stored) throw new Error('the host was deleted');
  return id;
}

/** A package as interning takes it. */
export function packageIdentity(name: string): PackageVersionIdentity {
  const source = { sourceName: name, sourceVersion: '1.0', vendor: '', suite: '', module: '' };
  return { name, architecture: 'amd64', version: '1.0', ...source };
}

function upgradeOf(name: string): Upgrade {
  return {
    name,
    architecture: 'amd64',
    installedVersion: '1.0',
    candidateVersion: '1.1',
    repository: 'main',
    isSecurity: false,
    held: false,
    phased: false,
    sourceName: name,
    sourceVersion: '1.1',
    suite: '',
    origin: '',
    advisoryIds: [],
  };
}

const admit = async (): Promise<void> => undefined;

/** The parsed upload of a host with these packages, each of which has an update. */
export async function parsedOf(
  interning: Interning,
  id: UploadId,
  names: readonly string[],
  releaseName = 'debian:12',
): Promise<ParsedUpload> {
  const facts = { name: releaseName as Release, feedId: null, endsAt: null, rules: 1 };
  const release = await interning.release(facts, admit);
  const ids = await interning.packageVersions(release, names.map(packageIdentity), admit);
  return {
    id,
    collectedAt: null,
    schemaVersion: 1,
    collectorVersion: '',
    payloadGzip: gzipSync(''),
    payloadSha256: createHash('sha256').digest(),
    payloadSize: 0,
    releaseId: release.id,
    setId: await interning.packageSet(ids),
    facts: {} as ParsedUpload['facts'], // Not read in these tests.
    upgradeIds: await interning.upgrades(release, names.map(upgradeOf), admit),
    heldIds: [],
    runningKernelId: null,
    notes: [],
  };
}
