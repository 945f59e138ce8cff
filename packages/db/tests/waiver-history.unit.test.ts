import type { HostId, WaiverId } from '@plimsoll/model';
import type { PastContent } from '../src/judging/exposures/past-contents.ts';
import type { Stated } from '../src/judging/exposures/past-fixes.ts';
import { type WaivableExposure, WaiverHistory } from '../src/judging/exposures/waiver-history.ts';

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
    stated: [],
    from: new Date(0),
    until: until === null ? null : new Date(until),
  };
}

const past = (from: number, until: number, hasFix: boolean): PastContent => ({
  from,
  until,
  hasFix,
  cves: [],
});

it.each<[string, readonly PastContent[], boolean, number | null, readonly (readonly [number, number])[]]>([
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

describe('a waiver of a CVE', () => {
  const ofA = { ...snooze, kind: 'risk_accepted' as const, packages: [], advisories: ['CVE-A'] };
  const about = (from: number, until: number, ...cves: string[]): PastContent => ({
    from,
    until,
    hasFix: true,
    cves,
  });
  const stated = (
    from: number,
    until: number,
    cves: readonly string[],
    more: Partial<Stated> = {},
  ): Stated => ({
    statementId: 1,
    from,
    until,
    hasFix: true,
    cves,
    isNarrowed: false,
    ...more,
  });
  const [a, b, both] = [['CVE-A'], ['CVE-B'], ['CVE-A', 'CVE-B']];
  const endless = Number.POSITIVE_INFINITY;

  it.each<[string, readonly Stated[], readonly PastContent[], readonly (readonly [number, number])[]]>([
    ['it always named the CVE', [stated(0, endless, a)], [], [[100, 900]]],
    ['it named the CVE before', [stated(0, endless, b)], [about(0, 300, ...a)], [[100, 300]]],
    ['it names the CVE since a time', [stated(0, endless, a)], [about(0, 300, ...b)], [[300, 900]]],
    [
      'it named another one, too, for a time',
      [stated(0, endless, a)],
      [about(0, 300, ...a), about(300, 500, ...both)],
      [
        [100, 300],
        [500, 900],
      ],
    ],
    [
      'of its CVEs only this one was open for a time',
      [stated(0, 400, a, { isNarrowed: true }), stated(400, endless, both)],
      [about(0, 300, ...b)],
      [[100, 400]],
    ],
    [
      'a statement about the version before named it',
      [stated(0, 400, a, { statementId: 2 }), stated(400, endless, b)],
      [],
      [[100, 400]],
    ],
  ])('covers what was about it then: %s', (_, spans, contents, expected) => {
    const history = new WaiverHistory([ofA], new Map([[1, contents]]));
    const asked = { ...exposure(true, null), cves: spans.at(-1)?.cves ?? [], stated: spans };
    expect(history.spansOf(asked).map((span) => [span.from, span.until])).toEqual(expected);
    for (let at = 0; at < 1000; at += 50)
      expect(history.coverAt(asked, at) !== null).toBe(
        expected.some(([first, end]) => first <= at && at < end),
      );
  });

  it('at the end of an exposure, what was named just before it counts', () => {
    const history = new WaiverHistory([ofA], new Map([[1, [about(0, 600, ...a), about(600, 800, ...b)]]]));
    const asked = { ...exposure(true, 600), cves: a, stated: [stated(0, 600, a)] };
    expect(history.coverAt(asked, 600)?.id).toBe('w');
    expect(
      history.coverAt({ ...asked, until: null, cves: b, stated: [stated(0, endless, b)] }, 600),
    ).toBeNull();
  });
});
