import type { Builds, InstalledPackage, Statement, Upgrade } from '@plimsoll/model';
import fc from 'fast-check';
import { assessedRpm, offer, type RpmHost, rpm } from '../../rpm-host.ts';
import { rpmKey } from '../../rpm-records.ts';
import { type DrawnHost, drawnByName, drawnStatements, seldom } from './drawn-host.ts';
import { type RpmLine, rpmLines } from './rpm-lines.ts';

const architecture = fc.constantFrom('x86_64', 'x86_64', 'i686', 'noarch');
/** Binary packages, the second and third of the source `openssl`. */
const names = ['bash', 'openssl', 'openssl-libs', 'nodejs'];
const sources = ['bash', 'openssl', 'nodejs'];
const numbers = ['1.2.3-1', '1.2.3-10', '1:1.2.3-2', '1:1.10.0-1'];
const streams = ['nodejs:18', 'nodejs:20'];
const bool = fc.boolean();

/** Versions of ordinary packages: with and without an epoch, of each build line of the release. */
function versionsOf({ tags, module }: RpmLine): readonly string[] {
  const ends = module === null ? tags : [...tags, module];
  return numbers.flatMap((number) => ends.map((end) => `${number}${end}`));
}

/** Packages of the release, of a third party by vendor or by build, and of unreadable versions. */
function ordinary(line: RpmLine): fc.Arbitrary<InstalledPackage> {
  const versions = versionsOf(line);
  const otherVersions = ['1.2.3-1.el7', '1.2.3-4.remi', '-'];
  return fc
    .record({
      name: fc.constantFrom(...names),
      version: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...versions) },
        fc.constantFrom(...otherVersions),
      ),
      architecture,
      vendor: fc.constantFrom(
        line.vendor,
        line.vendor,
        line.vendor,
        line.vendor,
        '',
        'Remi’s RPM repository',
      ),
      module: fc.constantFrom(
        '',
        ...streams.map((stream) => `${stream}:8:enabled`),
        `${streams[0]}:8090:abc`,
      ),
      held: seldom,
      suite: fc.constantFrom(...line.follows),
    })
    .map(({ name, version, architecture: arch, module, ...rest }) => ({
      ...rpm(`${name}-0-0.${arch}`),
      version,
      sourceName: name === 'openssl-libs' ? 'openssl' : name,
      sourceVersion: version,
      module: line.module !== null && name === 'nodejs' ? module : '',
      ...rest,
    }));
}

/** A part, a companion or the bootable package of one of the release's kernels. */
function kernelPackage(line: RpmLine): fc.Arbitrary<InstalledPackage> {
  const { images, parts, companions, versions } = line.kernel;
  const [first = ''] = images;
  return fc
    .record({
      name: fc.constantFrom(first, first, ...images, ...parts, ...companions),
      version: fc.constantFrom(...versions),
      vendor: fc.constantFrom(line.vendor, line.vendor, line.vendor, '', 'ELRepo'),
      held: seldom,
    })
    .map(({ name, version, ...rest }) => ({
      ...rpm(`${name}-${version}.x86_64`, {
        sourceName: first.replace(/-core$/, ''),
        sourceVersion: version,
      }),
      ...rest,
    }));
}

function upgradesOf(line: RpmLine, packages: readonly InstalledPackage[]): fc.Arbitrary<Upgrade[]> {
  if (packages.length === 0) return fc.constant([]);
  const one = fc
    .record({
      installed: fc.constantFrom(...packages),
      ordinal: fc.nat(99),
      isSecurity: bool,
      held: seldom,
      isNew: seldom,
      origin: fc.constantFrom(line.vendor, line.vendor, line.vendor, '', 'ELRepo'),
      advisoryIds: fc.subarray(['RHSA-2024:1', 'RHSA-2024:2']),
    })
    .map(({ installed, ordinal, isNew, ...rest }): Upgrade => {
      const versions = installed.name.startsWith('kernel') ? line.kernel.versions : versionsOf(line);
      const offered = offer(installed, versions[ordinal % versions.length] ?? '');
      const { installedVersion, sourceName } = { ...offered, ...installed };
      return { ...offered, ...rest, sourceName, installedVersion: isNew ? '' : installedVersion };
    });
  return fc.uniqueArray(one, { maxLength: 6, selector: ({ name, architecture: arch }) => `${name}.${arch}` });
}

/** The builds that a statement covers: architectures, module streams, build lines. */
function buildsOf({ follows }: RpmLine): fc.Arbitrary<Builds> {
  return fc.record({
    architectures: fc.constantFrom([], [], ['x86_64'], ['aarch64', 'i686']),
    module: fc.constantFrom(null, null, '', ...streams),
    line: fc.constantFrom(null, null, null, 'fips', ...follows.filter((line) => line.startsWith('el'))),
  });
}

/** Statements that name the package, and on about one name in three its source rpm. */
function statementsOf(line: RpmLine): fc.Arbitrary<Record<string, readonly Statement[]>> {
  const { images, parts, versions } = line.kernel;
  const builds = buildsOf(line);
  const own = drawnStatements({ fixes: versionsOf(line), keyOf: rpmKey, builds }, 4);
  const ofSource = fc
    .tuple(own, fc.constantFrom(undefined, undefined, 'source' as const))
    .map(([drawn, naming]) =>
      drawn.map((each) => (naming === undefined ? each : { ...each, names: naming })),
    );
  const kernels = drawnStatements({ fixes: versions, keyOf: rpmKey }, 4);
  return fc
    .tuple(
      drawnByName(sources, ofSource),
      drawnByName(['openssl-libs'], own),
      drawnByName([...images, ...parts], kernels),
    )
    .map(([some, others, ofKernels]) => ({ ...some, ...others, ...ofKernels }));
}

function hostsOf(line: RpmLine): fc.Arbitrary<RpmHost> {
  const { versions, release } = line.kernel;
  const packages = fc.uniqueArray(fc.oneof(ordinary(line), kernelPackage(line)), {
    selector: ({ name, version, architecture: arch }) => `${name} ${version} ${arch}`,
    minLength: 3,
    maxLength: 10,
  });
  return packages.chain((drawn) =>
    fc.record({
      release: fc.constant(line.release),
      packages: fc.constant(drawn),
      upgrades: upgradesOf(line, drawn),
      statements: statementsOf(line),
      running: fc.constantFrom(...versions.map(release), ...versions.map(release), '6.1.0-custom', ''),
      virtualization: fc.constantFrom('kvm', 'kvm', 'kvm', 'podman', ''),
      livepatchedCves: fc.constantFrom([], [], ['CVE-2024-0001', 'CVE-2024-0002']),
      facts: fc.record({
        updates: fc.constantFrom('known' as const, 'known' as const, 'known' as const, 'unknown' as const),
        rebootRequired: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
      }),
    }),
  );
}

/**
 * Hosts of every rpm family: module streams, statements about architectures, sources and build lines, epochs,
 * parallel kernels with one running, held packages, third-party builds.
 */
export const rpmHosts: fc.Arbitrary<DrawnHost> = fc
  .constantFrom(...rpmLines)
  .chain(hostsOf)
  .map(({ packages, statements = {}, ...rest }) => ({
    packages,
    statements,
    subject: assessedRpm({ ...rest, packages, statements }),
    keyOf: rpmKey,
  }));
