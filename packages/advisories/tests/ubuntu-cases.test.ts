import { assessHost } from '../src/index.ts';
import { affecting, assessed, focal, installed, lines, noble, offered, ubuntu } from './ubuntu-host.ts';
import { advisoryIn, cveAdvisory, noticeRecord, readUbuntu } from './ubuntu-records.ts';

const cve = 'CVE-2024-0001';
const id = `UBUNTU-${cve}`;
const needed = (name: string, ecosystem = 'Ubuntu:22.04:LTS') => ({ ecosystem, name, fixed: null });

describe('matching rules on Ubuntu, by number', () => {
  it('5. a version that ends like a rebuild is compared unchanged: Ubuntu never rebuilds only binaries', () => {
    const advisories = [cveAdvisory(cve, [{ name: 'bash', fixed: '5.1-6ubuntu1+b1' }])];
    expect(affecting(installed('bash', '5.1-6ubuntu1+b1'), advisories)).toEqual([]);
    expect(affecting(installed('bash', '5.1-6ubuntu1'), advisories)).toEqual([`${id} bash`]);
  });

  it('6. the source’s version counts: postgresql 14+238 is postgresql-common 238', () => {
    const advisories = [cveAdvisory(cve, [{ name: 'postgresql-common', fixed: '238' }])];
    const common = (version: string) =>
      installed('postgresql', `14+${version}`, { name: 'postgresql-common', version });
    expect(affecting(common('238'), advisories)).toEqual([]);
    expect(affecting(common('237'), advisories)).toEqual([`${id} postgresql`]);
  });

  it('8. libldb2 2:2.4.4-0ubuntu0.22.04.2 is ldb, and is not compared with samba’s fixes', () => {
    const advisories = [cveAdvisory(cve, [{ name: 'samba', fixed: '2:4.15.13+dfsg-0ubuntu1.6' }])];
    const ldb = installed('libldb2', '2:2.4.4-0ubuntu0.22.04.2', { name: 'ldb' });
    expect(affecting(ldb, advisories)).toEqual([]);
  });

  it('10. a release that is not listed is not affected', () => {
    const advisories = [
      cveAdvisory(cve, [{ ecosystem: 'Ubuntu:24.04:LTS', name: 'openssh', fixed: '1:9.6p1-3ubuntu13.3' }]),
    ];
    const openssh = installed('openssh-server', '1:9.0p1-1', { name: 'openssh' });
    expect(affecting(openssh, advisories)).toEqual([]);
    expect(affecting(openssh, advisories, noble)).toEqual([`${id} openssh-server`]);
  });

  it.each([
    ['needed', 'no_fix'],
    ['pending', 'no_fix'],
    ['deferred', 'no_fix'],
    ['ignored', 'will_not_fix'],
  ])(
    '11. a package listed without a fix, as %s, is unfixed for that reason, and never offered as an update',
    (word, state) => {
      const specific = { uct_status: word };
      const advisories = [cveAdvisory(cve, [{ ...needed('zlib'), specific }])];
      const packages = [installed('zlib1g', '1:1.2.11.dfsg-2ubuntu9', { name: 'zlib' })];
      const upgrades = [
        offered('zlib1g', '1:1.2.11.dfsg-2ubuntu9', '1:1.2.11.dfsg-2ubuntu9.2', { sourceName: 'zlib' }),
      ];
      const { findings, counts } = assessHost(assessed({ packages, upgrades, advisories }));
      expect(findings).toMatchObject([
        { name: 'zlib1g', fixed: false, fixedVersion: null, fixState: state, severity: 'moderate' },
      ]);
      expect(findings[0]?.advisories[0]?.statement.fix).toMatchObject({ kind: 'unfixed', detail: word });
      expect(counts).toMatchObject({ moderate: 0, unfixed: 1 });
    },
  );

  it('11. a package listed as needs-triage is under investigation: shown as such, and never counted', () => {
    const advisories = [cveAdvisory(cve, [{ ...needed('zlib'), specific: { uct_status: 'needs-triage' } }])];
    const packages = [installed('zlib1g', '1:1.2.11.dfsg-2ubuntu9', { name: 'zlib' })];
    const { findings, counts } = assessHost(assessed({ packages, advisories }));
    expect(findings).toMatchObject([{ name: 'zlib1g', fixed: false, fixState: 'under_investigation' }]);
    expect(counts).toMatchObject({ moderate: 0, unfixed: 0, knownExploited: 0 });
  });

  it.each([
    installed('curl', '8.5.0-1', {}, { suite: 'jammy-backports' }),
    installed('curl', '8.5.0-1~bpo22.04.1'),
  ])('12. a backport is unknown, not affected: $version from "$suite"', (backport) => {
    const host = { packages: [backport], advisories: [cveAdvisory(cve, [needed('curl')])] };
    expect(assessHost(assessed(host))).toMatchObject({ findings: [], counts: { unfixed: 0, unknown: 1 } });
  });

  it('13. noble’s freeglut at 3.4.0-1ubuntu0.1~esm1 has the fix that Ubuntu Pro shipped in that version', () => {
    const advisories = [
      cveAdvisory('CVE-2024-24258', [
        { ecosystem: 'Ubuntu:Pro:24.04:LTS', name: 'freeglut', fixed: '3.4.0-1ubuntu0.1~esm1' },
      ]),
    ];
    const freeglut = (version: string) => installed('libglut3.12', version, { name: 'freeglut' });
    expect(affecting(freeglut('3.4.0-1ubuntu0.1~esm1'), advisories, noble)).toEqual([]);
    expect(affecting(freeglut('3.4.0-1'), advisories, noble)).toEqual(['UBUNTU-CVE-2024-24258 libglut3.12']);
  });

  it.each([
    ['first', (entries: object[]) => entries],
    ['last', (entries: object[]) => [...entries].reverse()],
  ])('13. an ESM version is a fix even if the plain release, listed %s, is still "needed"', (_at, order) => {
    const entries = [
      needed('freeglut', 'Ubuntu:24.04:LTS'),
      { ecosystem: 'Ubuntu:Pro:24.04:LTS', name: 'freeglut', fixed: '3.4.0-1ubuntu0.1~esm1' },
    ];
    const advisories = [cveAdvisory(cve, order(entries) as typeof entries)];
    const freeglut = (version: string) => installed('libglut3.12', version, { name: 'freeglut' });
    expect(affecting(freeglut('3.4.0-1ubuntu0.1~esm1'), advisories, noble)).toEqual([]);
    expect(affecting(freeglut('3.4.0-1'), advisories, noble)).toEqual([`${id} libglut3.12`]);
  });

  it('14. 1.1.1f-1ubuntu2.fips.18 against a fix outside FIPS is unknown, neither affected nor clean', () => {
    const fips = installed('libssl1.1', '1.1.1f-1ubuntu2.fips.18', { name: 'openssl' });
    for (const fixed of ['1.1.1f-1ubuntu2.22', '1.1.1f-1ubuntu2.1', null]) {
      const advisories = [cveAdvisory(cve, [{ ecosystem: 'Ubuntu:20.04:LTS', name: 'openssl', fixed }])];
      const { findings, counts } = assessHost(assessed({ packages: [fips], advisories, release: focal }));
      expect(findings).toEqual([]);
      expect(counts.unknown).toBe(1);
    }
  });

  it('14. the same build is affected by a statement about FIPS builds', () => {
    const fips = installed('libssl1.1', '1.1.1f-1ubuntu2.fips.18', { name: 'openssl' });
    const openssl = (ecosystem: string, fixed: string) => ({ ecosystem, name: 'openssl', fixed });
    const advisories = [
      cveAdvisory(cve, [
        openssl('Ubuntu:20.04:LTS', '1.1.1f-1ubuntu2.17'),
        openssl('Ubuntu:Pro:FIPS-updates:20.04:LTS', '1.1.1f-1ubuntu2.fips.19'),
      ]),
    ];
    expect(assessHost(assessed({ packages: [fips], advisories, release: focal }))).toMatchObject({
      findings: [{ fixedVersion: '1.1.1f-1ubuntu2.fips.19', fixState: 'needs_subscription' }],
      counts: { moderate: 1, unknown: 0 },
    });
  });

  it('14. a statement about FIPS builds does not apply to other builds', () => {
    const advisories = [
      cveAdvisory(cve, [
        { ecosystem: 'Ubuntu:Pro:FIPS:20.04:LTS', name: 'openssl', fixed: '1.1.1f-1ubuntu2.fips.19' },
      ]),
    ];
    const usual = installed('libssl1.1', '1.1.1f-1ubuntu2.16', { name: 'openssl' });
    const host = assessed({ packages: [usual], advisories, release: focal });
    expect(assessHost(host)).toMatchObject({ findings: [], counts: { unknown: 0 } });
  });

  it('15. a package is affected per CVE record, not because a notice names it', () => {
    const notice = advisoryIn(
      noticeRecord(
        'USN-1000-1',
        [cve, 'CVE-2024-0002'],
        [
          { name: 'curl', fixed: '7.81.0-1ubuntu1.16' },
          { name: 'wget', fixed: '1.21.2-2ubuntu1.2' },
        ],
      ),
    );
    const records = [
      cveAdvisory(cve, [{ name: 'curl', fixed: '7.81.0-1ubuntu1.15' }]),
      cveAdvisory('CVE-2024-0002', [{ name: 'wget', fixed: '1.21.2-2ubuntu1.1' }]),
    ];
    const packages = [installed('curl', '7.81.0-1ubuntu1.14'), installed('wget', '1.21.2-2ubuntu1.1')];
    expect(lines({ packages, advisories: [notice, ...records] })).toEqual([`${id} curl`]);
    // The notice's other CVE has no record yet: nothing shows which of its packages that CVE affects.
    expect(lines({ packages, advisories: [notice, ...records.slice(0, 1)] })).toEqual([`${id} curl`]);
    // After the end of support only notices are left.
    expect(lines({ packages, advisories: [notice] })).toEqual(['USN-1000-1 curl', 'USN-1000-1 wget']);
  });

  it('a live patch notice affects no package', () => {
    const entry = {
      ecosystem: 'Ubuntu:Pro:22.04:LTS',
      name: 'linux-aws',
      fixed: '5.15.0-1076.83',
      specific: { availability: 'Livepatch subscription required' },
    };
    expect(readUbuntu(noticeRecord('LSN-0108-1', [cve], [entry]))).toEqual({
      kind: 'skipped',
      reason: 'not_about_packages',
    });
  });

  it('a withdrawn record affects no package', () => {
    const advisories = [cveAdvisory(cve, [needed('curl')], { withdrawn: '2025-07-18T16:42:37Z' })];
    expect(affecting(installed('curl', '7.81.0-1'), advisories)).toEqual([]);
  });

  it('a negligible vulnerability is hidden', () => {
    const advisories = [
      cveAdvisory(cve, [needed('curl')], { severity: [{ type: 'Ubuntu', score: 'negligible' }] }),
    ];
    const { findings, counts } = assessHost(
      assessed({ packages: [installed('curl', '7.81.0-1')], advisories }),
    );
    expect(findings).toMatchObject([{ severity: 'none' }]);
    expect(counts).toMatchObject({ unfixed: 0, unknown: 0 });
  });

  it('a PPA’s package is unknown, with any version or maintainer', () => {
    const php = installed('php8.1', '8.1.2-1ubuntu2.14', {}, { vendor: 'LP-PPA-ondrej-php' });
    const advisories = [cveAdvisory(cve, [needed('php8.1')])];
    expect(assessHost(assessed({ packages: [php], advisories }))).toMatchObject({
      findings: [],
      counts: { unknown: 1 },
    });
    expect(ubuntu().classify(php, focal)).toMatchObject({ detail: 'LP-PPA-ondrej-php' });
  });
});
