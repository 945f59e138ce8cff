import type { Release } from '@plimsoll/model';
import { areJudgementOf, distributionOf } from '../../src/index.ts';

const release = 'ubuntu:20.04' as Release;
const lifecycle = distributionOf(release)?.lifecycleOf(release);
const ends = [lifecycle?.endsAt, ...(lifecycle?.extended ?? []).map(({ endsAt }) => endsAt)].flatMap(
  (end) => end ?? [],
);
const last = new Date(Math.max(...ends.map((end) => end.getTime())));
const day = 24 * 60 * 60 * 1000;
const judges = (changedAt: Date | null, namesRelease = false) =>
  areJudgementOf(release, { changedAt, namesRelease });

describe('records of a CVE that do not name a release', () => {
  it('judge it while the vendor supports it, also in an extended phase', () => {
    expect(ends.length).toBeGreaterThan(1);
    expect(judges(new Date(last.getTime() - day))).toBe(true);
  });

  it('say nothing of it after the end of all support, or without a time', () => {
    expect(judges(new Date(last.getTime() + day))).toBe(false);
    expect(judges(last)).toBe(false);
    expect(judges(null)).toBe(false);
  });

  it('judge a release without a known end', () => {
    expect(areJudgementOf('ubuntu:99.04' as Release, { changedAt: last, namesRelease: false })).toBe(true);
  });
});

it('records that name a release judge it at any time', () => {
  expect(judges(new Date(last.getTime() + day), true)).toBe(true);
  expect(judges(null, true)).toBe(true);
});
