import type { Release, UnfixedReason } from '@plimsoll/model';
import { assessHost, feedOf, feedRoles } from '../../../src/index.ts';
import { assessed, installed, statement } from '../../debian-host.ts';

const id = 'CVE-2024-0001';

function read(releases: unknown, { name = 'openssh', cve = id }: { name?: string; cve?: unknown } = {}) {
  const feed = feedOf('debian-tracker');
  if (feed?.kind !== 'advisories') throw new Error('debian-tracker is not registered');
  const issue = { scope: 'remote', description: 'It fails. Then more.', debianbug: 1, releases };
  return feed.read({ package: name, id: cve, issue }, { release: null });
}

/** The only statement of a reading with a state of Debian 12. */
function statementIn(state: unknown) {
  const reading = read({ bookworm: state });
  if (reading.kind !== 'read') return reading.kind;
  const [advisory] = reading.items;
  return { ...advisory?.packages[0], issues: reading.issues.map(({ reason }) => reason) };
}

const open = { status: 'open', repositories: { bookworm: '1:9.2p1-2' }, urgency: 'not yet assigned' };

describe("a vulnerability in the JSON of Debian's security tracker", () => {
  it('is read with the id that OSV has for it, of the releases with a number', () => {
    const fixed = { ...open, status: 'resolved', fixed_version: '1:9.2p1-2+deb12u3' };
    expect(read({ bookworm: fixed, trixie: open, sid: open, 'no-such-name': open })).toMatchObject({
      kind: 'read',
      asOf: null,
      issues: [],
      items: [
        {
          externalId: `DEBIAN-${id}`,
          kind: 'vulnerability',
          title: 'It fails.',
          url: `https://security-tracker.debian.org/tracker/${id}`,
          cves: [id],
          packages: [
            { release: 'debian:12', name: 'openssh', fix: { kind: 'fixed', version: '1:9.2p1-2+deb12u3' } },
            { release: 'debian:13', name: 'openssh', fix: { kind: 'unfixed' } },
          ],
        },
      ],
    });
  });

  it.each([
    [{}, 'no_fix', ''],
    [{ nodsa: 'Minor issue', nodsa_reason: '' }, 'no_fix', 'no-dsa (Minor issue)'],
    [{ nodsa: 'Wait for more', nodsa_reason: 'postponed' }, 'no_fix', 'postponed (Wait for more)'],
    [{ nodsa: 'Too intrusive', nodsa_reason: 'ignored' }, 'will_not_fix', 'ignored (Too intrusive)'],
    [{ nodsa_reason: 'ignored' }, 'will_not_fix', 'ignored'],
    [{ nodsa: 'a\u202e\nb', nodsa_reason: 'ignored' }, 'will_not_fix', 'ignored (a b)'],
    [{ urgency: 'end-of-life' }, 'will_not_fix', 'end-of-life'],
    [{ status: 'undetermined' }, 'under_investigation', 'undetermined'],
    [{ status: 'undetermined', urgency: 'end-of-life' }, 'under_investigation', 'undetermined'],
    [{ status: 'a word nobody knows' }, 'no_fix', ''],
    [{ nodsa: 7, nodsa_reason: ['ignored'] }, 'no_fix', ''],
  ])('without a fix and with %j is %s with the detail %j', (state, reason, detail) => {
    expect(statementIn({ ...open, ...state })).toMatchObject({ fix: { kind: 'unfixed', reason, detail } });
  });

  it.each([
    ['unimportant', 'none', 'vendor'],
    ['low', 'low', 'vendor'],
    ['medium', 'moderate', 'vendor'],
    ['high', 'important', 'vendor'],
    ['high**', 'important', 'cvss'],
    ['medium*', 'moderate', 'cvss'],
    ['not yet assigned', 'unrated', 'none'],
    ['end-of-life', 'unrated', 'none'],
    ['dreadful**', 'unrated', 'none'],
  ])('of urgency %s is %s by %s', (urgency, severity, severitySource) => {
    expect(statementIn({ ...open, urgency })).toMatchObject({ severity, severitySource });
  });

  it.each([
    ['a package that never had it', { status: 'resolved', fixed_version: '0' }],
    ['a package that is not tracked', { status: 'not-for-us' }],
  ])('says nothing of %s', (_what, state) => {
    expect(statementIn(state)).toBe('skipped');
  });

  it.each([
    [{ status: 'resolved' }, 'no_range'],
    [{ status: 'resolved', fixed_version: 'a b' }, 'unparseable_version'],
    [null, 'wrong_type'],
    ['open', 'wrong_type'],
  ])('counts as unfixed if its state cannot be read: %j', (state, issue) => {
    const found = statementIn(state);
    expect(found).toMatchObject({ fix: { kind: 'unfixed', isUnreadable: true }, issues: [issue] });
  });

  it('can have no CVE yet', () => {
    expect(read({ bookworm: open }, { cve: 'TEMP-0000000-0CA7E3' })).toMatchObject({
      items: [{ externalId: 'TEMP-0000000-0CA7E3', cves: [] }],
    });
  });

  it.each([
    [{ cve: 'CVE-1' }, 'invalid_id'],
    [{ cve: 7 }, 'invalid_id'],
    [{ name: '../x' }, 'no_usable_package'],
    [{ name: '' }, 'no_usable_package'],
  ])('is rejected with %j', (fields, reason) => {
    expect(read({ bookworm: open }, fields)).toMatchObject({ kind: 'rejected', reason });
  });

  it.each([null, 7, [], {}, { package: 'bash', id }, { package: 'bash', id, issue: [] }])(
    'is rejected if it is no object: %j',
    (record) => {
      const feed = feedOf('debian-tracker');
      expect(feed?.read(record, { release: null })).toMatchObject({
        kind: 'rejected',
        reason: 'not_an_object',
      });
    },
  );
});

