import type { InstalledPackage, KernelFacts, Severity, Statement, Upgrade } from '@plimsoll/model';
import { fixStates, severities } from '@plimsoll/model';
import fc from 'fast-check';
import {
  type AssessedHost,
  assessHost,
  countHost,
  type Finding,
  selectFindings,
  summarisePackage,
} from '../../src/index.ts';
import {
  assessed,
  type DebianHost,
  installed,
  kernelImage,
  noKernelFacts,
  offered,
  running,
  statement,
} from '../debian-host.ts';

const versions = ['6.1.119-1', '6.1.123-1', '6.1.124-1', '6.1.128-1', '6.1.128-1~bpo12+1', 'no version'];
const version = fc.constantFrom(...versions);
const realVersion = fc.constantFrom('6.1.119-1', '6.1.123-1', '6.1.124-1', '6.1.128-1');
const release = fc.constantFrom('6.1.0-28-amd64', '6.1.0-29-amd64', '6.1.0-30-amd64', '6.1.0-30-cloud-amd64');
const vendor = fc.constantFrom('Debian', '', 'Somebody');
const flag = fc.boolean();
const sources = ['curl', 'openssl', 'linux'];

const statements: fc.Arbitrary<Record<string, readonly Statement[]>> = fc.record(
  Object.fromEntries(
    sources.map((name) => [
      name,
      fc.uniqueArray(
        fc
          .record({
            id: fc.integer({ min: 1, max: 9 }),
            fix: fc.option(realVersion),
            severity: fc.constantFrom<Severity>(...severities),
            knownExploited: flag,
          })
          .map(({ id, fix, severity, knownExploited }) =>
            statement(`CVE-2024-000${id}`, fix, { severity, knownExploited }),
          ),
        { maxLength: 5, selector: ({ externalId }) => externalId },
      ),
    ]),
  ),
);

const sourceOf = new Map([
  ['curl', 'curl'],
  ['libcurl4', 'curl'],
  ['libssl3', 'openssl'],
]);
const ordinary: fc.Arbitrary<InstalledPackage> = fc
  .record({
    name: fc.constantFrom('curl', 'libcurl4', 'libssl3', 'linux-libc-dev', 'linux-image-amd64'),
    version,
    vendor,
    held: flag,
  })
  .map(({ name, version: at, ...rest }) => {
    const source = sourceOf.get(name) ?? 'linux-signed-amd64';
    return installed(name, at, { name: source }, rest);
  });
const image = fc
  .record({ release, version, vendor, held: flag })
  .map(({ release: boots, version: at, ...rest }) => kernelImage(boots, at, rest));
const packages = fc.uniqueArray(fc.oneof(ordinary, image), { selector: ({ name }) => name, maxLength: 8 });

const upgrades: fc.Arbitrary<Upgrade[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.oneof(
        fc.constantFrom('curl', 'libcurl4', 'libssl3', 'linux-image-amd64'),
        release.map((boots) => `linux-image-${boots}`),
      ),
      from: fc.constantFrom('', '6.1.119-1'),
      to: version,
      isSecurity: flag,
      held: flag,
      phased: flag,
      origin: vendor,
      sourceName: fc.constantFrom('curl', 'openssl', 'linux', ''),
    })
    .map(({ name, from, to, sourceName, ...rest }) =>
      offered(name, from, to, { ...rest, sourceName: sourceName || name }),
    ),
  { maxLength: 6, selector: ({ name }) => name },
);

const kernel: fc.Arbitrary<KernelFacts> = fc.oneof(
  fc.constant(noKernelFacts),
  fc
    .record({
      release,
      version: realVersion,
      rebootRequired: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
      livepatched: flag,
    })
    .map(({ release: boots, version: at, rebootRequired, livepatched }) =>
      running(boots, at, {
        rebootRequired,
        livepatchedCves: livepatched ? ['CVE-2024-0001', 'CVE-2024-0002'] : [],
      }),
    ),
);

const host: fc.Arbitrary<DebianHost> = fc.record({
  packages,
  upgrades,
  kernel,
  statements,
  virtualization: fc.constantFrom('kvm', 'kvm', 'kvm', 'lxc', ''),
  facts: fc.record({ updates: fc.constantFrom('known' as const, 'unknown' as const) }),
});

function count({ packages: subjects, runningKernel, facts }: AssessedHost) {
  return countHost({
    packages: subjects.map(summarisePackage),
    runningKernel: runningKernel && summarisePackage(runningKernel),
    facts,
  });
}

function rows(findings: readonly Finding[], includeUnfixed = false): readonly Finding[] {
  return selectFindings(findings, { includeUnfixed, includeHidden: false });
}

