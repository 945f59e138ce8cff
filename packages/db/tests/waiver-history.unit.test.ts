import type { HostId, WaiverId } from '@plimsoll/model';
import type { PastFix } from '../src/exposures/past-fixes.ts';
import { type WaivableExposure, WaiverHistory } from '../src/exposures/waiver-history.ts';

const snooze = {
  id: 'w' as WaiverId,
  kind: 'snoozed_until_fix' as const,
  advisories: [],
  packages: ['zlib'],
  purls: [],
  hostIds: [] as HostId[],
  tags: [],
  allHosts: true,
  createdBy: 'someone',
  createdAt: new Date(100),
  endsAt: new Date(900),
};

/** Its statement has the number 1. */
function exposure(hasFix: boolean, until: number | null): WaivableExposure {
  return {
    advisoryId: 'DSA-1',
    cves: [],
    hasFix,
    waivedPackage: { name: 'zlib1g', sourceName: 'zlib' } as WaivableExposure['waivedPackage'],
    statementId: 1,
    from: new Date(0),
    until: until === null ? null : new Date(until),
  };
}

const past = (from: number, until: number, hasFix: boolean): PastFix => ({ from, until, hasFix });

it.each<[string, readonly PastFix[], boolean, number | null, readonly (readonly [number, number])[]]>([
  ['the advisory never named a fix', [], false, null, [[100, 900]]],
  ['it always named one', [], true, null, []],
  ['it names one since a time', [past(0, 300, false)], true, null, [[100, 300]]],
  ['it named one, and does not any more', [past(0, 300, true)], false, null, [[300, 900]]],
  [
    'it named one for a time',
    [past(0, 300, false), past(300, 500, true)],
    false,
    null,
    [
      [100, 300],
      [500, 900],
    ],
  ],
  [
    'it named none for a time',
    [past(0, 300, true), past(300, 400, false), past(400, 500, false)],
    true,
    null,
    [[300, 500]],
  ],
  ['it named one until after the end of the exposure', [past(0, 700, true)], false, 600, []],
  ['it named none until after the end of the exposure', [past(0, 700, false)], true, 600, [[100, 600]]],
])('a snooze until a fix covers what was known to have none: %s', (_, fixes, hasFix, until, expected) => {
  const history = new WaiverHistory([snooze], new Map([[1, fixes]]));
  const asked = exposure(hasFix, until);
  expect(history.spansOf(asked).map((span) => [span.from, span.until])).toEqual(expected);
  for (let at = 0; at < (until ?? 1000); at += 50)
    expect(history.coverAt(asked, at) !== null).toBe(
      expected.some(([first, end]) => first <= at && at < end),
    );
});

it('at the end of an exposure, what was known just before it counts', () => {
  const history = new WaiverHistory([snooze], new Map([[1, [past(0, 600, false), past(600, 800, true)]]]));
  expect(history.coverAt(exposure(false, 600), 600)?.id).toBe('w');
  expect(history.coverAt(exposure(false, null), 600)).toBeNull();
});