describe('of two records of one CVE', () => {
  const release = 'debian:12' as Release;
  const leading = (fix: string | null) => ({ ...statement(id, fix), leads: true as const });
  const other = (fix: string | null) => ({
    ...statement(`DEBIAN-${id}`, fix),
    cves: [id],
    statementId: 9,
    advisory: 9 as never,
  });
  const at = (version: string, statements: readonly ReturnType<typeof statement>[]) => {
    const host = { release, packages: [installed('openssh', version)] };
    return assessHost(assessed({ ...host, statements: { openssh: statements } })).findings.flatMap(
      (finding) => finding.advisories.map((advisory) => advisory.statement.externalId),
    );
  };

  it("the leading feed's counts, in either order", () => {
    for (const order of [
      [leading(null), other(null)],
      [other(null), leading(null)],
    ])
      expect(at('1', order)).toEqual([id]);
    expect(at('1', [other(null), leading('2')])).toEqual([id]);
    expect(at('2', [other(null), leading('2')])).toEqual([]);
  });

  it('the worse one counts, because the leading feed can be the older one', () => {
    expect(at('2', [other('3'), leading('2')])).toEqual([`DEBIAN-${id}`]);
    expect(at('2', [other('2'), leading('3')])).toEqual([id]);
    const hidden = { severity: 'none', severitySource: 'vendor' } as const;
    for (const fix of [null, '2']) {
      expect(at('1', [other(fix), { ...leading(fix), ...hidden }])).toEqual([`DEBIAN-${id}`]);
      expect(at('1', [{ ...other(fix), ...hidden }, leading(fix)])).toEqual([id]);
    }
  });

  it('a decision in words counts before an investigation', () => {
    const unfixed = (reason: UnfixedReason, detail: string) => ({ kind: 'unfixed', reason, detail }) as const;
    const investigated = { ...leading(null), fix: unfixed('under_investigation', 'needs-triage') };
    const decided = { ...other(null), fix: unfixed('no_fix', 'needed') };
    const wordless = { ...other(null), fix: unfixed('no_fix', '') };
    expect(at('1', [investigated, decided])).toEqual([`DEBIAN-${id}`]);
    expect(at('1', [investigated, wordless])).toEqual([id]);
  });

  it('a fix counts before no fix, because a feed that lacks it is older', () => {
    expect(at('2', [other('2'), leading(null)])).toEqual([]);
    expect(at('1', [other('2'), leading(null)])).toEqual([`DEBIAN-${id}`]);
  });

  it('both count if they are about different CVEs', () => {
    const another = { ...other(null), cves: ['CVE-2024-0002'] };
    expect([...at('1', [another, leading(null)])].sort()).toEqual([id, `DEBIAN-${id}`]);
  });

  it('those of the vendors that publish the reasons apart lead', () => {
    expect(feedRoles.leading).toEqual(['debian-tracker', 'ubuntu-vex']);
  });
});
