import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { SnapshotSchema } from '@plimsoll/proto';
import { enrolHost, issueToken, type TestDatabase } from '@plimsoll/testing';
import { protobufTime } from '../sample-snapshot.ts';
import {
  compareSimpleVersions,
  type NaiveOffer,
  type NaiveReport,
  type NaiveVersion,
} from './naive-model.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Enrols approved hosts, `host-1.example.org` and so on. */
export async function enrolHosts(
  { db }: TestDatabase,
  count: number,
): Promise<readonly { readonly id: string; readonly hostname: string }[]> {
  const { secret } = await issueToken(db, { autoApprove: true });
  const hosts = [];
  for (let n = 1; n <= count; n++) {
    hosts.push({ id: await enrolHost(db, secret), hostname: `host-${n}.example.org` });
  }
  return hosts;
}

/** The releases of the simulated hosts. */
export const releases = ['debian:12', 'debian:11', 'almalinux:9'] as const;

/** One of `releases`. */
export type SimulatedRelease = (typeof releases)[number];

/** The names by which records know the packages of a release. */
export const statedNames: Readonly<Record<'debian' | 'almalinux', readonly string[]>> = {
  debian: ['curl', 'openssl', 'zlib', 'linux'],
  almalinux: ['curl-minimal', 'openssl-libs', 'kernel-core'],
};

/** The highest number of a version. */
export const newestNumber = 8;

/** The packages of a family's hosts. */
export const binaries: Readonly<
  Record<'debian' | 'almalinux', readonly (readonly [name: string, source: string])[]>
> = {
  debian: [
    ['curl', 'curl'],
    ['libcurl4', 'curl'],
    ['openssl', 'openssl'],
    ['zlib1g', 'zlib'],
  ],
  almalinux: [
    ['curl-minimal', 'curl-minimal'],
    ['openssl-libs', 'openssl-libs'],
  ],
};

/** The family of a release's records. */
export const familyOf = (release: SimulatedRelease): 'debian' | 'almalinux' =>
  release === 'almalinux:9' ? 'almalinux' : 'debian';

/** The version of a package with a number, as its release writes it. */
export function versionOf(release: SimulatedRelease, name: string, number: number): string {
  if (name === 'linux') return `6.1.${100 + number}-1`;
  if (name === 'kernel-core') return `5.14.0-${100 + number}.el9`;
  return release === 'almalinux:9' ? `${number}.0-1.el9` : `${number}.0-1`;
}

function packageOf(release: SimulatedRelease, name: string, source: string, number: number): NaiveVersion {
  const version = versionOf(release, source, number);
  return { release, name, version, matchName: source, matchVersion: version };
}

function kernelOf(release: SimulatedRelease, number: number): NaiveVersion {
  if (release === 'almalinux:9') return packageOf(release, 'kernel-core', 'kernel-core', number);
  return packageOf(release, `linux-image-6.1.0-${number}-amd64`, 'linux', number);
}

const isKernel = ({ matchName }: NaiveVersion): boolean =>
  matchName === 'linux' || matchName === 'kernel-core';

/** The first report of a host. */
export function firstReport(random: SeededRandom, release: SimulatedRelease): NaiveReport {
  const packages = binaries[familyOf(release)]
    .filter(() => random.chance(0.9))
    .map(([name, source]) => packageOf(release, name, source, random.between(1, 4)));
  const kernel = kernelOf(release, random.between(1, 3));
  const running = random.chance(0.1) ? null : kernel;
  return {
    packages: [...packages, kernel],
    running,
    lastRunning: running,
    ...supplyOf(random, release, packages),
  };
}

/** What the repositories offer for packages, kernels aside, and whether services run that have to be restarted. */
function supplyOf(
  random: SeededRandom,
  release: SimulatedRelease,
  packages: readonly NaiveVersion[],
): Pick<NaiveReport, 'offers' | 'restart'> {
  const offers = packages.flatMap((installed): NaiveOffer[] => {
    if (!random.chance(0.3)) return [];
    const version = versionOf(release, installed.matchName, random.between(1, newestNumber + 1));
    return compareSimpleVersions(version, installed.version) > 0 ? [{ installed, version }] : [];
  });
  const restart = random.chance(0.3) ? null : random.chance(0.5) ? 'none' : 'needed';
  return { offers, restart };
}

