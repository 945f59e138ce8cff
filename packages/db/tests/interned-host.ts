import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PackageVersionIdentity, Release, Upgrade, UploadId } from '@plimsoll/model';
import type { Interning, ParsedUpload } from '../src/index.ts';

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
