import { fixStates, type Statement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import {
  type AssessedPackage,
  type Finding,
  type HostUpgrade,
  isContainer,
  isOffered,
  matchedVerdict,
} from '../../src/index.ts';
import type { DrawnHost } from './drawn/drawn-host.ts';
import { assessedOnce, holds, hostKinds } from './drawn/every-host.ts';

const foreignVendors = ['Somebody', 'Launchpad', 'ELRepo', 'Remi’s RPM repository'];

/** A finding with its package and the offers for it; not of kernels, which follow other rules. */
function ordinaryFindings({ subject }: DrawnHost, findings: readonly Finding[]) {
  return findings.flatMap((finding) => {
    const entry = subject.packages.find(({ id }) => id === finding.packageId);
    if (entry?.verdict.kind !== 'comparable' || entry.verdict.kernel !== null) return [];
    const offers = subject.facts.upgrades.filter(
      (offer) =>
        isOffered(offer) &&
        offer.upgrade.name === entry.name &&
        isSame(offer.upgrade.architecture, entry.architecture),
    );
    return [{ ...finding, entry, verdict: entry.verdict, offers }];
  });
}

function isSame(a: string, b: string): boolean {
  return a === b || [a, b].some((one) => one === 'noarch' || one === 'all');
}

/** Whether an offer is of the package's own source and line and contains a fix. */
function contains({ source }: HostUpgrade, { verdict }: AssessedPackage, fix: Uint8Array): boolean {
  return (
    source.kind === 'comparable' &&
    verdict.kind === 'comparable' &&
    source.matchName === verdict.matchName &&
    (source.line ?? '') === (verdict.line === 'fips' ? 'fips' : '') &&
    compareKeys(source.key, fix) >= 0
  );
}

/** The services of Ubuntu Pro that ship a fix of an advisory, by the names that hosts report. */
function servicesFor(service: string): readonly string[] {
  if (service === 'esm') return ['esm-infra', 'esm-apps'];
  return service === 'fips' ? ['fips', 'fips-updates'] : [service];
}

it('the drawn hosts have findings in every state of the laws, and packages with and without a verdict', () => {
  const states = new Set<string>();
  for (const [kind, hosts] of hostKinds) {
    const drawn = assessedOnce(hosts);
    const found = drawn.flatMap(([, { findings }]) => findings.flatMap(({ advisories }) => advisories));
    for (const { fixState } of found) states.add(fixState);
    const verdicts = drawn.flatMap(([{ subject }]) => subject.packages.map(({ verdict }) => verdict.kind));
    expect([kind, ...new Set(verdicts)].sort()).toEqual([kind, 'comparable', 'excluded', 'unknown'].sort());
    expect(drawn.some(([, { rebootState }]) => rebootState === 'not_needed')).toBe(true);
    expect(drawn.some(([, { judgedKernel }]) => judgedKernel !== null)).toBe(true);
  }
  const often = fixStates.filter((state) => state !== 'phased' && state !== 'livepatched');
  expect([...states]).toEqual(expect.arrayContaining(often));
});

describe.each(hostKinds)('of every %s host', (_kind, hosts) => {
  it('a package has a finding with exactly the statements that affect it, or none affects it', () => {
    holds(hosts, ({ subject }, { findings }) => {
      const found = new Map(findings.map(({ packageId, advisories }) => [packageId, advisories]));
      expect(found.size).toBe(findings.length);
      for (const entry of subject.packages) {
        if (entry.verdict.kind !== 'comparable' || entry.verdict.kernel !== null) continue;
        const listed = (found.get(entry.id) ?? []).map(({ statement }) => statement.statementId);
        expect(listed.sort()).toEqual(entry.statements.map(({ statementId }) => statementId).sort());
      }
    });
  });

  it('a statement affects only the builds that it covers, without its fix', () => {
    holds(hosts, (drawn) => {
      for (const entry of drawn.subject.packages) {
        const { verdict, statements, architecture } = entry;
        if (verdict.kind !== 'comparable') {
          expect(statements).toEqual([]);
          continue;
        }
        for (const { withdrawn, builds, fix, names } of statements) {
          expect(withdrawn).toBe(false);
          if (builds.architectures.length > 0 && architecture !== 'noarch')
            expect(builds.architectures).toContain(architecture);
          if (builds.module !== null) expect(builds.module).toBe(verdict.module);
          if (builds.line === null) expect(verdict.line).not.toBe('fips');
          else expect([verdict.line, verdict.follows]).toContain(builds.line);
          if (fix.kind === 'fixed' && names === undefined)
            expect(compareKeys(drawn.keyOf(verdict.matchVersion), fix.key)).toBeLessThan(0);
        }
      }
    });
  });

  it('an open statement about a package affects every build of the main line that it covers', () => {
    holds(hosts, ({ subject, statements, keyOf }) => {
      for (const { verdict, architecture, statements: affecting } of subject.packages) {
        if (verdict.kind !== 'comparable' || verdict.line !== '' || verdict.follows !== undefined) continue;
        const isOpen = ({ withdrawn, builds, fix, names }: Statement) =>
          !withdrawn &&
          names === undefined &&
          builds.line === null &&
          (builds.module === null || builds.module === verdict.module) &&
          (builds.architectures.length === 0 || builds.architectures.includes(architecture)) &&
          (fix.kind === 'unfixed' || compareKeys(keyOf(verdict.matchVersion), fix.key) < 0);
        const open = (statements[verdict.matchName] ?? []).filter(isOpen);
        expect(affecting.map(({ externalId }) => externalId)).toEqual(
          expect.arrayContaining(open.map(({ externalId }) => externalId)),
        );
      }
    });
  });

  it('a package of a third party is counted as unknown, without findings', () => {
    holds(hosts, ({ packages, subject }, { findings, counts }) => {
      const foreign = subject.packages.filter(
        ({ verdict }, index) =>
          verdict.kind !== 'excluded' && foreignVendors.includes(packages[index]?.vendor ?? ''),
      );
      expect(foreign.filter((entry) => matchedVerdict(entry).kind !== 'unknown')).toEqual([]);
      const ordinary = foreign.filter(({ verdict }) => verdict.kind === 'unknown' && verdict.kernel === null);
      expect(counts.unknown).toBeGreaterThanOrEqual(ordinary.length);
      const ids = new Set(foreign.map(({ id }) => id));
      const found = findings.filter(({ packageId }) => ids.has(packageId));
      // The finding of a replaced kernel is of the running build, listed under the installed package.
      expect(found.filter(({ evidence }) => !isReplaced(evidence.notes))).toEqual([]);
    });
  });

  it('a fix is installable, held or phased if an offer contains it, and missing only if none does', () => {
    holds(hosts, (drawn, { findings }) => {
      const { facts } = drawn.subject;
      for (const { entry, verdict, offers, advisories } of ordinaryFindings(drawn, findings)) {
        const isHeld = facts.held.has(entry.id);
        for (const { statement, fixState } of advisories) {
          const { fix } = statement;
          if (fix.kind === 'unfixed') {
            expect(fixState).toBe(fix.reason);
            continue;
          }
          const withFix = offers.filter((offer) => contains(offer, entry, fix.key));
          const free = withFix.filter(({ upgrade }) => !isHeld && !upgrade.held && !upgrade.phased);
          if (free.length > 0) expect(fixState).toBe('installable');
          else if (withFix.length > 0) expect(['held', 'phased']).toContain(fixState);
          if (fixState === 'phased') expect(offers.some(({ upgrade }) => upgrade.phased)).toBe(true);
          if (isHeld) expect(['installable', 'phased']).not.toContain(fixState);
          // Builds for FIPS contain other fixes than the main line.
          const ofLine = offers.filter(
            ({ source }) =>
              source.kind === 'comparable' && (source.line === 'fips') === (verdict.line === 'fips'),
          );
          if (fixState === 'installable') expect(ofLine.length).toBeGreaterThan(0);
          if (fixState === 'not_in_repositories') expect(facts.updates).toBe('known');
        }
      }
    });
  });

  it('a fix of a service waits for the subscription exactly if the host is known to lack it and has no offer', () => {
    holds(hosts, (drawn, { findings }) => {
      const { subscription } = drawn.subject.facts;
      for (const { advisories } of ordinaryFindings(drawn, findings)) {
        for (const { statement, fixState } of advisories) {
          if (statement.fix.kind === 'unfixed') continue;
          const { service } = statement.fix;
          const isEntitled =
            service === null ||
            subscription === 'unknown' ||
            (subscription?.attached === true &&
              servicesFor(service).some((name) => subscription.services.includes(name)));
          if (isEntitled) expect(fixState).not.toBe('needs_subscription');
          else expect(['needs_subscription', 'installable', 'held', 'phased']).toContain(fixState);
        }
      }
    });
  });

  it('only the running kernel has kernel findings, and every one of its statements', () => {
    holds(hosts, ({ subject }, { findings, judgedKernel }) => {
      const { kernel, virtualization } = subject.facts;
      const known = [...subject.packages, ...(subject.runningKernel === null ? [] : [subject.runningKernel])];
      const kernels = findings.flatMap(({ packageId, advisories }) => {
        const verdict = known.find(({ id }) => id === packageId)?.verdict;
        if (verdict === undefined) throw new Error(`no package has the id ${packageId}`);
        return verdict.kind === 'excluded' || verdict.kernel === null ? [] : [{ verdict, advisories }];
      });
      if (isContainer(virtualization)) expect(kernels).toEqual([]);
      for (const { verdict } of kernels) expect(verdict.kernel?.release).toBe(kernel.runningRelease);
      const judged = known.find(({ id }) => id === judgedKernel);
      const ids = kernels.flatMap(({ advisories }) =>
        advisories.map(({ statement }) => statement.statementId),
      );
      expect(ids).toEqual(
        expect.arrayContaining((judged?.statements ?? []).map(({ statementId }) => statementId)),
      );
    });
  });

  it('a fix that waits for a reboot makes the reboot needed, as does a newer kernel of the flavour', () => {
    holds(hosts, ({ subject, keyOf }, { findings, rebootState }) => {
      const { kernel, virtualization } = subject.facts;
      const waits = findings.some(({ advisories }) =>
        advisories.some(({ fixState }) => fixState === 'pending_reboot'),
      );
      if (waits) expect(rebootState).toBe('needed');
      if (isContainer(virtualization)) return;
      const images = subject.packages.flatMap(({ version, verdict }) =>
        verdict.kind !== 'excluded' && verdict.kernel?.role === 'image'
          ? [{ version, isJudged: verdict.kind === 'comparable', ...verdict.kernel }]
          : [],
      );
      const [running, ...others] = images.filter(({ release }) => release === kernel.runningRelease);
      if (running?.isJudged !== true || others.length > 0) return;
      const isNewer = images.some(
        ({ version, isJudged, flavour }) =>
          isJudged && flavour === running.flavour && compareKeys(keyOf(version), keyOf(running.version)) > 0,
      );
      if (isNewer) expect(rebootState).toBe('needed');
    });
  });

  it('no reboot is needed only if the host says so and runs its latest kernel, or is a container', () => {
    holds(hosts, ({ subject }, { rebootState, kernelPosture }) => {
      const { kernel, virtualization } = subject.facts;
      if (rebootState !== 'not_needed' || isContainer(virtualization)) return;
      expect([kernel.rebootRequired, kernelPosture.runningIsLatest]).toEqual(['no', true]);
    });
  });

  it('a host whose updates are not known says so', () => {
    holds(hosts, ({ subject }, { updatesKnown }) => {
      expect(updatesKnown).toBe(subject.facts.updates === 'known');
    });
  });
});

function isReplaced(notes: Finding['evidence']['notes']): boolean {
  return notes.some(({ code }) => code === 'running_kernel_replaced');
}
