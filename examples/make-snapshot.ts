/**
 * Writes examples/debian-12.snapshot.pb.gz from files read off a Debian 12 machine:
 * `node tools/run.mjs examples/make-snapshot.ts FOLDER`, in the project folder. FOLDER holds
 *
 * - `dpkg-query.tsv`: status, package, version, architecture, source, source version, one line per package;
 * - `apt-get-s-dist-upgrade.txt`: the output of `apt-get --simulate dist-upgrade`;
 * - `uname-a.txt`: the output of `uname -a`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { InstalledPackage, KernelFacts, Snapshot, Upgrade } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';

const output = 'examples/debian-12.snapshot.pb.gz';
const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node tools/run.mjs examples/make-snapshot.ts FOLDER');
const linesOf = (name: string): readonly string[] =>
  readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean);

const snapshot: Snapshot = {
  schemaVersion: 1,
  // The machine's facts carry no time, and a made-up one would grow old or lie in the future.
  collectedAt: null,
  collectorVersion: 'example',
  platform: {
    osFamily: 'apt',
    osId: 'debian',
    osVersionId: '12',
    osVersion: '12.11',
    osCodename: 'bookworm',
    osPrettyName: 'Debian GNU/Linux 12 (bookworm)',
    architecture: 'amd64',
    hostname: 'debian-12.example',
    machineId: 'deb12000000000000000000000000012',
    virtualization: 'kvm',
    ipAddresses: ['192.0.2.12'],
  },
  packages: linesOf('dpkg-query.tsv').flatMap(readPackage),
  upgrades: linesOf('apt-get-s-dist-upgrade.txt').flatMap(readUpgrade),
  kernel: readKernel(linesOf('uname-a.txt')[0] ?? ''),
  services: { restartRequired: 'unknown', toRestart: [] },
  repositories: ['bookworm', 'bookworm-updates', 'bookworm-security'].map((suite) => ({
    id: `deb ${suite} main`,
    url: `http://deb.debian.org/debian${suite.endsWith('-security') ? '-security' : ''}`,
    enabled: true,
    suite,
    origin: 'Debian',
  })),
  moduleStreams: [],
  subscription: null,
  failures: [{ section: 'services', detail: 'not collected' }],
  observed: { bootId: '', bootedAt: null, refreshed: [] },
};

writeFileSync(output, gzipSync(encodeSnapshot(snapshot), { level: 9 }));
process.stdout.write(
  `${output}: ${snapshot.packages.length} packages, ${snapshot.upgrades.length} updates\n`,
);

function readPackage(line: string): InstalledPackage[] {
  const [status = '', name = '', version = '', architecture = '', sourceName = '', sourceVersion = ''] =
    line.split('\t');
  // dpkg-query(1): the second letter is the state; `n` and `c` are not installed.
  if (/^.[nc]/.test(status)) return [];
  const unknown = { vendor: '', suite: '', module: '', signingKey: '', installedAt: null };
  return [
    { name, architecture, version, sourceName, sourceVersion, held: status.startsWith('h'), ...unknown },
  ];
}

/** `Inst apt [2.6.1] (2.6.2 Debian-Security:12/oldstable-security [amd64])`; the source is not in it. */
function readUpgrade(line: string): Upgrade[] {
  const parts = /^Inst (\S+) (?:\[(\S+)\] )?\((\S+) (.+) \[(\w+)\]\)/.exec(line);
  if (parts === null) return [];
  const [, name = '', installedVersion = '', candidateVersion = '', places = '', architecture = ''] = parts;
  const isSecurity = places.includes('Debian-Security:');
  return [
    {
      name,
      architecture,
      installedVersion,
      candidateVersion,
      repository: `deb bookworm${isSecurity ? '-security' : ''} main`,
      isSecurity,
      held: false,
      phased: false,
      sourceName: name,
      sourceVersion: candidateVersion,
      suite: isSecurity ? 'oldstable-security' : 'oldstable',
      origin: 'Debian',
      advisoryIds: [],
    },
  ];
}

function readKernel(uname: string): KernelFacts {
  const [, runningRelease = '', runningVersion = ''] =
    /^Linux \S+ (\S+) (.*) \S+ GNU\/Linux$/.exec(uname) ?? [];
  return {
    runningRelease,
    runningVersion,
    runningPackage: '',
    installed: [],
    rebootRequired: 'no',
    rebootPackages: [],
    livepatch: '',
    livepatchedCves: [],
  };
}
