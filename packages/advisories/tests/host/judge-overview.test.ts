import {
  type ActionGround,
  actionGrounds,
  bitsOfGrounds,
  dueStates,
  gapsOfBits,
  repositoriesStates,
} from '@plimsoll/model';
import fc from 'fast-check';
import {
  type JudgedOverview,
  judgeOverview,
  type OverviewFacts,
  type ReleaseOverviewFacts,
} from '../../src/index.ts';

const now = 1_000_000_000;
const time = fc.option(fc.integer({ min: now - 2_000_000, max: now + 2_000_000 }));
const seconds = fc.integer({ min: 0, max: 2_000 });

const facts: fc.Arbitrary<OverviewFacts> = fc.record({
  hasReport: fc.constantFrom(true, true, false),
  failedPulls: fc.constantFrom(false, false, true),
  reportedAt: time,
  staleAfterSeconds: seconds,
  updatesKnown: fc.boolean(),
  listsAt: time,
  repositoriesState: fc.constantFrom(...repositoriesStates),
  repositoriesValidUntil: time,
  repositoryFailing: fc.boolean(),
  unknown: fc.constantFrom(0, 1),
  availableUpdates: fc.constantFrom(0, 1),
  rebootState: fc.constantFrom(...dueStates),
  restartState: fc.constantFrom(...dueStates),
  grounds: fc.nat({ max: 2 ** actionGrounds.length - 1 }),
  supportEndsAt: time,
});

const release: fc.Arbitrary<ReleaseOverviewFacts> = fc.record({
  feedId: fc.option(fc.constant('feed')),
  feedUpdatedAt: time,
  feedStaleAfterSeconds: seconds,
  covered: fc.boolean(),
  listsUnfixed: fc.boolean(),
  supportEndsAt: time,
});

/** Of which all is known, and nothing is to do. */
const calm: OverviewFacts = {
  hasReport: true,
  failedPulls: false,
  reportedAt: now,
  staleAfterSeconds: 10,
  updatesKnown: true,
  listsAt: now,
  repositoriesState: 'current',
  repositoriesValidUntil: now + 20_000,
  repositoryFailing: false,
  unknown: 0,
  availableUpdates: 0,
  rebootState: 'not_needed',
  restartState: 'not_needed',
  grounds: 0,
  supportEndsAt: null,
};

const covered: ReleaseOverviewFacts = {
  feedId: 'feed',
  feedUpdatedAt: now,
  feedStaleAfterSeconds: 30,
  covered: true,
  listsUnfixed: true,
  supportEndsAt: now + 40_000,
};

describe('the overview of a host', () => {
  it('stays the same until the time that it names, and never later than a deadline of its facts', () => {
    fc.assert(
      fc.property(facts, release, fc.double({ min: 0, max: 1, noNaN: true }), (host, of, share) => {
        const { until, ...judged } = judgeOverview(host, of, now);
        const last = Math.min(until, now + 10_000_000);
        const { until: laterUntil, ...later } = judgeOverview(host, of, now + share * (last - now));
        expect(later).toEqual(judged);
        expect(laterUntil).toBe(until);
        if (Number.isFinite(until)) {
          expect(judgeOverview(host, of, until + 1).until).toBeGreaterThan(until);
        }
      }),
    );
  });

  it('is stale, outdated or ended a moment after each deadline, and not at it', () => {
    const at = (ms: number) => judgeOverview(calm, covered, now + ms);
    expect([at(10_000).status, at(10_001).status]).toEqual(['active', 'stale']);
    expect([at(20_000), at(20_001)].map(({ repositoriesState }) => repositoriesState)).toEqual([
      'current',
      'outdated',
    ]);
    expect([at(30_000), at(30_001), at(40_000), at(40_001)].map(({ coverage }) => coverage)).toEqual([
      'full',
      'stale',
      'stale',
      'eol',
    ]);
    expect([0, 10_001, 20_001, 30_001, 40_001].map((ms) => at(ms).until - now)).toEqual([
      10_000,
      20_000,
      30_000,
      40_000,
      Number.POSITIVE_INFINITY,
    ]);
    expect([at(10_000), at(10_001), at(40_001)].map(({ overallAction }) => overallAction)).toEqual([
      'none',
      'unknown',
      'upgrade_release',
    ]);
  });
});

/** What is added to a host, from the least urgent action to the most urgent one. */
const rungs: readonly (readonly [action: string, Partial<OverviewFacts> | ActionGround])[] = [
  ['none', {}],
  ['watch', { availableUpdates: 1 }],
  ['update', 'update_waiting'],
  ['restart', { restartState: 'needed' }],
  ['subscribe', 'needs_subscription'],
  ['reboot', 'pending_reboot'],
  ['unblock', { repositoriesState: 'outdated' }],
  ['update_security', 'security_update'],
  ['mitigate_urgent', 'urgent_without_fix'],
  ['reboot_urgent', 'urgent_pending_reboot'],
  ['unblock_urgent', 'urgent_blocked'],
  ['update_urgent', 'urgent_installable'],
];

