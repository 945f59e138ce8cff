import { actionGrounds, dueStates, repositoriesStates } from '@plimsoll/model';
import fc from 'fast-check';
import { judgeOverview, type OverviewFacts, type ReleaseOverviewFacts } from '../../src/index.ts';

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
    const host: OverviewFacts = {
      hasReport: true,
      failedPulls: false,
      reportedAt: now,
      staleAfterSeconds: 10,
      updatesKnown: true,
      listsAt: now,
      repositoriesState: 'current',
      repositoriesValidUntil: now + 20_000,
      unknown: 0,
      availableUpdates: 0,
      rebootState: 'not_needed',
      restartState: 'not_needed',
      grounds: 0,
      supportEndsAt: null,
    };
    const of: ReleaseOverviewFacts = {
      feedId: 'feed',
      feedUpdatedAt: now,
      feedStaleAfterSeconds: 30,
      covered: true,
      listsUnfixed: true,
      supportEndsAt: now + 40_000,
    };
    const at = (ms: number) => judgeOverview(host, of, now + ms);
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
