import { fixStates, groupBy, type Severity, severities } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import {
  type AssessedHost,
  type Assessment,
  assessHost,
  entryState,
  type Finding,
  firstState,
  isVisible,
  matchedVerdict,
  summarisePackage,
} from '../../src/index.ts';
import { countHost, type TimedFinding } from './count-host.ts';
import { holds, hostKinds, rows } from './drawn/every-host.ts';

function count({ packages, runningKernel, facts }: AssessedHost) {
  return countHost({
    packages: packages.map(summarisePackage),
    runningKernel: runningKernel && summarisePackage(runningKernel),
    facts,
  });
}

/** The fix state of each visible advisory of a host by what its finding list says, as `VERSION ADVISORY STATE`. */
function listedStates({ packages, runningKernel }: AssessedHost, listed: readonly TimedFinding[]) {
  const judged = runningKernel === null ? packages : [...packages, runningKernel];
  return listed
    .flatMap(({ entry }) => {
      const visible = judged.find(({ id }) => id === entry.versionId)?.statements.filter(isVisible) ?? [];
      return [...groupBy(visible, ({ advisory }) => advisory)].map(([advisory, statements]) => {
        const state = entryState(
          entry,
          advisory,
          statements.map(({ fix }) => fix),
        );
        return `${entry.versionId} ${advisory} ${state}`;
      });
    })
    .sort();
}

/** The same by its findings. */
function assessedStates(
  { packages }: AssessedHost,
  { findings, judgedKernel }: Pick<Assessment, 'findings' | 'judgedKernel'>,
) {
  return rows(findings, true)
    .flatMap(({ packageId, advisories }) => {
      const verdict = packages.find(({ id }) => id === packageId)?.verdict;
      const isImage =
        verdict !== undefined && verdict.kind !== 'excluded' && verdict.kernel?.role === 'image';
      // The statements about the running kernel count, which need not be installed any more.
      const versionId = isImage ? judgedKernel : packageId;
      return [...groupBy(advisories, ({ statement }) => statement.advisory)].map(([advisory, same]) => {
        const state = firstState(new Set(same.map(({ fixState }) => fixState)));
        return `${versionId} ${advisory} ${state}`;
      });
    })
    .sort();
}

/** Whether the vendor has decided on any advisory of a row; no other row is counted. */
function isDecided({ advisories }: Finding): boolean {
  return advisories.some(
    ({ statement: { fix } }) => fix.kind === 'fixed' || fix.reason !== 'under_investigation',
  );
}

const unfixedOf = {
  critical: 'unfixedCritical',
  important: 'unfixedImportant',
  moderate: 'unfixedModerate',
  low: 'unfixedLow',
  unrated: 'unfixedUnrated',
} as const;

/** The worst severity of the advisories of a row without a fix, if the vendor has decided on any of these. */
function worstUnfixed({ advisories }: Finding): Severity | undefined {
  const open = advisories.flatMap(({ statement }) => (statement.fix.kind === 'fixed' ? [] : statement));
  const isAny = open.some(({ fix }) => fix.kind !== 'fixed' && fix.reason !== 'under_investigation');
  return isAny ? severities.find((word) => open.some(({ severity }) => severity === word)) : undefined;
}