/** What a host reports next: packages come, go, and change, kernels come, boot, and go. */
export function nextReport(
  random: SeededRandom,
  release: SimulatedRelease,
  report: NaiveReport,
): NaiveReport {
  const kernels = report.packages.filter(isKernel);
  if (random.chance(0.3)) kernels.push(kernelOf(release, random.between(1, newestNumber)));
  const distinct = [...new Map(kernels.map((kernel) => [kernel.version, kernel])).values()];
  const newest = [...distinct].sort((a, b) => compareSimpleVersions(b.version, a.version))[0] ?? null;
  const running = runningOf(random, report, { distinct, newest });
  // Now and then the package of the kernel that runs goes while another one stays. Of what only the kernel says, the service
  // makes another package version than of a signed package.
  const isOlder = running !== null && running.version !== newest?.version;
  const isRemoved = isOlder && !isSigned(running) && random.chance(0.2);
  const kept = distinct.filter((kernel) =>
    kernel.version === running?.version
      ? !isRemoved
      : kernel.version === newest?.version || random.chance(0.8),
  );
  const packages = binaries[familyOf(release)].flatMap(([name, source]) => {
    const installed = report.packages.find((each) => each.name === name);
    if (installed === undefined) {
      return random.chance(0.3) ? [packageOf(release, name, source, random.between(1, newestNumber))] : [];
    }
    if (random.chance(0.1)) return [];
    return [
      random.chance(0.35) ? packageOf(release, name, source, random.between(1, newestNumber)) : installed,
    ];
  });
  const lastRunning = running ?? (isSilent(release) ? report.lastRunning : null);
  return { packages: [...packages, ...kept], running, lastRunning, ...supplyOf(random, release, packages) };
}

/** Whether hosts that name no kernel are machines that do not say what they run; those of other releases are containers. */
const isSilent = (release: SimulatedRelease): boolean => release === 'debian:11';

/** The kernel that runs next. A container seldom becomes a machine, and the kernel is seldom unknown. */
function runningOf(
  random: SeededRandom,
  { running, lastRunning }: NaiveReport,
  { distinct, newest }: { readonly distinct: readonly NaiveVersion[]; readonly newest: NaiveVersion | null },
): NaiveVersion | null {
  if (random.chance(running === null ? 0.7 : 0.05)) return null;
  if (running === null && lastRunning !== null && random.chance(0.7))
    return distinct.find(({ version }) => version === lastRunning.version) ?? newest;
  if (running === null || random.chance(0.3)) return newest;
  return random.chance(0.1) ? random.pick(distinct) : running;
}

/** Whether the package is built from the source of signed kernels. */
function isSigned({ matchName, matchVersion }: NaiveVersion): boolean {
  return matchName === 'linux' && /[13579]-1$/.test(matchVersion);
}

type Init = MessageInitShape<typeof SnapshotSchema>;

/** A report as an agent sends it. */
export function snapshotOf(hostname: string, release: SimulatedRelease, report: NaiveReport): Uint8Array {
  const isApt = familyOf(release) === 'debian';
  const [osId = '', osVersionId = ''] = release.split(':');
  const architecture = isApt ? 'amd64' : 'x86_64';
  const packages = report.packages.map((each) => ({
    name: each.name,
    architecture,
    version: each.version,
    vendor: isApt ? '' : 'AlmaLinux',
    ...(isSigned(each)
      ? { sourceName: 'linux-signed-amd64', sourceVersion: each.matchVersion.replace('-', '+') }
      : { sourceName: each.matchName, sourceVersion: each.matchVersion }),
  }));
  const platform = {
    osFamily: isApt ? 'apt' : 'rpm',
    osId,
    osVersionId: isApt ? osVersionId : `${osVersionId}.4`,
    osVersion: `${osVersionId}.4`,
    architecture,
    hostname,
    machineId: `machine-of-${hostname}`,
    virtualization: report.running === null && !isSilent(release) ? 'lxc' : 'kvm',
  };
  const message = {
    schemaVersion: 1,
    collectedAt: protobufTime(new Date()),
    collectorVersion: '1.0.0',
    platform,
    packages,
    packageCount: packages.length,
    upgradable: report.offers.map(
      ({ installed: { name, version: installedVersion, matchName }, version }) => ({
        name,
        architecture,
        installedVersion,
        candidateVersion: version,
        sourceName: matchName,
        sourceVersion: version,
      }),
    ),
    ...servicesOf(report),
    kernel: kernelFacts(report.running, isApt),
  } as Init; // A snapshot consists of its fields.
  return toBinary(SnapshotSchema, create(SnapshotSchema, message));
}

function servicesOf({ restart }: NaiveReport): object {
  if (restart === null) return {};
  return restart === 'none'
    ? { services: { restartRequired: 1 } }
    : { services: { restartRequired: 2, toRestart: [{ name: 'ssh.service' }] } };
}

function kernelFacts(running: NaiveVersion | null, isApt: boolean): object {
  if (running === null) return {};
  const { name, version } = running;
  if (!isApt) return { runningRelease: `${version}.x86_64` };
  return {
    runningRelease: name.replace('linux-image-', ''),
    runningVersion: `#1 SMP PREEMPT_DYNAMIC Debian ${version} (2025-01-02)`,
  };
}
