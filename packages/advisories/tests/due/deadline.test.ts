import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Deadline,
  type DueFacts,
  type DuePolicy,
  type DueRule,
  type DueTerms,
  dayMs,
  deadlineOf,
  dueFactsOf,
  dueIn,
  dueSpanOf,
  dueTermsOf,
  type HostTimes,
  presetPolicy,
} from '@plimsoll/advisories';
import { dueClocks } from '@plimsoll/model';
import fc from 'fast-check';
import { cveOf, factsOf, published } from './facts.ts';

const kevDay = Date.UTC(2026, 5, 20);
const reportDay = Date.UTC(2026, 6, 2);
const bod = presetPolicy('cisa-bod-26-04');

/** CERTCC/SSVC, commit e3b00a2: data of the decision table "CISA BOD 26-04 Remediation Timelines" 1.0.0. */
const table = readFileSync(join(__dirname, 'testdata/cisa-bod-26-04.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','));

function own(...rules: readonly Partial<DueRule>[]): DuePolicy {
  return {
    preset: null,
    rules: rules.map((rule) => ({ within: 7, clock: 'published', forensics: false, ...rule })),
  };
}

/** A host that has had the version since the advisory was published, and reports for longer. */
const times: HostTimes = { installedAt: published, firstReportAt: published - 30 * dayMs };

function judge(policy: DuePolicy, facts: DueFacts, exposure: 'public' | 'internal' | 'unknown' = 'internal') {
  return deadlineOf(facts, dueTermsOf(policy, exposure, []), times);
}

describe('cisa-bod-26-04', () => {
  it.each(table)('row %s: KEV %s, public %s, automatable %s, %s impact: %s', (...row) => {
    const [, kev, isPublic, automatable, impact, outcome = ''] = row;
    const exploitedAt = kev === 'yes' ? kevDay : null;
    const ssvc = {
      exploitation: 'none' as const,
      automatable: automatable === 'yes',
      impact: impact as 'partial' | 'total',
    };
    const facts = factsOf({ cves: [cveOf({ exploitedAt, ssvc })] });
    const terms = dueTermsOf(bod, isPublic === 'yes' ? 'public' : 'internal', []);
    const deadline = deadlineOf(facts, terms, { installedAt: reportDay, firstReportAt: reportDay });
    const days = /^(\d+) days/.exec(outcome)?.[1];
    const start = exploitedAt ?? reportDay;
    expect(deadline).toMatchObject({
      at: days === undefined ? null : start + Number(days) * dayMs,
      undated: days === undefined ? 'next_upgrade' : null,
      startedAt: days === undefined ? null : start,
      forensics: outcome.includes('forensic'),
      assumptions: [],
    });
  });

  it('reads all sixteen rows', () => {
    expect(table.map(([row]) => row)).toEqual(Array.from({ length: 16 }, (_, row) => `${row}`));
  });

  it('counts unknown exposure as public, and says so', () => {
    const known = judge(presetPolicy('cisa-bod-26-04'), factsOf(), 'public');
    const unknown = judge(presetPolicy('cisa-bod-26-04'), factsOf(), 'unknown');
    expect(unknown).toEqual({ ...known, assumptions: ['exposure_unknown'] });
  });

  it('counts a CVE that an old catalog does not list as not exploited, and says so', () => {
    const policy = presetPolicy('cisa-bod-26-04');
    const old = { ...dueTermsOf(policy, 'public', []), isCatalogOld: true };
    const current = judge(policy, factsOf(), 'public');
    expect(deadlineOf(factsOf(), old, times)).toEqual({ ...current, assumptions: ['exploitation_unknown'] });
    const listed = factsOf({ cves: [cveOf({ exploitedAt: kevDay })] });
    expect(deadlineOf(listed, old, times).assumptions).toEqual([]);
    const bySeverity = { ...dueTermsOf(presetPolicy('by-severity'), 'public', []), isCatalogOld: true };
    expect(deadlineOf(factsOf(), bySeverity, times).assumptions).toEqual([]);
  });

  it('counts a CVE outside KEV without SSVC as not automatable with total impact, and says so', () => {
    const deadline = judge(
      presetPolicy('cisa-bod-26-04'),
      factsOf({ cves: [cveOf({ ssvc: null })] }),
      'public',
    );
    expect(deadline).toMatchObject({ days: 14, assumptions: ['ssvc_unknown'] });
  });

  // CISA's guidance on the directive: 60 days while it has not answered. The table would have no date for such a host.
  it('gives an internal host 60 days for a CVE outside KEV that CISA has not decided about', () => {
    const undecided = judge(bod, factsOf({ cves: [cveOf({ ssvc: null })] }));
    expect(undecided).toMatchObject({ at: published + 60 * dayMs, assumptions: ['ssvc_unknown'] });
    expect(judge(bod, factsOf({ cves: [] }))).toMatchObject({ days: 60, assumptions: ['no_cve'] });
    expect(judge(bod, factsOf())).toMatchObject({ at: null, undated: 'next_upgrade' });
  });

  // Appendix A: the time begins with the entry in KEV or the detection on the asset, whichever comes first.
  it('starts with the first report of the host, the advisory or the entry in KEV', () => {
    const terms = dueTermsOf(bod, 'internal', []);
    const startOf = (exploitedAt: number | null, firstReportAt: number) => {
      const ssvc = { exploitation: 'active', automatable: false, impact: 'partial' } as const;
      const facts = factsOf({ fix: null, cves: [cveOf({ exploitedAt, ssvc })] });
      return deadlineOf(facts, terms, { installedAt: reportDay, firstReportAt }).startedAt;
    };
    expect(startOf(kevDay, reportDay)).toBe(kevDay);
    expect(startOf(kevDay, kevDay - 3 * dayMs)).toBe(kevDay - 3 * dayMs);
    expect(startOf(kevDay, published - 90 * dayMs)).toBe(published);
    expect(startOf(null, reportDay)).toBe(reportDay);
  });

  it('counts a CVE that CISA calls actively exploited as one in KEV', () => {
    const ssvc = { exploitation: 'active', automatable: false, impact: 'total' } as const;
    const listed = judge(bod, factsOf({ cves: [cveOf({ exploitedAt: kevDay, ssvc })] }), 'public');
    const active = judge(bod, factsOf({ cves: [cveOf({ ssvc })] }), 'public');
    expect(active).toEqual(listed);
    expect(active).toMatchObject({ days: 3, forensics: true, assumptions: [] });
  });

  it('counts a CVE in KEV without SSVC as automatable with total impact: the strictest row', () => {
    const cve = cveOf({ exploitedAt: kevDay, ssvc: null });
    expect(judge(presetPolicy('cisa-bod-26-04'), factsOf({ cves: [cve] }))).toMatchObject({
      at: published + 3 * dayMs,
      forensics: true,
      assumptions: ['ssvc_of_exploited_unknown'],
    });
  });

  it('takes the strictest of several CVEs, and names it', () => {
    const cves = [
      cveOf(),
      cveOf({ id: 'CVE-2026-2', ssvc: { exploitation: 'poc', automatable: true, impact: 'total' } }),
      cveOf({ id: 'CVE-2026-3', exploitedAt: kevDay }),
    ];
    expect(judge(presetPolicy('cisa-bod-26-04'), factsOf({ cves }), 'public')).toMatchObject({
      cve: 'CVE-2026-2',
      at: published + 3 * dayMs,
    });
  });

  it('has a date without a fix', () => {
    expect(judge(bod, factsOf({ fix: null }), 'public').at).toBe(published + 60 * dayMs);
    const listed = factsOf({ fix: null, cves: [cveOf({ exploitedAt: kevDay })] });
    expect(judge(bod, listed).at).toBe(published + 14 * dayMs);
  });
});

describe('by-severity', () => {
  it.each([
    ['critical', 7],
    ['important', 30],
    ['moderate', 90],
    ['low', 180],
    ['unrated', 90],
  ] as const)('%s: %i days after the fix was published, whatever the exposure', (severity, days) => {
    expect(judge(presetPolicy('by-severity'), factsOf({ severity }), 'unknown')).toMatchObject({
      at: published + days * dayMs,
      assumptions: [],
    });
  });

  it('says if only the publication of the record is known', () => {
    const facts = factsOf({ fix: { publishedAt: published, isDateKnown: false } });
    expect(judge(presetPolicy('by-severity'), facts).assumptions).toEqual(['fix_date_unknown']);
  });
});

describe('own rules', () => {
  const active = own({ exploitation: 'active', within: 3 }, { within: 60 });

  it.each([
    ['in KEV, whatever SSVC says', { exploitedAt: kevDay }, 3],
    ['in KEV, not decided', { exploitedAt: kevDay, ssvc: null }, 3],
    ['active by SSVC', { ssvc: { exploitation: 'active', automatable: false, impact: 'partial' } }, 3],
    ['with a proof of concept', { ssvc: { exploitation: 'poc', automatable: true, impact: 'total' } }, 60],
  ] as const)('`exploitation: active` and a CVE %s', (_what, cve, days) => {
    expect(judge(active, factsOf({ cves: [cveOf(cve)] }))).toMatchObject({ days, assumptions: [] });
  });

  it('says of `exploitation: active` what is not known, and counts it as not exploited', () => {
    const undecided = factsOf({ cves: [cveOf({ ssvc: null })] });
    expect(judge(active, undecided)).toMatchObject({ days: 60, assumptions: ['ssvc_unknown'] });
    expect(judge(active, factsOf({ cves: [] }))).toMatchObject({ days: 60, assumptions: ['no_cve'] });
    const terms = dueTermsOf(active, 'internal', []);
    for (const old of [{ isCatalogOld: true }, { areDecisionsOld: true }])
      expect(deadlineOf(factsOf(), { ...terms, ...old }, times).assumptions).toEqual([
        'exploitation_unknown',
      ]);
    const listed = factsOf({
      cves: [cveOf({ ssvc: { exploitation: 'active', automatable: false, impact: 'partial' } })],
    });
    expect(deadlineOf(listed, { ...terms, isCatalogOld: true }, times)).toMatchObject({
      days: 3,
      assumptions: [],
    });
    const byKev = dueTermsOf(own({ knownExploited: true }, {}), 'internal', []);
    expect(deadlineOf(factsOf(), { ...byKev, areDecisionsOld: true }, times).assumptions).toEqual([]);
  });

  it('counts the first that applies to the tags of the host', () => {
    const policy = own({ tags: ['web', 'shop'], within: 1 }, { within: 5 });
    const daysOf = (tags: string[]) => deadlineOf(factsOf(), dueTermsOf(policy, 'public', tags), times).days;
    expect([daysOf(['shop', 'x']), daysOf(['x'])]).toEqual([1, 5]);
  });

  it('has no date where no rule applies', () => {
    expect(judge(own({ severity: 'critical' }), factsOf())).toMatchObject({ at: null, undated: 'no_rule' });
  });

  it('assumes only what the rules ask', () => {
    const facts = factsOf({ cves: [] });
    expect(judge(own({ severity: 'low', exposure: 'public' }, {}), facts, 'unknown').assumptions).toEqual([]);
    expect(judge(own({ exposure: 'internal' }, { impact: 'total' }), facts, 'unknown')).toMatchObject({
      rule: 1,
      cve: null,
      assumptions: ['exposure_unknown', 'no_cve'],
    });
  });

  it('asks for forensics if a rule does for any of the CVEs, also for one that is due later', () => {
    const policy = own(
      { automatable: true, within: 2 },
      { exploitation: 'active', within: 9, forensics: true },
    );
    const ssvc = { exploitation: 'poc', automatable: true, impact: 'total' } as const;
    const cves = [cveOf({ ssvc }), cveOf({ id: 'CVE-2026-2', exploitedAt: kevDay })];
    expect(judge(policy, factsOf({ cves }))).toMatchObject({
      days: 2,
      cve: 'CVE-2026-1000',
      forensics: true,
    });
    expect(judge(policy, factsOf({ cves: cves.slice(0, 1) }))).toMatchObject({ days: 2, forensics: false });
  });

  it('starts the clock `installed` when the host got the version, but not before the advisory', () => {
    const terms = dueTermsOf(own({ clock: 'installed', within: 2 }), 'internal', []);
    const facts = factsOf({ fix: null });
    expect(deadlineOf(facts, terms, { ...times, installedAt: published + 60_000 }).at).toBe(
      published + 60_000 + 2 * dayMs,
    );
    const long = { ...times, installedAt: published - 400 * dayMs };
    expect(deadlineOf(facts, terms, long)).toMatchObject({ startedAt: published });
  });
});

const time = fc.integer({ min: published - 900 * dayMs, max: published + 900 * dayMs });
const anyCve = fc.record({
  id: fc.integer({ min: 1, max: 9 }).map((n) => `CVE-2026-${n}`),
  exploitedAt: fc.option(time),
  ssvc: fc.option(
    fc.record({
      exploitation: fc.constantFrom('none' as const, 'poc' as const, 'active' as const),
      automatable: fc.boolean(),
      impact: fc.constantFrom('partial' as const, 'total' as const),
    }),
  ),
});
const anyFacts = fc.record({
  severity: fc.constantFrom('critical' as const, 'low' as const),
  cves: fc.array(anyCve, { maxLength: 3 }),
  fix: fc.option(fc.record({ publishedAt: time, isDateKnown: fc.boolean() })),
  statedAt: time,
});
const anyRule: fc.Arbitrary<DueRule> = fc.record(
  {
    severity: fc.constantFrom('critical' as const, 'low' as const),
    knownExploited: fc.boolean(),
    exploitation: fc.constant('active' as const),
    decided: fc.boolean(),
    exposure: fc.constantFrom('public' as const, 'internal' as const),
    automatable: fc.boolean(),
    impact: fc.constantFrom('partial' as const, 'total' as const),
    within: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant('next_upgrade' as const)),
    clock: fc.constantFrom(...dueClocks),
    forensics: fc.boolean(),
  },
  { requiredKeys: ['within', 'clock', 'forensics'] },
);
const anyTimes = fc.record({ installedAt: time, firstReportAt: time });
const exposures = fc.constantFrom('public' as const, 'internal' as const, 'unknown' as const);

it('gives spans that end with the earliest deadline', () => {
  fc.assert(
    fc.property(
      fc.array(anyFacts, { minLength: 1, maxLength: 4 }),
      fc.array(anyRule, { maxLength: 5 }),
      exposures,
      anyTimes,
      (all, rules, exposure, own) => {
        const terms = dueTermsOf({ preset: null, rules }, exposure, []);
        const earliest = Math.min(
          ...all.map((each) => deadlineOf(each, terms, own).at ?? Number.POSITIVE_INFINITY),
        );
        expect(dueIn(dueSpanOf(all, terms), own)).toBe(earliest);
      },
    ),
  );
});

/** The deadline of each CVE alone, by terms of its own; the strictest of these, of equal ones the first. */
function naiveDeadline(facts: DueFacts, termsOf: () => DueTerms, own: HostTimes): Deadline {
  const cves = facts.cves.length === 0 ? [[]] : facts.cves.map((cve) => [cve]);
  const infinite = Number.POSITIVE_INFINITY;
  const all = cves.map((only) => deadlineOf({ ...facts, cves: only }, termsOf(), own));
  const forensics = all.some((each) => each.forensics);
  const naive = all.reduce((strictest, each) => {
    const [end, other] = [strictest.at ?? infinite, each.at ?? infinite];
    if (end !== other) return other < end ? each : strictest;
    if (each.forensics !== strictest.forensics) return each.forensics ? each : strictest;
    return (each.rule ?? infinite) < (strictest.rule ?? infinite) ? each : strictest;
  });
  return { ...naive, forensics };
}

it('is that of the CVE with the strictest deadline', () => {
  fc.assert(
    fc.property(
      fc.array(anyFacts, { minLength: 1, maxLength: 6 }),
      fc.array(anyRule, { maxLength: 5 }),
      exposures,
      anyTimes,
      (all, rules, exposure, own) => {
        const termsOf = () => dueTermsOf({ preset: null, rules }, exposure, []);
        const terms = termsOf();
        for (const facts of all)
          expect(deadlineOf(facts, terms, own)).toEqual(naiveDeadline(facts, termsOf, own));
      },
    ),
    { numRuns: 500 },
  );
});

it('takes of the dates of a statement only its own CVEs, and of these only open ones', () => {
  const [first, second, third] = ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'].map((id) => cveOf({ id }));
  const dates = {
    fixPublishedAt: published,
    isFixDateKnown: true,
    statedAt: published,
    cves: [first, second, third].flatMap((cve) => cve ?? []),
  };
  const statement = { severity: 'low' as const, fix: { kind: 'fixed' as const }, dates };
  const idsOf = (cves: readonly string[], openCves?: readonly string[]) =>
    dueFactsOf({ ...statement, cves, ...(openCves && { openCves }) })?.cves.map(({ id }) => id);
  expect(idsOf(['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'])).toEqual([
    'CVE-2026-1',
    'CVE-2026-2',
    'CVE-2026-3',
  ]);
  expect(idsOf(['CVE-2026-1', 'CVE-2026-3'])).toEqual(['CVE-2026-1', 'CVE-2026-3']);
  expect(idsOf([])).toEqual([]);
  expect(idsOf(['CVE-2026-1', 'CVE-2026-2'], ['CVE-2026-2'])).toEqual(['CVE-2026-2']);
});
