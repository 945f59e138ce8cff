import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { InstalledPackage, Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';

const records = path.resolve(__dirname, '../../packages/advisories/testdata/debian-osv');

/** Real records of the Debian security tracker, one per line. */
export function debianFeed(
  change: (record: Record<string, unknown>) => Record<string, unknown> | null = (record) => record,
): Uint8Array {
  const lines = readdirSync(records)
    .sort()
    .map((name) => change(JSON.parse(readFileSync(path.join(records, name), 'utf8'))))
    .filter((record) => record !== null)
    .map((record) => JSON.stringify(record));
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** An installed package of Debian 12; by default its source has the same name. */
export function installed(
  name: string,
  version: string,
  source: { readonly name?: string; readonly version?: string } = {},
): InstalledPackage {
  return {
    name,
    architecture: 'amd64',
    version,
    sourceName: source.name ?? name,
    sourceVersion: source.version ?? version,
    vendor: '',
    module: '',
    held: false,
    installedAt: null,
    signingKey: '',
    suite: '',
  };
}

/** A Debian 12 machine with a vulnerable ssh server, an unfixed zlib, and the fix among its updates. */
export function debianMachine(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    schemaVersion: 1,
    collectedAt: new Date(),
    collectorVersion: 'test/1',
    platform: {
      osFamily: 'apt',
      osId: 'debian',
      osVersionId: '12',
      osVersion: '12.8',
      osCodename: 'bookworm',
      osPrettyName: 'Debian GNU/Linux 12 (bookworm)',
      architecture: 'amd64',
      hostname: 'web-1',
      machineId: 'b08dfa6083e7567a1921a715000001fb',
      virtualization: 'kvm',
      ipAddresses: ['192.0.2.10'],
    },
    packages: [
      installed('bash', '5.2.15-2+b8', { version: '5.2.15-2' }),
      installed('openssh-client', '1:9.2p1-2+deb12u2', { name: 'openssh' }),
      installed('openssh-server', '1:9.2p1-2+deb12u2', { name: 'openssh' }),
      installed('zlib1g', '1:1.2.13.dfsg-1', { name: 'zlib' }),
      installed('bsdutils', '1:2.38.1-5+b1', { name: 'util-linux', version: '2.38.1-5' }),
      installed('linux-image-6.1.0-29-amd64', '6.1.123-1', {
        name: 'linux-signed-amd64',
        version: '6.1.123+1',
      }),
    ],
    upgrades: [
      {
        name: 'openssh-server',
        architecture: 'amd64',
        installedVersion: '1:9.2p1-2+deb12u2',
        candidateVersion: '1:9.2p1-2+deb12u7',
        repository: 'Debian-Security:12/oldstable-security',
        isSecurity: true,
        held: false,
        phased: false,
        sourceName: 'openssh',
        sourceVersion: '1:9.2p1-2+deb12u7',
        suite: 'oldstable-security',
        origin: 'Debian',
        advisoryIds: [],
      },
    ],
    kernel: {
      runningRelease: '6.1.0-29-amd64',
      runningVersion: '#1 SMP PREEMPT_DYNAMIC Debian 6.1.123-1 (2025-01-02)',
      runningPackage: 'linux-image-6.1.0-29-amd64',
      installed: [
        {
          package: 'linux-image-6.1.0-29-amd64',
          version: '6.1.123-1',
          release: '6.1.0-29-amd64',
          defaultBoot: 'yes',
        },
      ],
      rebootRequired: 'no',
      rebootPackages: [],
      livepatch: '',
      livepatchedCves: [],
    },
    services: { restartRequired: 'no', toRestart: [] },
    repositories: [],
    moduleStreams: [],
    subscription: null,
    failures: [],
    observed: { bootId: '', bootedAt: null, refreshed: [] },
    ...changes,
  };
}

/** The machine's encoded snapshot. `mark` makes machines differ, in a package without advisories. */
export function encodedMachine(mark: string, changes: Partial<Snapshot> = {}): Uint8Array {
  const machine = debianMachine(changes);
  return encodeSnapshot({ ...machine, packages: [...machine.packages, installed('mark', `1.0-${mark}`)] });
}
