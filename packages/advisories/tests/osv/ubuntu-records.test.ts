import { anyBuild } from '@plimsoll/model';
import { advisoryIn, cveAdvisory, cveRecord, esmInfra, noticeRecord, readUbuntu } from '../ubuntu-records.ts';

const cve = 'CVE-2024-6387';
const entry = (ecosystem: string, fixed: string | null = '1:8.9p1-3ubuntu0.10', specific = {}) => ({
  ecosystem,
  name: 'openssh',
  fixed,
  specific,
});
const jammys = 'Ubuntu:22.04:LTS';

describe('a CVE record of Ubuntu’s security team', () => {
  it('names releases, source packages, fixed versions and the priority', () => {
    expect(cveAdvisory(cve, [entry(jammys), entry('Ubuntu:25.10', '1:10.0p1-5ubuntu5')])).toEqual({
      externalId: `UBUNTU-${cve}`,
      kind: 'vulnerability',
      title: 'Something is wrong.',
      url: `https://ubuntu.com/security/${cve}`,
      publishedAt: new Date('2024-01-02T03:04:00Z'),
      modifiedAt: new Date('2024-02-03T04:05:06Z'),
      withdrawnAt: null,
      aliases: [],
      cves: [cve],
      cvss: null,
      packages: [
        {
          release: 'ubuntu:22.04',
          name: 'openssh',
          severity: 'moderate',
          severitySource: 'vendor',
          fix: { kind: 'fixed', version: '1:8.9p1-3ubuntu0.10', service: null },
          builds: anyBuild,
        },
        {
          release: 'ubuntu:25.10',
          name: 'openssh',
          severity: 'moderate',
          severitySource: 'vendor',
          fix: { kind: 'fixed', version: '1:10.0p1-5ubuntu5', service: null },
          builds: anyBuild,
        },
      ],
    });
  });

  it('is the same in the form that names its CVE under "related" and its priority per package', () => {
    const older = cveRecord(cve, [entry(jammys, '1:8.9p1-3ubuntu0.10', { ubuntu_priority: 'medium' })], {
      upstream: undefined,
      related: [cve],
      severity: [],
    });
    expect(advisoryIn(older)).toEqual(cveAdvisory(cve, [entry(jammys)]));
  });

  it.each([
    ['Ubuntu:22.04:LTS', 'ubuntu:22.04', null, null],
    ['Ubuntu:22.04', 'ubuntu:22.04', null, null],
    ['Ubuntu:25.10', 'ubuntu:25.10', null, null],
    ['Ubuntu:Pro:22.04:LTS', 'ubuntu:22.04', 'esm-apps', null],
    ['Ubuntu:Pro:14.04:LTS', 'ubuntu:14.04', 'esm-apps', null],
    ['Ubuntu:Pro:FIPS:20.04:LTS', 'ubuntu:20.04', 'fips', 'fips'],
    ['Ubuntu:Pro:FIPS-updates:22.04:LTS', 'ubuntu:22.04', 'fips-updates', 'fips'],
    ['Ubuntu:Pro:FIPS-preview:22.04:LTS', 'ubuntu:22.04', 'fips-preview', 'fips'],
    ['Ubuntu:Pro:Realtime:22.04:LTS', 'ubuntu:22.04', 'realtime-kernel', null],
    ['Ubuntu:Pro:22.04:LTS:Realtime:Kernel', 'ubuntu:22.04', 'realtime-kernel', null],
  ])('%s is %s, by service %s, of line %s', (ecosystem, release, service, line) => {
    expect(cveAdvisory(cve, [entry(ecosystem)]).packages).toMatchObject([
      { release, fix: { service }, builds: { ...anyBuild, line } },
    ]);
  });

  it.each([
    'Ubuntu',
    'Ubuntu:Pro',
    'Ubuntu:22.04:LTS:for:NVIDIA:BlueField',
    'Ubuntu:Nvidia-BlueField:22.04',
    'Ubuntu:Pro:Another:22.04:LTS',
    'Ubuntu:Pro:22.04:LTS:Another',
    'Ubuntu:2.4.',
    'Ubuntu:jammy',
    'Debian:12',
    'ubuntu:22.04',
    '',
  ])('%s is not an archive of Ubuntu', (ecosystem) => {
    expect(readUbuntu(cveRecord(cve, [entry(ecosystem)]))).toEqual({
      kind: 'skipped',
      reason: 'no_release_of_this_feed',
    });
  });

  it.each([
    ['No subscription required', jammys, null],
    ['Available with Ubuntu Pro: https://ubuntu.com/pro', 'Ubuntu:Pro:22.04:LTS', 'esm-apps'],
    [esmInfra, 'Ubuntu:Pro:16.04:LTS', 'esm-infra'],
    [
      'Available with Ubuntu Pro with Legacy support add-on: https://ubuntu.com/pro',
      'Ubuntu:Pro:14.04:LTS',
      'esm-infra-legacy',
    ],
    [esmInfra, 'Ubuntu:16.04:LTS', 'esm-infra'],
    ['', 'Ubuntu:Pro:22.04:LTS', 'esm'],
    [7, 'Ubuntu:Pro:22.04:LTS', 'esm'],
    [esmInfra, 'Ubuntu:Pro:FIPS:22.04:LTS', 'fips'],
  ])('availability %j in %s is service %s', (availability, ecosystem, service) => {
    const [affected] = cveAdvisory(cve, [entry(ecosystem, '2', { availability })]).packages;
    expect(affected?.fix).toEqual({ kind: 'fixed', version: '2', service });
  });

  it.each([
    ['critical', 'critical', 'vendor'],
    ['high', 'important', 'vendor'],
    ['Medium', 'moderate', 'vendor'],
    ['low', 'low', 'vendor'],
    ['negligible', 'none', 'vendor'],
    ['untriaged', 'important', 'cvss'],
    ['a word nobody knows', 'important', 'cvss'],
    [7, 'important', 'cvss'],
  ])('maps priority %j to %s by %s despite CVSS 8.1', (score, severity, severitySource) => {
    const cvss = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H' };
    const { packages } = cveAdvisory(cve, [entry(jammys)], { severity: [cvss, { type: 'Ubuntu', score }] });
    expect(packages).toMatchObject([{ severity, severitySource }]);
  });

  it('is unrated without priority and CVSS', () => {
    expect(cveAdvisory(cve, [entry(jammys)], { severity: [] }).packages).toMatchObject([
      { severity: 'unrated', severitySource: 'none' },
    ]);
  });

  it('prefers the priority of the package to that of the vulnerability', () => {
    const severity = [{ type: 'Ubuntu', score: 'high' }];
    const entries = [
      entry(jammys, '2', { ubuntu_priority: 'low' }),
      { ...entry('Ubuntu:24.04:LTS'), rest: { severity } },
    ];
    expect(cveAdvisory(cve, entries).packages).toMatchObject([
      { severity: 'low' },
      { severity: 'important' },
    ]);
  });

  it.each([
    [{}, 'no_fix', ''],
    [{ uct_status: 'needed' }, 'no_fix', 'needed'],
    [{ uct_status: 'pending', uct_note: '5.15.0-120.130' }, 'no_fix', 'pending (5.15.0-120.130)'],
    [{ uct_status: 'deferred', uct_note: '2024-01-01' }, 'no_fix', 'deferred (2024-01-01)'],
    [{ uct_status: 'needs-triage' }, 'under_investigation', 'needs-triage'],
    [{ uct_status: 'in-progress' }, 'no_fix', 'in-progress'],
    [{ uct_status: 'ignored', uct_note: 'end of life' }, 'will_not_fix', 'ignored (end of life)'],
    [{ uct_status: 'ignored', uct_note: 'a\u202e\nb' }, 'will_not_fix', 'ignored (a b)'],
    [{ uct_status: 'a word nobody knows' }, 'no_fix', ''],
    [{ uct_status: ['ignored'], uct_note: 7 }, 'no_fix', ''],
  ])('without a fix and with %j is %s, with the vendor’s text %j', (specific, reason, detail) => {
    const { packages } = cveAdvisory(cve, [entry(jammys, null, specific)]);
    expect(packages).toMatchObject([{ fix: { kind: 'unfixed', reason, detail } }]);
  });

  it('may be fixed in Ubuntu Pro although the plain release ignores it', () => {
    const entries = [entry(jammys, null, { uct_status: 'ignored' }), entry('Ubuntu:Pro:22.04:LTS', null)];
    for (const order of [entries, [...entries].reverse()]) {
      expect(cveAdvisory(cve, order).packages).toMatchObject([{ fix: { reason: 'no_fix' } }]);
    }
  });

  const everybodys = { builds: { line: null } };
  const pros = { builds: { line: 'esm' } };

  it.each([
    [
      'two fixes',
      '2ubuntu1',
      '2~esm1',
      [
        { ...everybodys, fix: { version: '2ubuntu1', service: null } },
        { ...pros, fix: { version: '2~esm1', service: 'esm-apps' } },
      ],
    ],
    [
      'one fix in both',
      '2ubuntu1',
      '2ubuntu1',
      [{ ...everybodys, fix: { version: '2ubuntu1', service: null } }],
    ],
    [
      'a fix in a marked build of Pro alone',
      null,
      '2+esm4',
      [
        { ...everybodys, fix: { kind: 'unfixed' } },
        { ...pros, fix: { version: '2+esm4', service: 'esm-apps' } },
      ],
    ],
    [
      'a fix in an unmarked build of Pro alone',
      null,
      '2.3',
      [{ ...everybodys, fix: { service: 'esm-apps' } }],
    ],
    [
      'no fix in Pro',
      '2',
      null,
      [
        { ...everybodys, fix: { version: '2' } },
        { ...pros, fix: { kind: 'unfixed' } },
      ],
    ],
  ])('with entries for all users and for Pro and %s', (_case, free, esm, packages) => {
    const entries = [entry('Ubuntu:Pro:22.04:LTS', esm), entry(jammys, free)];
    for (const order of [entries, [...entries].reverse()])
      expect(cveAdvisory(cve, order).packages).toMatchObject(packages);
  });

  it('is fixed by the higher of two fixes for all users, and by a fix rather than by none', () => {
    const fixesOf = (...fixes: (string | null)[]) =>
      cveAdvisory(
        cve,
        fixes.map((fixed) => entry(jammys, fixed)),
      ).packages;
    expect(fixesOf('2', '2.1', null, '2.0.1')).toMatchObject([{ fix: { version: '2.1' } }]);
  });

  it.each([
    [{ uct_status: 'pending', uct_note: '5.15.0-50.56' }, '5.15.0-50.56'],
    [{ uct_status: 'pending', uct_note: '1:2.0~rc1+dfsg-3ubuntu1' }, '1:2.0~rc1+dfsg-3ubuntu1'],
    [{ uct_status: 'pending', uct_note: '2024 or so' }, undefined],
    [{ uct_status: 'pending', uct_note: '' }, undefined],
    [{ uct_status: 'needed', uct_note: '5.15.0-50.56' }, undefined],
  ])('with %j has the pending version %j', (specific, pending) => {
    const [statement] = cveAdvisory(cve, [entry(jammys, null, specific)]).packages;
    expect(statement?.fix).toMatchObject({ kind: 'unfixed', reason: 'no_fix' });
    expect(statement?.fix.kind === 'unfixed' ? statement.fix.pending : null).toBe(pending);
  });

  it('keeps the statements about FIPS builds separate, one for all their archives', () => {
    const entries = [
      entry('Ubuntu:20.04:LTS', '2'),
      entry('Ubuntu:Pro:FIPS:20.04:LTS', null),
      entry('Ubuntu:Pro:FIPS-updates:20.04:LTS', '2.fips.3'),
    ];
    expect(cveAdvisory(cve, entries).packages).toMatchObject([
      { fix: { version: '2', service: null }, builds: { line: null } },
      { fix: { version: '2.fips.3', service: 'fips-updates' }, builds: { line: 'fips' } },
    ]);
  });
});

