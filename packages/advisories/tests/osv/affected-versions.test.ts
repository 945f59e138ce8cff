import type { Fix } from '@plimsoll/model';
import type { IssueReason } from '../../src/index.ts';
import { readDebian } from '../debian-records.ts';
import { advisoryRead } from '../read-advisory.ts';

type Events = readonly Record<string, unknown>[];

function parseEntries(...entries: readonly object[]) {
  const affected = entries.map((entry) => ({ package: { ecosystem: 'Debian:12', name: 'curl' }, ...entry }));
  return readDebian({ id: 'CVE-2024-0001', affected });
}

function ranges(...all: readonly Events[]) {
  return { ranges: all.map((events) => ({ type: 'ECOSYSTEM', events })) };
}

const unfixed: Fix = { kind: 'unfixed', reason: 'no_fix', detail: '' };
const unreadable = { kind: 'unfixed', reason: 'no_fix', isUnreadable: true };
const fixedIn = (version: string): Fix => ({ kind: 'fixed', version, service: null });

describe('the ranges of an affected entry', () => {
  it.each<[string, readonly Events[], Fix, IssueReason[]]>([
    ['one fix', [[{ introduced: '0' }, { fixed: '1.0-1' }]], fixedIn('1.0-1'), []],
    [
      'a fix in a rebuild as its source',
      [[{ introduced: '0' }, { fixed: '1.0-1+b2' }]],
      fixedIn('1.0-1'),
      [],
    ],
    ['no fix', [[{ introduced: '0' }]], unfixed, []],
    ['events in any order', [[{ fixed: '1.0-1' }, { introduced: '0' }]], fixedIn('1.0-1'), []],
    ['both in one event', [[{ introduced: '0', fixed: '1.0-1' }]], fixedIn('1.0-1'), []],
    [
      'two ranges',
      [
        [{ introduced: '0' }, { fixed: '2:1.0-1' }],
        [{ introduced: '0' }, { fixed: '1.9-1' }],
      ],
      fixedIn('2:1.0-1'),
      [],
    ],
    [
      'an open range next to a closed one',
      [[{ introduced: '0' }, { fixed: '1.0-1' }], [{ introduced: '0' }]],
      unfixed,
      [],
    ],
    ['no introduced event', [[{ fixed: '1.0-1' }]], fixedIn('1.0-1'), ['no_introduced']],
    [
      'a later introduction, read from the beginning',
      [[{ introduced: '0.5-1' }, { fixed: '1.0-1' }]],
      fixedIn('1.0-1'),
      ['introduced_later'],
    ],
    [
      'two intervals, read as one',
      [[{ introduced: '0' }, { fixed: '1.0-1' }, { introduced: '2.0-1' }, { fixed: '2.1-1' }]],
      fixedIn('2.1-1'),
      ['introduced_later'],
    ],
    [
      'introduced again after the fix',
      [[{ introduced: '0' }, { fixed: '1.0-1' }, { introduced: '2.0-1' }]],
      unfixed,
      ['introduced_later'],
    ],
    [
      'introduced at an unreadable version',
      [[{ introduced: 'v?' }, { fixed: '1.0-1' }]],
      unfixed,
      ['introduced_later'],
    ],
    [
      'a last affected version, which is not a fix',
      [[{ introduced: '0' }, { last_affected: '1.0-1' }]],
      unfixed,
      ['last_affected'],
    ],
    [
      'a limit, which is not a fix',
      [[{ introduced: '0' }, { fixed: '1.0-1' }, { limit: '0.9' }]],
      fixedIn('1.0-1'),
      ['limited'],
    ],
  ])('reads %s', (_what, all, fix, issues) => {
    const parsed = parseEntries(ranges(...all));
    expect(parsed).toMatchObject({ kind: 'read', items: [{ packages: [{ fix }] }] });
    expect(parsed.kind === 'read' && parsed.issues.map(({ reason }) => reason)).toEqual(issues);
  });

  it('take precedence over a list of versions', () => {
    const parsed = parseEntries({
      ...ranges([{ introduced: '0' }, { fixed: '1.0-1' }]),
      versions: ['0.9', '0.8'],
    });
    expect(parsed).toMatchObject({
      kind: 'read',
      issues: [],
      items: [{ packages: [{ fix: fixedIn('1.0-1') }] }],
    });
  });

  it('of commits are ignored for package versions', () => {
    const git = {
      type: 'GIT',
      repo: 'https://example.org',
      events: [{ introduced: '0' }, { fixed: 'c0ffee' }],
    };
    const own = { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.0-1' }] };
    const parsed = parseEntries({ ranges: [git, own] });
    expect(parsed).toMatchObject({
      kind: 'read',
      issues: [],
      items: [{ packages: [{ fix: fixedIn('1.0-1') }] }],
    });
  });

  it('missing next to a list of versions mean affected, with a widening issue', () => {
    expect(parseEntries({ versions: ['0.9', '0.8'] })).toMatchObject({
      kind: 'read',
      items: [{ packages: [{ fix: unfixed }] }],
      issues: [{ pointer: '/affected/0/versions', reason: 'versions_without_range' }],
    });
  });

  it.each<[string, object, string, IssueReason]>([
    [
      'an invalid fixed version',
      ranges([{ introduced: '0' }, { fixed: 'not a version' }]),
      '/affected/0/ranges/0/events/1/fixed',
      'unparseable_version',
    ],
    [
      'a fixed version of a wrong type',
      ranges([{ introduced: '0' }, { fixed: 1 }]),
      '/affected/0/ranges/0/events/1/fixed',
      'wrong_type',
    ],
    [
      'a range type that cannot be compared',
      { ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] },
      '/affected/0/ranges/0/type',
      'unknown_range_type',
    ],
    ['neither range nor versions', {}, '/affected/0/ranges', 'no_range'],
  ])('with %s are an issue, and every version counts as affected', (_what, broken, pointer, reason) => {
    const whole = { ...ranges([{ introduced: '0' }]), package: { ecosystem: 'Debian:12', name: 'zlib' } };
    expect(parseEntries(broken, whole)).toMatchObject({
      kind: 'read',
      items: [
        {
          packages: [
            { name: 'curl', fix: unreadable },
            { name: 'zlib', fix: unfixed },
          ],
        },
      ],
      issues: [{ pointer, reason }],
    });
  });

  it('that are broken in every entry reject the record, with the issues', () => {
    expect(parseEntries(ranges([{ introduced: '0' }, { fixed: '' }]))).toMatchObject({
      kind: 'rejected',
      reason: 'no_usable_package',
      issues: [{ reason: 'unparseable_version' }],
    });
  });
});