describe.each(hostKinds)('the lists and numbers of every %s host', (_kind, hosts) => {
  it('the fast count equals the assessment', () => {
    holds(hosts, ({ subject }, assessment) => {
      const {
        findings: _findings,
        upgradable: _upgradable,
        downgrades: _downgrades,
        judged: _judged,
        kernelPosture: _posture,
        disagreements: _disagreements,
        ...totals
      } = assessment;
      expect(count(subject).totals).toEqual(totals);
    });
  });

  it('the finding list gives each open advisory the state that the assessment gives it', () => {
    const states = new Set<string>();
    holds(hosts, ({ subject }, assessment) => {
      const expected = assessedStates(subject, assessment);
      expect(listedStates(subject, count(subject).findings)).toEqual(expected);
      for (const text of expected) states.add(text.split(' ')[2] ?? '');
    });
    expect(states.size).toBeGreaterThan(4);
  });

  it('totals equal the numbers of listed rows', () => {
    holds(hosts, (_drawn, { findings, upgradable, kernelPosture, disagreements, ...totals }) => {
      const counted = rows(findings, true).filter(isDecided);
      for (const severity of ['critical', 'important', 'moderate', 'low', 'unrated'] as const) {
        const listed = counted.filter((row) => row.fixed && row.severity === severity);
        expect(totals.counts[severity]).toBe(listed.length);
        expect(totals.counts[unfixedOf[severity]]).toBe(
          counted.filter((row) => worstUnfixed(row) === severity).length,
        );
      }
      expect(totals.counts.unfixed).toBe(counted.filter(({ fixed }) => !fixed).length);
      expect(totals.counts.knownExploited).toBe(
        counted.filter(({ knownExploited }) => knownExploited).length,
      );
      expect(totals.availableUpdates + totals.phasedUpdates).toBe(upgradable.length);
      expect(totals.disagreementCount).toBe(disagreements.length);
      expect([totals.rebootState, totals.restartState]).toEqual([
        kernelPosture.rebootState,
        kernelPosture.restartState,
      ]);
    });
  });

  it('the grounds for action follow from the listed advisories', () => {
    holds(hosts, (_drawn, { findings, grounds }) => {
      const open = rows(findings, true).flatMap(({ advisories }) => advisories);
      const isOpen = (states: readonly string[], urgent: boolean) =>
        open.some(
          ({ statement: { severity, knownExploited }, fixState }) =>
            states.includes(fixState) && (!urgent || severity === 'critical' || knownExploited),
        );
      const hasNoFix = open.some(
        ({ statement: { severity, severitySource, knownExploited }, fixState }) =>
          (fixState === 'no_fix' &&
            (knownExploited || (severity === 'critical' && severitySource === 'vendor'))) ||
          (fixState === 'needs_subscription' && knownExploited),
      );
      expect(grounds.includes('open_finding')).toBe(open.length > 0);
      expect(grounds.includes('urgent_open')).toBe(isOpen(fixStates, true));
      expect(grounds.includes('urgent_installable')).toBe(
        isOpen(['installable', 'unfinished', 'fix_published'], true),
      );
      expect(grounds.includes('urgent_blocked')).toBe(isOpen(['held', 'not_in_repositories'], true));
      expect(grounds.includes('blocked_fix')).toBe(isOpen(['held', 'not_in_repositories'], false));
      expect(grounds.includes('urgent_pending_reboot')).toBe(isOpen(['pending_reboot'], true));
      expect(grounds.includes('pending_reboot')).toBe(isOpen(['pending_reboot'], false));
      expect(grounds.includes('needs_subscription')).toBe(isOpen(['needs_subscription'], false));
      expect(grounds.includes('urgent_without_fix')).toBe(hasNoFix);
      if (isOpen(['installable', 'unfinished', 'fix_published'], false))
        expect(grounds).toContain('security_update');
    });
  });

  it('a row’s state is the first of its visible advisories’, and its version closes all listed ones', () => {
    holds(hosts, ({ keyOf }, { findings }) => {
      for (const row of rows(findings, true)) {
        const states = row.advisories.map(({ fixState }) => fixState);
        expect(row.fixState).toBe(fixStates.find((state) => states.includes(state)));
        expect(row.severity).not.toBe('none');
        expect(row.fixed).toBe(row.fixedVersion !== null);
        for (const { statement } of row.advisories) {
          if (statement.fix.kind === 'unfixed' || row.fixedVersion === null) continue;
          expect(compareKeys(keyOf(row.fixedVersion), keyOf(statement.fix.version))).toBeGreaterThanOrEqual(
            0,
          );
        }
      }
    });
  });

  it('the order of packages, updates and advisories does not matter', () => {
    holds(hosts, ({ subject }, assessment) => {
      const turned: AssessedHost = {
        ...subject,
        packages: [...subject.packages]
          .reverse()
          .map((entry) => ({ ...entry, statements: [...entry.statements].reverse() })),
        facts: { ...subject.facts, upgrades: [...subject.facts.upgrades].reverse() },
      };
      expect(assessHost(turned)).toEqual(assessment);
      expect(count(turned).totals).toEqual(count(subject).totals);
    });
  });

  it('every installed package has a verdict, is excluded for a reason, or is counted as unknown', () => {
    holds(hosts, ({ subject }, { findings, counts }) => {
      const found = new Set(findings.map(({ packageId }) => packageId));
      // A kernel's findings are those of the running build, which can differ from the installed one.
      const silent = subject.packages.filter(
        (entry) => summarisePackage(entry).kernel === null && matchedVerdict(entry).kind !== 'comparable',
      );
      expect(silent.filter(({ id }) => found.has(id))).toEqual([]);
      const unknown = silent.filter((entry) => matchedVerdict(entry).kind === 'unknown');
      expect(counts.unknown).toBeGreaterThanOrEqual(unknown.length);
      expect(counts.unknown).toBeLessThanOrEqual(subject.packages.length);
    });
  });

  it('an update names the advisories that it closes, and rates them by the worst', () => {
    holds(hosts, ({ subject }, { findings, upgradable }) => {
      const { upgrades, held } = subject.facts;
      const skipped = new Set([
        ...upgrades.flatMap(({ upgrade: { name }, change }) => (change === 'new' ? [name] : [])),
        ...subject.packages.flatMap(({ id, name }) => (held.has(id) ? [name] : [])),
      ]);
      for (const { packageId, name, advisories } of findings) {
        const entry = subject.packages.find(({ id }) => id === packageId);
        if (entry === undefined || summarisePackage(entry).kernel !== null || skipped.has(name)) continue;
        const named = upgradable.flatMap((row) => (row.name === name && !row.held ? row.advisoryIds : []));
        for (const { statement, fixState } of advisories) {
          if (fixState === 'installable') expect(named).toContain(statement.externalId);
        }
      }
      for (const { advisoryIds, severity } of upgradable) {
        if (severity !== null) expect(advisoryIds.length).toBeGreaterThan(0);
      }
    });
  });
});