describe('a notice of Ubuntu', () => {
  const cves = ['CVE-2021-3782', cve];

  it('names its CVEs under "upstream", with Ubuntu’s prefix', () => {
    expect(advisoryIn(noticeRecord('USN-5614-1', cves, [entry(jammys)]))).toMatchObject({
      externalId: 'USN-5614-1',
      kind: 'erratum',
      title: 'something vulnerabilities',
      url: 'https://ubuntu.com/security/notices/USN-5614-1',
      cves,
      aliases: [],
      packages: [{ release: 'ubuntu:22.04', name: 'openssh', severity: 'unrated' }],
    });
  });

  it('names them under "related" in older exports, each twice', () => {
    const related = cves.flatMap((name) => [name, `UBUNTU-${name}`]);
    const older = noticeRecord('USN-5614-1', [], [entry(jammys)], { upstream: undefined, related });
    expect(advisoryIn(older)).toMatchObject({ cves, aliases: [] });
  });

  it('has the worst priority of the CVEs that it lists for a package', () => {
    const listed = (...words: string[]) => ({
      database_specific: {
        cves_map: { cves: words.map((score) => ({ severity: [{ type: 'Ubuntu', score }] })) },
      },
    });
    const severityOf = (rest: object) =>
      advisoryIn(noticeRecord('USN-5614-1', cves, [{ ...entry(jammys), rest }])).packages[0]?.severity;
    expect(severityOf(listed('low', 'high', 'medium'))).toBe('important');
    expect(severityOf(listed('negligible'))).toBe('none');
    expect(severityOf({ database_specific: { cves_map: { cves: [7, { severity: 'high' }] } } })).toBe(
      'unrated',
    );
    expect(severityOf({ database_specific: [] })).toBe('unrated');
  });

  it('is about the CVEs that its map has for each release, where it has some', () => {
    const [bionic, focal, jammy, noble] = [
      'CVE-2021-3782',
      'CVE-2022-0001',
      'CVE-2022-0002',
      'CVE-2022-0003',
    ];
    const listed = (ids: readonly unknown[]) => ({
      rest: { database_specific: { cves_map: { cves: ids.map((id) => ({ id, severity: [] })) } } },
    });
    const advisory = advisoryIn(
      noticeRecord(
        'USN-5614-1',
        [bionic, focal, jammy, noble],
        [
          { ...entry('Ubuntu:18.04:LTS'), ...listed([bionic, `UBUNTU-${focal}`, bionic]) },
          { ...entry('Ubuntu:20.04:LTS'), ...listed(['CVE-2020-9999']) },
          { ...entry('Ubuntu:22.04:LTS'), ...listed([7, 'no CVE']) },
          entry('Ubuntu:24.04:LTS'),
        ],
      ),
    );
    const all = ['CVE-2020-9999', bionic, focal, jammy, noble];
    expect(advisory.cves).toEqual(all);
    expect(advisory.packages.map(({ cves }) => cves)).toEqual([
      [bionic, focal],
      ['CVE-2020-9999'],
      undefined,
      undefined,
    ]);
  });

  it('is about the CVEs of both entries where those for all users and for Ubuntu Pro have the same fix', () => {
    const of = (ecosystem: string, id: string) => ({
      ...entry(ecosystem),
      rest: { database_specific: { cves_map: { cves: [{ id }] } } },
    });
    const { packages } = advisoryIn(
      noticeRecord(
        'USN-5614-1',
        ['CVE-2022-0009'],
        [
          of('Ubuntu:22.04:LTS', 'CVE-2022-0002'),
          of('Ubuntu:Pro:22.04:LTS', 'CVE-2022-0001'),
          of('Ubuntu:20.04:LTS', 'CVE-2022-0009'),
        ],
      ),
    );
    expect(packages.map((affected) => affected.cves)).toEqual([
      ['CVE-2022-0009'],
      ['CVE-2022-0001', 'CVE-2022-0002'],
    ]);
  });

  it('is about a CVE in every release if it names the CVE and no map has it', () => {
    const of = (ecosystem: string, id: string) => ({
      ...entry(ecosystem),
      rest: { database_specific: { cves_map: { cves: [{ id }] } } },
    });
    const cvesIn = (...entries: ReturnType<typeof of>[]) =>
      advisoryIn(
        noticeRecord('USN-5614-1', ['CVE-2022-0001', 'CVE-2022-0002', 'CVE-2022-0009'], entries),
      ).packages.map((affected) => affected.cves);
    const [focal, jammy] = [of('Ubuntu:20.04:LTS', 'CVE-2022-0001'), of(jammys, 'CVE-2022-0002')];
    expect(cvesIn(focal, jammy)).toEqual([
      ['CVE-2022-0001', 'CVE-2022-0009'],
      ['CVE-2022-0002', 'CVE-2022-0009'],
    ]);
    // A release that the feed does not have can have it.
    expect(cvesIn(focal, jammy, of('Ubuntu:Core:99', 'CVE-2022-0009'))).toEqual([
      ['CVE-2022-0001'],
      ['CVE-2022-0002'],
    ]);
  });

  it('does not name the archive of Ubuntu Pro that ships its fix, because its text is the same for both', () => {
    const [affected] = advisoryIn(noticeRecord('USN-5614-1', cves, [entry('Ubuntu:Pro:22.04:LTS')])).packages;
    expect(affected?.fix).toMatchObject({ service: 'esm' });
  });
});

describe('a record of another form', () => {
  it('is rejected if it is for one of the releases', () => {
    for (const id of ['CVE-2024-6387', 'GHSA-2x8c-95vh-gfv4', 'USN-1', 'DSA-5724-1']) {
      expect(readUbuntu({ ...cveRecord(cve, [entry(jammys)]), id })).toMatchObject({
        kind: 'rejected',
        reason: 'unknown_id_form',
      });
    }
  });
});