/** The actions as everything up to each rung is added. */
function actionsOf(start: OverviewFacts): readonly string[] {
  let facts = start;
  return rungs.map(([, added]) => {
    facts =
      typeof added === 'string'
        ? { ...facts, grounds: facts.grounds | bitsOfGrounds([added]) }
        : { ...facts, ...added };
    return judgeOverview(facts, covered, now).overallAction;
  });
}

describe('the action', () => {
  it('is the most urgent one', () => {
    expect(actionsOf(calm)).toEqual(rungs.map(([action]) => action));
  });

  it.each<[string, Partial<OverviewFacts>]>([
    ['watch', { grounds: bitsOfGrounds(['open_finding']) }],
    ['reboot', { rebootState: 'needed' }],
    ['unblock', { grounds: bitsOfGrounds(['blocked_fix']) }],
    ['unblock', { repositoryFailing: true }],
  ])('is %s also for %j', (action, facts) => {
    expect(judgeOverview({ ...calm, ...facts }, covered, now).overallAction).toBe(action);
  });

  it('after the end of support is another release, except where a fix is at hand', () => {
    const ended = { ...calm, supportEndsAt: now - 1 };
    const least = Array.from({ length: 7 }, () => 'upgrade_release');
    expect(actionsOf(ended)).toEqual([
      ...least,
      'update_security',
      'update_security',
      'reboot_urgent',
      'reboot_urgent',
      'update_urgent',
    ]);
    expect(actionsOf({ ...ended, grounds: bitsOfGrounds(['urgent_open']) })).toEqual([
      ...rungs.slice(1).map(() => 'upgrade_release_urgent'),
      'update_urgent',
    ]);
  });
});

describe('the gaps of a host', () => {
  const dayMs = 24 * 60 * 60 * 1000;

  it.each<[string, Partial<OverviewFacts>, Partial<ReleaseOverviewFacts>, Partial<JudgedOverview>]>([
    ['no_report', { hasReport: false, unknown: 1 }, { feedId: null }, { status: 'new' }],
    ['no_report, report_outdated', { hasReport: false, failedPulls: true }, {}, { status: 'unreachable' }],
    ['report_outdated', { reportedAt: now - 10_001 }, {}, { status: 'stale' }],
    ['report_outdated', { failedPulls: true }, {}, { status: 'unreachable' }],
    ['no_feed', {}, { feedId: null, feedUpdatedAt: null, covered: false }, { coverage: 'none' }],
    ['no_feed', {}, { covered: false }, { coverage: 'none' }],
    ['feed_never_synced', {}, { feedUpdatedAt: null, covered: false }, { coverage: 'none' }],
    ['feed_outdated', {}, { feedUpdatedAt: now - 30_001 }, { coverage: 'stale' }],
    [
      'report_outdated',
      { reportedAt: now + 366 * dayMs, listsAt: now + 366 * dayMs },
      {},
      { status: 'stale' },
    ],
    ['feed_outdated', {}, { feedUpdatedAt: now + 366 * dayMs }, { coverage: 'stale' }],
    ['release_eol', {}, { supportEndsAt: now - 1 }, { coverage: 'eol', overallAction: 'upgrade_release' }],
    ['package_lists_unknown', { updatesKnown: false }, {}, { updatesState: 'unknown' }],
    ['package_lists_unknown', { listsAt: null }, {}, { updatesState: 'unknown' }],
    ['package_lists_outdated', { listsAt: now - 7 * dayMs - 1 }, {}, { updatesState: 'stale' }],
    ['', { listsAt: now - 7 * dayMs }, {}, { overallAction: 'none' }],
    ['', { supportEndsAt: now + 1 }, { supportEndsAt: now - 1 }, { overallAction: 'none' }],
    ['feed_lists_fixes_only', {}, { listsUnfixed: false }, { overallAction: 'none' }],
    ['packages_unchecked', { unknown: 1 }, {}, { coverage: 'partial', overallAction: 'none' }],
    ['reboot_unknown', { rebootState: 'unknown' }, {}, { overallAction: 'none' }],
    ['repositories_unknown', { repositoriesState: 'unknown' }, {}, { overallAction: 'none' }],
    ['restart_unknown', { restartState: 'unknown' }, {}, { overallAction: 'none' }],
  ])('are [%s] for %j, %j', (gaps, host, of, judged) => {
    const { gaps: bits, ...overview } = judgeOverview({ ...calm, ...host }, { ...covered, ...of }, now);
    expect(gapsOfBits(bits).join(', ')).toBe(gaps);
    expect(overview).toMatchObject({ overallAction: 'unknown', ...judged });
  });
});