describe('of every host', () => {
  const runs = { numRuns: 300 };

  it('the fast count equals the assessment', () => {
    fc.assert(
      fc.property(host, (drawn) => {
        const subject = assessed(drawn);
        const {
          findings: _findings,
          upgradable: _upgradable,
          downgrades: _downgrades,
          judged: _judged,
          kernelPosture: _posture,
          disagreements: _disagreements,
          ...totals
        } = assessHost(subject);
        expect(count(subject)).toEqual(totals);
      }),
      runs,
    );
  });

  it('totals equal the numbers of listed rows', () => {
    fc.assert(
      fc.property(host, (drawn) => {
        const subject = assessed(drawn);
        const { findings, upgradable, kernelPosture, disagreements, ...totals } = assessHost(subject);
        for (const severity of ['critical', 'important', 'moderate', 'low', 'unrated'] as const) {
          expect(totals.counts[severity]).toBe(
            rows(findings).filter((row) => row.severity === severity).length,
          );
        }
        const all = rows(findings, true);
        expect(totals.counts.unfixed).toBe(all.length - rows(findings).length);
        expect(totals.counts.knownExploited).toBe(all.filter(({ knownExploited }) => knownExploited).length);
        expect(totals.availableUpdates).toBe(upgradable.length);
        expect(totals.disagreementCount).toBe(disagreements.length);
        expect([totals.rebootState, totals.restartState]).toEqual([
          kernelPosture.rebootState,
          kernelPosture.restartState,
        ]);
      }),
      runs,
    );
  });

  it('the grounds for action follow from the listed advisories', () => {
    fc.assert(
      fc.property(host, (drawn) => {
        const { findings, grounds } = assessHost(assessed(drawn));
        const open = rows(findings, true).flatMap(({ advisories }) => advisories);
        const isOpen = (states: readonly string[], urgent: boolean) =>
          open.some(
            ({ statement: { severity, knownExploited }, fixState }) =>
              states.includes(fixState) && (!urgent || severity === 'critical' || knownExploited),
          );
        expect(grounds.includes('open_finding')).toBe(open.length > 0);
        expect(grounds.includes('urgent_open')).toBe(isOpen(fixStates, true));
        expect(grounds.includes('urgent_installable')).toBe(isOpen(['installable', 'fix_published'], true));
        expect(grounds.includes('urgent_blocked')).toBe(isOpen(['held', 'not_in_repositories'], true));
        expect(grounds.includes('blocked_fix')).toBe(isOpen(['held', 'not_in_repositories'], false));
        expect(grounds.includes('urgent_pending_reboot')).toBe(isOpen(['pending_reboot'], true));
        expect(grounds.includes('pending_reboot')).toBe(isOpen(['pending_reboot'], false));
        if (isOpen(['installable', 'fix_published'], false)) expect(grounds).toContain('security_update');
      }),
      runs,
    );
  });

  it('a row’s state is the first of its visible advisories’, and its version closes all listed ones', () => {
    fc.assert(
      fc.property(host, (drawn) => {
        for (const row of rows(assessHost(assessed(drawn)).findings, true)) {
          const states = row.advisories.map(({ fixState }) => fixState);
          expect(row.fixState).toBe(fixStates.find((state) => states.includes(state)));
          expect(row.fixed).toBe(row.fixedVersion !== null);
          expect(row.severity).not.toBe('none');
        }
      }),
      runs,
    );
  });

  it('the order of packages, updates and advisories does not matter', () => {
    fc.assert(
      fc.property(host, (drawn) => {
        const subject = assessed(drawn);
        const turned: AssessedHost = {
          ...subject,
          packages: [...subject.packages]
            .reverse()
            .map((entry) => ({ ...entry, statements: [...entry.statements].reverse() })),
          facts: { ...subject.facts, upgrades: [...subject.facts.upgrades].reverse() },
        };
        expect(assessHost(turned)).toEqual(assessHost(subject));
        expect(count(turned)).toEqual(count(subject));
      }),
      runs,
    );
  });

  it('every installed package has a verdict, is excluded for a reason, or is counted as unknown', () => {
    fc.assert(
      fc.property(host, (drawn) => {
        const subject = assessed(drawn);
        const { findings, counts } = assessHost(subject);
        const unknown = subject.packages.filter(({ verdict }) => verdict.kind === 'unknown');
        // A kernel's findings are those of the running build, which can differ from the installed one.
        const ordinaryUnknown = unknown.filter(
          ({ verdict }) => verdict.kind === 'unknown' && verdict.kernel === null,
        );
        const found = findings.map(({ packageId }) => packageId);
        for (const { id } of ordinaryUnknown) expect(found).not.toContain(id);
        expect(counts.unknown).toBeGreaterThanOrEqual(ordinaryUnknown.length);
        expect(counts.unknown).toBeLessThanOrEqual(subject.packages.length);
      }),
      runs,
    );
  });
});
