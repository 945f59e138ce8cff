import type { Statement } from '@plimsoll/model';
import fc from 'fast-check';
import {
  type AssessedHost,
  type AssessedPackage,
  alikeKey,
  assessHost,
  countHost,
  type DueRule,
  dayMs,
  dueTermsOf,
  type HostDue,
  isVisible,
  type PackageSummary,
  summarisePackage,
} from '../../src/index.ts';
import { hostKinds } from './drawn/every-host.ts';

const now = Date.UTC(2026, 10, 23, 5, 41);

const rules: fc.Arbitrary<readonly DueRule[]> = fc.array(
  fc.record(
    {
      severity: fc.constantFrom('critical' as const, 'important' as const, 'low' as const),
      knownExploited: fc.boolean(),
      exposure: fc.constantFrom('public' as const, 'internal' as const),
      automatable: fc.boolean(),
      within: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constant('next_upgrade' as const)),
      clock: fc.constantFrom('published' as const, 'installed' as const, 'kev' as const),
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
        ssvc: drawn(id, 2) === 0 ? { automatable: drawn(`a${id}`, 2) === 0, impact: 'partial' } : null,
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

function valueIn<Id, Value>(values: ReadonlyMap<Id, Value>, id: Id): Value {
  const value = values.get(id);
  if (value === undefined) throw new Error('nothing has this id');
  return value;
}

/** Counts a host with the packages that count alike put together. */
function countAlike({ packages, runningKernel, facts }: AssessedHost) {
  const named = new Set(facts.upgrades.map(({ upgrade }) => upgrade.name));
  const groups = new Map<string, PackageSummary[]>();
  const others: PackageSummary[] = [];
  const summaries = new Map(packages.map((each) => [each.id, summarisePackage(each)]));
  for (const summary of summaries.values()) {
    const key = named.has(summary.name) || facts.held.has(summary.id) ? null : alikeKey(summary);
    if (key === null) others.push(summary);
    else groups.set(key, [summary, ...(groups.get(key) ?? [])]);
  }
  return countHost({
    packages: others,
    alike: [...groups.values()].flatMap((group) =>
      group[0] === undefined ? [] : [{ summary: group[0], ids: group.map(({ id }) => id) }],
    ),
    summaryOf: (id) => valueIn(summaries, id),
    runningKernel: runningKernel && summarisePackage(runningKernel),
    facts,
  });
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
          spans: new WeakMap(),
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
        const { totals, findings: list } = countAlike(subject);
        expect(totals).toMatchObject({ dueAt, overdue: counted, nextDueAt });
        const minutes = [
          ...list.entries.map(({ mark }) => mark.dueMinute),
          ...list.groups.flatMap(({ versionIds, mark }) => versionIds.map(() => mark.dueMinute)),
        ];
        const expected = times.filter(Number.isFinite).map((time) => Math.ceil(time / 60_000));
        expect(minutes.filter((minute) => minute !== null).sort()).toEqual(expected.sort());
        overdue += counted;
        later += nextDueAt === null ? 0 : 1;
      }),
      { seed: 20_261_123, numRuns: 300 },
    );
    expect(Math.min(overdue, later)).toBeGreaterThan(5);
  });
});
