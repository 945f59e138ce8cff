import { groupBy, type WaiverId } from '@plimsoll/model';
import fc from 'fast-check';
import {
  type AppliedWaiver,
  type AssessedHost,
  assessHost,
  entryState,
  type Finding,
  firstState,
  HostWaivers,
  isVisible,
  selectFindings,
  summariseUnder,
} from '../../src/index.ts';
import { countHost } from './count-host.ts';
import type { DrawnHost } from './drawn/drawn-host.ts';
import { hostKinds } from './drawn/every-host.ts';

const advisories = Array.from({ length: 9 }, (_, n) => `CVE-2024-000${n + 1}`);
const packages = ['curl', 'openssl', 'libssl3', 'linux', 'kernel-core', 'kernel', 'bash'];

const waivers: fc.Arbitrary<readonly AppliedWaiver[]> = fc.array(
  fc
    .record({
      id: fc.uuid().map((id) => id as WaiverId),
      createdBy: fc.constant('someone'),
      kind: fc.constantFrom('risk_accepted' as const, 'mitigated' as const, 'snoozed_until_fix' as const),
      expiresAt: fc.integer({ min: 1, max: 366 }).map((days) => new Date(Date.UTC(2026, 10, 23 + days))),
      named: fc.oneof(
        fc
          .subarray(advisories, { minLength: 1 })
          .map((some) => ({ advisories: some, packages: [], purls: [] })),
        fc
          .subarray(packages, { minLength: 1 })
          .map((some) => ({ advisories: [], packages: some, purls: [] })),
        fc.record({
          advisories: fc.subarray(advisories, { minLength: 1 }),
          packages: fc.constant([]),
          purls: fc
            .subarray(packages, { minLength: 1 })
            .map((some) => some.flatMap((name) => [`pkg:deb/debian/${name}`, `pkg:rpm/${name}`])),
        }),
      ),
    })
    .map(({ named, ...rest }) => ({ ...rest, ...named })),
  { minLength: 1, maxLength: 3 },
);

function waivedHost({ subject }: DrawnHost, applied: readonly AppliedWaiver[]): AssessedHost {
  return { ...subject, facts: { ...subject.facts, waivers: new HostWaivers(applied) } };
}

const all = { includeUnfixed: true, includeHidden: true, includeWaived: true };
const keyOf = ({ packageId, architecture }: Finding) => `${packageId} ${architecture}`;

