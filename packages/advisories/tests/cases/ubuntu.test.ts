import { assessHost } from '../../src/index.ts';
import { statement } from '../debian-host.ts';
import {
  affecting,
  assessed,
  focal,
  installed,
  jammy,
  kernelImage,
  lines,
  pro,
  running,
} from '../ubuntu-host.ts';
import { advisoryIn, cveAdvisory, noticeRecord } from '../ubuntu-records.ts';

const cve = 'CVE-2024-0001';
const id = `UBUNTU-${cve}`;

describe('matching rules on Ubuntu with other packages, by number', () => {
  it.each([
    ['2.4.52-1ubuntu4.7+esm1', '2.4.52-1ubuntu4.7+esm1', false],
    ['2.4.52-1ubuntu4.7', '2.4.52-1ubuntu4.7+esm1', true],
    ['2.4.52-1ubuntu4.8', '2.4.52-1ubuntu4.7+esm1', false],
    ['1.2-4ubuntu0.22.04.1~esm1', '1.2-4ubuntu0.22.04.1~esm1', false],
    ['1.2-4ubuntu0.22.04.1~esm1', '1.2-4ubuntu0.22.04.1~esm2', true],
  ])('13. %s against a fix of Ubuntu Pro in %s: affected %s', (version, fixed, affected) => {
    const advisories = [cveAdvisory(cve, [{ ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'tool', fixed }])];
    expect(affecting(installed('tool', version), advisories)).toEqual(affected ? [`${id} tool`] : []);
  });

  const entriesFor = (name: string, free: string | null, esm: string | null) => [
    cveAdvisory(cve, [
      { ecosystem: 'Ubuntu:22.04:LTS', name, fixed: free },
      { ecosystem: 'Ubuntu:Pro:22.04:LTS', name, fixed: esm },
    ]),
  ];

  it.each([
    // A build of Pro has the fix of a later build for all users only if its own entry says so.
    ['1.2-3ubuntu0.2~esm1', '1.2-3ubuntu0.1', '1.2-3ubuntu0.2~esm2', true],
    ['1.2-3ubuntu0.2~esm2', '1.2-3ubuntu0.1', '1.2-3ubuntu0.2~esm2', false],
    ['1.2-3ubuntu0.1~esm1', '1.2-3ubuntu0.1', '1.2-3ubuntu0.1~esm1', false],
    ['1.2-3ubuntu0.1+esm1', '1.2-3ubuntu0.1', null, true],
    ['1.2-3ubuntu0.1', '1.2-3ubuntu0.1', '1.2-3ubuntu0.1+esm1', false],
    ['1.2-3', '1.2-3ubuntu0.1', '1.2-3~esm1', true],
    // A later build for all users lacks the fixes of Pro.
    ['1.2-3ubuntu0.1', null, '1.2-3ubuntu0.1~esm1', true],
    ['1.2-3ubuntu0.1~esm1', null, '1.2-3ubuntu0.1~esm1', false],
    ['1.2-3.4', null, '1.2-3.4', false],
  ])('13. %s with a fix for all in %s and for Pro in %s: affected %s', (version, free, esm, affected) => {
    const found = affecting(installed('tool', version), entriesFor('tool', free, esm));
    expect(found).toEqual(affected ? [`${id} tool`] : []);
  });

  it('13. a build from an archive of Pro is judged by the entry for Pro, whatever its version is', () => {
    const advisories = entriesFor('tool', '1.2-3', '1.2-4ubuntu1~esm1');
    const at = (vendor: string) => affecting(installed('tool', '1.2-4', {}, { vendor }), advisories);
    expect(at('Ubuntu')).toEqual([]);
    expect(at('UbuntuESMApps')).toEqual([`${id} tool`]);
  });

  it.each([
    ['1.2-3', null, '1.2-3ubuntu0.1~esm1', 'needs_subscription', '1.2-3ubuntu0.1~esm1'],
    ['1.2-3', '1.2-3ubuntu0.1', '1.2-3ubuntu0.1~esm1', 'fix_published', '1.2-3ubuntu0.1'],
    ['1.2-3ubuntu0.1', null, '1.2-3ubuntu0.1~esm1', 'no_fix', null],
    ['1.2-3ubuntu0.1~esm1', null, '1.2-3ubuntu0.1~esm2', 'needs_subscription', '1.2-3ubuntu0.1~esm2'],
    ['1.2-3ubuntu0.1~esm1', '1.2-3ubuntu0.2', null, 'fix_published', '1.2-3ubuntu0.2'],
  ])(
    '13. %s with a fix for all in %s and for Pro in %s is %s',
    (version, free, esm, fixState, fixedVersion) => {
      const advisories = entriesFor('tool', free, esm);
      const facts = { updates: 'unknown' as const };
      expect(
        assessHost(assessed({ packages: [installed('tool', version)], advisories, facts })).findings,
      ).toMatchObject([{ fixState, fixedVersion }]);
    },
  );

  it.each([
    ['5.15.0-49.55', true],
    ['5.15.0-50.56', false],
    ['5.15.0-51.57', false],
  ])(
    'a fix that is pending in 5.15.0-50.56 is in the build that is installed: %s affected %s',
    (version, affected) => {
      const specific = { uct_status: 'pending', uct_note: '5.15.0-50.56' };
      const advisories = [cveAdvisory(cve, [{ name: 'tool', fixed: null, specific }])];
      const packages = [installed('tool', version)];
      const findings = affected ? [{ fixState: 'no_fix', fixedVersion: null }] : [];
      expect(assessHost(assessed({ packages, advisories })).findings).toMatchObject(findings);
      expect(assessHost(assessed({ packages, advisories })).findings).toHaveLength(findings.length);
    },
  );

  it('13. a fix of Ubuntu Pro needs a subscription, unless the host has its service', () => {
    const advisories = [
      cveAdvisory(cve, [{ ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'tool', fixed: '1.0-1~esm1' }]),
    ];
    const host = { packages: [installed('tool', '0.9-1')], advisories };
    const state = (subscription: ReturnType<typeof pro> | null) =>
      assessHost(assessed({ ...host, subscription })).findings.map(({ fixState }) => fixState);
    expect(state({ ...pro(), attached: false })).toEqual(['needs_subscription']);
    expect(state(pro('livepatch'))).toEqual(['needs_subscription']);
    expect(state(pro('esm-apps', 'esm-infra'))).toEqual(['not_in_repositories']);
  });

  it.each([
    ['openssl', '3.0.2-0ubuntu1.10+Fips1', jammy],
    ['libgcrypt20', '1.9.4-3ubuntu3+Fips1.2', jammy],
    ['openssh', '1:8.2p1-4ubuntu0.fips.0.2.1', focal],
    ['strongswan', '5.8.2-1ubuntu3.fips.3.1.1', focal],
  ])('14. %s %s is a FIPS build: unknown against a fix outside FIPS', (name, version, release) => {
    const ecosystem = release === jammy ? 'Ubuntu:22.04:LTS' : 'Ubuntu:20.04:LTS';
    for (const fixed of ['0.1', '99:1', null]) {
      const advisories = [cveAdvisory(cve, [{ ecosystem, name, fixed }])];
      expect(
        assessHost(assessed({ packages: [installed(name, version)], advisories, release })),
      ).toMatchObject({
        findings: [],
        counts: { unknown: 1 },
      });
    }
  });

  it.each(['fipscheck', 'libfips1'])(
    '14. a package with "fips" in its name is not a FIPS build: %s',
    (name) => {
      const advisories = [cveAdvisory(cve, [{ name, fixed: '2.0-1' }])];
      expect(affecting(installed(name, '1.4.1-6'), advisories)).toEqual([`${id} ${name}`]);
    },
  );

  it('15. a notice whose CVE has a record that names other releases says nothing of this one', () => {
    const notice = advisoryIn(noticeRecord('USN-2-1', [cve], [{ name: 'vim', fixed: '9' }]));
    const ecosystem = 'Ubuntu:20.04:LTS';
    const others = (modified: string) =>
      cveAdvisory(cve, [{ ecosystem, name: 'vim', fixed: null }], { modified });
    const at = (advisories: readonly (typeof notice)[]) =>
      lines({ packages: [installed('vim', '8')], advisories });
    expect(at([notice])).toEqual(['USN-2-1 vim']);
    expect(at([notice, others('2024-02-03T04:05:06Z')])).toEqual([]);
    // A record that was changed after the end of a release's support may no longer name the release.
    expect(at([notice, others('2040-02-03T04:05:06Z')])).toEqual(['USN-2-1 vim']);
  });

  it('15. of a notice’s three CVEs a package has those whose records list it below their fix', () => {
    const cves = [1, 2, 3].map((number) => `CVE-2024-000${number}`);
    const notice = advisoryIn(
      noticeRecord('USN-1-1', cves, [{ name: 'vim', fixed: '2:8.2.3995-1ubuntu2.20' }]),
    );
    const records = cves.map((one, index) =>
      cveAdvisory(one, [{ name: 'vim', fixed: `2:8.2.3995-1ubuntu2.${18 + index}` }]),
    );
    const vim = installed('vim', '2:8.2.3995-1ubuntu2.18');
    expect([...lines({ packages: [vim], advisories: [notice, ...records] })].sort()).toEqual([
      'UBUNTU-CVE-2024-0002 vim',
      'UBUNTU-CVE-2024-0003 vim',
    ]);
  });

  it.each([
    ['-oem-6.8', '6.8.0-1003.3', 'oem'],
    ['-gcp-6.5', '6.5.0-1011.11~22.04.1', 'gcp'],
    ['-lowlatency-hwe-6.5', '6.5.0-14.14.1~22.04.1', 'lowlatency'],
  ])('16. linux-signed%s %s is a separate line', (line, version, flavour) => {
    const release = `${version.split('.', 3).join('.')}-${flavour}`;
    const upload = version.split('.').slice(3).join('.');
    const packages = [kernelImage(release, version, line)];
    const kernel = running(release, upload);
    const judged = (name: string) =>
      assessHost(assessed({ packages, kernel, statements: { [name]: [statement(cve, '99.0-1.1')] } }))
        .findings.length;
    expect(judged(`linux${line}`)).toBe(1);
    for (const other of ['linux', 'linux-hwe-6.8', `linux-signed${line}`, `linux-meta${line}`]) {
      expect(judged(other)).toBe(0);
    }
  });
});
