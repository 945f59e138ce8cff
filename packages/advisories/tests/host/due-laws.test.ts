import { dueClocks, type Statement } from '@plimsoll/model';
import fc from 'fast-check';
import {
  type AssessedHost,
  type AssessedPackage,
  assessHost,
  type DueRule,
  dayMs,
  dueTermsOf,
  type HostDue,
  isVisible,
  summarisePackage,
} from '../../src/index.ts';
import { countHost } from './count-host.ts';
import { hostKinds } from './drawn/every-host.ts';

const now = Date.UTC(2026, 10, 23, 5, 41);

const rules: fc.Arbitrary<readonly DueRule[]> = fc.array(
  fc.record(
    {
      severity: fc.constantFrom('critical' as const, 'important' as const, 'low' as const),
      knownExploited: fc.boolean(),
      exploitation: fc.constant('active' as const),
      exposure: fc.constantFrom('public' as const, 'internal' as const),
      automatable: fc.boolean(),
      within: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constant('next_upgrade' as const)),
      clock: fc.constantFrom(...dueClocks),
      forensics: fc.boolean(),
    },
    { requiredKeys: ['within', 'clock', 'forensics'] },
  ),
  { minLength: 1, maxLength: 4 },
);
const lastRule: DueRule = { within: 60, clock: 'published', forensics: false };

/** A number that is the same for the same text. */
function drawn(text: string, below: number): number {
  let hash = 7;
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return (hash * 7_919) % below;
}

/** The statement with dates drawn from its id and CVEs. */
function dated(statement: Statement): Statement {
  const ago = (text: string) => now - drawn(text, 120 * 24 * 60) * 60_000;
  return {
    ...statement,
    dates: {
      fixPublishedAt: statement.fix.kind === 'fixed' ? ago(`fix ${statement.statementId}`) : null,
      isFixDateKnown: drawn(`${statement.statementId}`, 2) === 0,
      statedAt: ago(`stated ${statement.statementId}`),
      cves: statement.cves.map((id) => ({
        id,
        exploitedAt: drawn(id, 3) === 0 ? ago(id) : null,
        ssvc:
          drawn(id, 2) === 0
            ? {
                exploitation: drawn(`e${id}`, 2) === 0 ? 'active' : 'poc',
                automatable: drawn(`a${id}`, 2) === 0,
                impact: 'partial',
              }
            : null,
      })),
    },
  };
}

function dueHost(subject: AssessedHost, due: HostDue): AssessedHost {
  const withDates = (each: AssessedPackage) => ({ ...each, statements: each.statements.map(dated) });
  return {
    packages: subject.packages.map(withDates),
    runningKernel: subject.runningKernel && withDates(subject.runningKernel),
    facts: { ...subject.facts, due },
  };
}

describe.each(hostKinds)('due dates on every %s host', (_kind, hosts) => {
  it('the fast count has those of the listed advisories, exact to the millisecond', () => {
    let overdue = 0;
    let later = 0;
    fc.assert(
      fc.property(hosts, rules, fc.constantFrom('public', 'internal', 'unknown'), (host, own, exposure) => {
        const due: HostDue = {
          terms: dueTermsOf({ preset: null, rules: [...own, lastRule] }, exposure, []),
          now,
          installedAt: (id) => now - drawn(`${id}`, 100) * dayMs,
          firstReportAt: now - 50 * dayMs,
        };
        const subject = dueHost(host.subject, due);
        const { findings, dueAt, overdue: counted, nextDueAt } = assessHost(subject);
        const times = findings.map(({ advisories }) =>
          Math.min(
            ...advisories
              .filter(({ statement }) => isVisible(statement))
              .map((each) => each.due?.at ?? Number.POSITIVE_INFINITY),
          ),
        );
        const earliest = Math.min(...times);
        const next = Math.min(...times.filter((time) => time > now));
        expect(findings.map((each) => each.dueAt ?? Number.POSITIVE_INFINITY)).toEqual(times);
        expect(dueAt?.getTime() ?? Number.POSITIVE_INFINITY).toBe(earliest);
        expect(counted).toBe(times.filter((time) => time <= now).length);
        expect(nextDueAt?.getTime() ?? Number.POSITIVE_INFINITY).toBe(next);
        const { packages, runningKernel, facts } = subject;
        const { totals, findings: list } = countHost({
          packages: packages.map(summarisePackage),
          runningKernel: runningKernel && summarisePackage(runningKernel),
          facts,
        });
        expect(totals).toMatchObject({ dueAt, overdue: counted, nextDueAt });
        const listed = list.map((each) => each.dueAt);
        expect(listed.filter(Number.isFinite).sort()).toEqual(times.filter(Number.isFinite).sort());
        overdue += counted;
        later += nextDueAt === null ? 0 : 1;
      }),
      { seed: 20_261_123, numRuns: 300 },
    );
    expect(Math.min(overdue, later)).toBeGreaterThan(5);
  });
});