describe.each(hostKinds)('waivers on every %s host', (_kind, hosts) => {
  const holds = (law: (host: DrawnHost, waived: AssessedHost) => void) =>
    fc.assert(
      fc.property(hosts, waivers, (host, applied) => law(host, waivedHost(host, applied))),
      { seed: 20_261_123, numRuns: 60 },
    );

  it('the fast count equals the assessment', () => {
    let waivedRows = 0;
    holds((_host, subject) => {
      const {
        findings: _findings,
        upgradable: _upgradable,
        downgrades: _downgrades,
        judged: _judged,
        kernelPosture: _posture,
        disagreements: _disagreements,
        ...totals
      } = assessHost(subject);
      const { packages: installed, runningKernel, facts } = subject;
      const summarise = (each: (typeof installed)[number]) => summariseUnder(facts.waivers, each);
      const counted = countHost({
        packages: installed.map(summarise),
        runningKernel: runningKernel && summarise(runningKernel),
        facts,
      });
      expect(counted.totals).toEqual(totals);
      waivedRows += counted.totals.counts.waived;
    });
    expect(waivedRows).toBeGreaterThan(5);
  });

  it('the finding list names every visible advisory with its state, and marks the waived ones', () => {
    let marked = 0;
    holds((_host, subject) => {
      const { packages: installed, runningKernel, facts } = subject;
      const summarise = (each: (typeof installed)[number]) => summariseUnder(facts.waivers, each);
      const { findings: list } = countHost({
        packages: installed.map(summarise),
        runningKernel: runningKernel && summarise(runningKernel),
        facts,
      });
      const judged = runningKernel === null ? installed : [...installed, runningKernel];
      const listed = list.flatMap(({ entry }) => {
        const visible = judged.find(({ id }) => id === entry.versionId)?.statements.filter(isVisible) ?? [];
        return [...groupBy(visible, ({ advisory }) => advisory)].map(([advisory, same]) => {
          const fixes = same.map(({ fix }) => fix);
          const exception = entry.exceptions.find((one) => one.advisory === advisory);
          const isWaived = (exception?.mark ?? entry.mark).waived;
          if (isWaived) marked += 1;
          return `${advisory} ${entryState(entry, advisory, fixes)} ${isWaived}`;
        });
      });
      const assessed = selectFindings(assessHost(subject).findings, { ...all, includeHidden: false });
      const expected = assessed.flatMap(({ advisories: named }) =>
        [...groupBy(named, ({ statement }) => statement.advisory)].map(([advisory, same]) => {
          const state = firstState(new Set(same.map(({ fixState }) => fixState)));
          return `${advisory} ${state} ${same.every(({ waiver }) => waiver !== null)}`;
        }),
      );
      expect(listed.sort()).toEqual(expected.sort());
    });
    expect(marked).toBeGreaterThan(5);
  });

  it('the totals equal the listed rows, and waived rows are in no other total', () => {
    holds((_host, subject) => {
      const { findings, counts } = assessHost(subject);
      const listed = selectFindings(findings, { includeUnfixed: false, includeHidden: false });
      const withWaived = selectFindings(findings, {
        includeUnfixed: false,
        includeHidden: false,
        includeWaived: true,
      });
      expect(counts.critical).toBe(listed.filter(({ severity }) => severity === 'critical').length);
      expect(withWaived.filter(({ waiver }) => waiver !== null)).toHaveLength(counts.waived);
      expect(withWaived.filter(({ waiver }) => waiver === null)).toHaveLength(listed.length);
    });
  });

  it('no finding appears or goes with a waiver, and what is not waived does not change', () => {
    holds((host, subject) => {
      const before = new Map(assessHost(host.subject).findings.map((each) => [keyOf(each), each]));
      const after = assessHost(subject).findings;
      expect(new Set(after.map(keyOf))).toEqual(new Set(before.keys()));
      for (const finding of after) {
        const was = before.get(keyOf(finding));
        const ids = ({ advisories: named }: Finding) => named.map(({ statement }) => statement.statementId);
        expect(was && ids(was)).toEqual(ids(finding));
        if (finding.advisories.every(({ waiver }) => waiver === null)) expect(finding).toEqual(was);
      }
    });
  });

  it('a finding is waived if and only if each of its visible advisories is, and asks for nothing then', () => {
    holds((_host, subject) => {
      const { findings, grounds } = assessHost(subject);
      for (const { advisories: named, waiver } of findings) {
        const visible = named.filter(({ statement }) => isVisible(statement));
        const isWaived = visible.length > 0 && visible.every((each) => each.waiver !== null);
        expect(waiver !== null).toBe(isWaived);
        if (waiver !== null) expect(visible.map((each) => each.waiver)).toContain(waiver);
      }
      const open = selectFindings(findings, { ...all, includeHidden: false, includeWaived: false });
      expect(grounds.includes('open_finding')).toBe(open.length > 0);
    });
  });

  it('severity, fix and state of a finding are those of its advisories that are not waived', () => {
    holds((_host, subject) => {
      for (const finding of selectFindings(assessHost(subject).findings, {
        ...all,
        includeHidden: false,
      })) {
        if (finding.waiver !== null) continue;
        const left = finding.advisories.filter(({ waiver }) => waiver === null);
        expect(finding.fixed).toBe(left.some(({ statement }) => statement.fix.kind === 'fixed'));
        expect(left.map(({ statement }) => statement.severity)).toContain(finding.severity);
        expect(left.map(({ fixState }) => fixState)).toContain(finding.fixState);
        expect(finding.knownExploited).toBe(left.some(({ statement }) => statement.knownExploited));
      }
    });
  });
});