describe('entries that repeat a release and package', () => {
  const urgency = (word: string) => ({ ecosystem_specific: { urgency: word } });

  it('are merged: affected if any entry is, with the worst severity', () => {
    const parsed = parseEntries(
      { ...ranges([{ introduced: '0' }, { fixed: '1.0-1' }]), ...urgency('high') },
      { ...ranges([{ introduced: '0' }, { fixed: '1.0-2' }]), ...urgency('low') },
    );
    expect(parsed).toMatchObject({
      kind: 'read',
      items: [{ packages: [{ severity: 'important', fix: fixedIn('1.0-2') }] }],
    });
    expect(advisoryRead(parsed).packages).toHaveLength(1);
  });

  it('are unreadable if one is, because the highest fixed version is not known', () => {
    const read = ranges([{ introduced: '0' }, { fixed: '1.0-1' }]);
    const broken = ranges([{ introduced: '0' }, { fixed: 'not a version' }]);
    const other = { ...read, package: { ecosystem: 'Debian:12', name: 'zlib' } };
    for (const entries of [
      [read, broken],
      [broken, read],
    ])
      expect(parseEntries(...entries, other)).toMatchObject({
        items: [{ packages: [{ name: 'curl', fix: unreadable }, { name: 'zlib' }] }],
      });
  });

  it('are unfixed if one is, and "will not fix" only if all are', () => {
    const open = ranges([{ introduced: '0' }]);
    expect(
      parseEntries({ ...open, ...urgency('end-of-life') }, { ...open, ...urgency('low') }),
    ).toMatchObject({
      items: [{ packages: [{ fix: unfixed }] }],
    });
    expect(
      parseEntries({ ...open, ...urgency('end-of-life') }, { ...open, ...urgency('end-of-life') }),
    ).toMatchObject({
      items: [{ packages: [{ fix: { reason: 'will_not_fix' } }] }],
    });
  });
});
