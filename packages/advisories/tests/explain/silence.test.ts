import {
  type AdvisoryKey,
  type ExplanationReason,
  gaps,
  type PackageVersion,
  type PackageVersionId,
  type Release,
} from '@plimsoll/model';
import fc from 'fast-check';
import {
  assessedPackage,
  assessHost,
  distributionOf,
  type ExplainedHost,
  explainHost,
  gapOfSilence,
  type HostFacts,
  type NamedAdvisory,
  type StatedVersion,
} from '../../src/index.ts';

const released = new Date('2025-01-01T00:00:00Z');
const releases = ['debian:11', 'debian:12', 'rocky:9', 'nobody:1'] as const;
const names = ['bash', 'openssl', 'zlib'] as const;
/** Negative answers based only on missing statements. */
const silentReasons: readonly ExplanationReason[] = ['not_listed', 'other_release'];

const facts: Omit<HostFacts, 'release'> = {
  lifecycle: null,
  virtualization: '',
  kernel: {
    runningRelease: '',
    runningVersion: '',
    runningPackage: '',
    installed: [],
    rebootRequired: 'unknown',
    rebootPackages: [],
    livepatch: '',
    livepatchedCves: [],
  },
  services: { restartRequired: 'unknown', toRestart: [] },
  subscription: null,
  failures: [],
  bootedAt: null,
  coreUpdates: [],
  upgrades: [],
  updates: 'known',
  held: new Set(),
};

const aMoment = fc
  .option(fc.integer({ min: -400, max: 400 }), { nil: null })
  .map((days) => (days === null ? null : new Date(released.getTime() + days * 86_400_000)));

const anAdvisory: fc.Arbitrary<NamedAdvisory> = fc.record({
  key: fc.integer({ min: 1, max: 3 }).map((key) => key as AdvisoryKey),
  feedId: fc.constantFrom('debian-osv', 'ubuntu-vex'),
  externalId: fc.constantFrom('CVE-2025-0001', 'ERRATUM-1'),
  kind: fc.constantFrom('vulnerability', 'erratum'),
  title: fc.constant(''),
  url: fc.constant(''),
  cves: fc.constant(['CVE-2025-0001']),
  publishedAt: aMoment,
  withdrawnAt: fc.constantFrom(null, null, released),
  packages: fc.array(
    fc.record({
      release: fc.constantFrom(...releases).map((name) => name as Release),
      name: fc.constantFrom(...names),
      ofSource: fc.boolean(),
      line: fc.constantFrom(null, 'fips'),
    }),
    { maxLength: 3 },
  ),
});

const aHost = fc
  .record({
    release: fc.constantFrom(...releases).map((name) => name as Release),
    feed: fc.option(fc.record({ id: fc.constant('some-feed'), updatedAt: aMoment }), {
      nil: null,
    }),
    installed: fc.uniqueArray(fc.constantFrom(...names), { minLength: 0 }),
  })
  .map(({ release, feed, installed }): ExplainedHost => {
    const versions = installed.map((name, n) => versionOf(name, n + 1, release));
    return {
      release,
      feed,
      packages: versions.map((version) => ({ version })),
      runningKernel: null,
      assessment: assessHost({
        packages: versions.map((version) => assessedPackage(version, [])),
        runningKernel: null,
        facts: { ...facts, release: distributionOf(release) === null ? null : release },
      }),
    };
  });

/** A package version as stored. */
function versionOf(name: string, id: number, release: Release): PackageVersion {
  return {
    id: id as PackageVersionId,
    release,
    name,
    architecture: 'amd64',
    version: '1-1',
    sourceName: name,
    sourceVersion: '1-1',
    vendor: '',
    suite: '',
    module: '',
    matchName: name,
    matchKey: Buffer.from('1'),
    verdict: {
      kind: 'comparable',
      matchName: name,
      matchVersion: '1-1',
      module: '',
      line: '',
      originStated: true,
      kernel: null,
    },
  };
}

const aQuestion = fc.record({
  advisory: fc.constant('CVE-2025-0001'),
  packageName: fc.constantFrom(...names),
  host: aHost,
  gaps: fc.subarray([...gaps]),
  advisories: fc.array(anAdvisory, { maxLength: 2 }),
});

const noStatements: ReadonlyMap<PackageVersionId, StatedVersion> = new Map();

it('answers not affected without a statement only if the silence rule allows it, else unknown with a gap', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(aQuestion, (question) => {
      const { host, advisories } = question;
      const explanation = explainHost({ ...question, stated: noStatements });
      seen.add(explanation.verdict).add(explanation.reason);
      expect(explanation.gap === null).toBe(explanation.verdict !== 'unknown');
      const times = advisories.flatMap(({ publishedAt }) =>
        publishedAt === null ? [] : [publishedAt.getTime()],
      );
      const gap = gapOfSilence({
        gaps: question.gaps,
        feedUpdatedAt: host.feed?.updatedAt ?? null,
        publishedAt: times.length === 0 ? null : new Date(Math.min(...times)),
        isNamed: advisories.some(
          ({ feedId, withdrawnAt, packages }) =>
            feedId !== 'ubuntu-vex' && // It lists no fixes, so it judges no release.
            withdrawnAt === null &&
            packages.some(({ release }) => release === host.release),
        ),
      });
      if (silentReasons.includes(explanation.reason)) expect(gap).toBeNull();
      if (explanation.reason === 'unknown_advisory') expect(explanation.gap).toBe(gap);
      if (explanation.reason === 'not_installed') expect(question.gaps).not.toContain('report_outdated');
    }),
    { numRuns: 2000 },
  );
  // The property is meaningful only if both kinds of answers occur.
  expect([...seen]).toEqual(
    expect.arrayContaining(['not_listed', 'other_release', 'not_installed', 'unknown_advisory', 'no_feed']),
  );
});
