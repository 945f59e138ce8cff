import type { Advisory, InstalledPackage, Repository } from '@plimsoll/model';
import { followedReleaseLine } from '../src/distributions/rhel/followed-release-line.ts';
import { assessRpm, lines, platformOf, rpm } from './rpm-host.ts';
import { advisoryOf, sample, update } from './rpm-records.ts';

const noFix = 'not_in_repositories';

describe('the line that a RHEL host follows', () => {
  // From repository-to-cpe.json of 2025-02-12.
  const products: Readonly<Record<string, readonly string[]>> = {
    'rhel-9-for-x86_64-baseos-rpms': ['enterprise_linux:9::baseos'],
    'rhel-9-for-x86_64-supplementary-rpms': ['enterprise_linux:9::supplementary'],
    'rhel-9-for-x86_64-baseos-eus-rpms': [
      'rhel_eus:9.0::baseos',
      'rhel_eus:9.2::baseos',
      'rhel_eus:9.4::baseos',
    ],
    'rhel-9-for-x86_64-baseos-eus-rpms__9_DOT_0': ['rhel_eus:9.0::baseos'],
    'rhel-9-for-x86_64-appstream-aus-rpms__9_DOT_2': ['rhel_aus:9.2::appstream'],
    'rhel-8-for-x86_64-baseos-e4s-rpms': [
      'enterprise_linux:8::baseos',
      'rhel_e4s:8.0::baseos',
      'rhel_e4s:8.6::baseos',
      'rhel_eus:8.6::baseos',
    ],
    'openstack-17.1-for-rhel-9-x86_64-rpms': ['openstack:17.1::el9'],
  };
  const of = (osVersion: string, ids: readonly string[], enabled = true) => {
    const repositories = ids.map((id): Repository => ({ id, url: '', enabled, suite: '', origin: '' }));
    const platform = { ...platformOf('rhel:9'), osVersion, osVersionId: osVersion };
    return followedReleaseLine({ platform, repositories }, (id) => products[id] ?? []);
  };
  const eus = 'rhel-9-for-x86_64-baseos-eus-rpms';

  it.each([
    ['its own minor release, from a repository for several', '9.0', [eus], 'el9_0'],
    ['the one minor release that a repository ships', '9.0', [`${eus}__9_DOT_0`], 'el9_0'],
    [
      'E4S, though its repository is named beside the main line',
      '8.6',
      ['rhel-8-for-x86_64-baseos-e4s-rpms'],
      'el8_6',
    ],
    ['the main line if nothing else is enabled', '9.4', ['rhel-9-for-x86_64-baseos-rpms'], 'main'],
    [
      'EUS beside other parts of the main line',
      '9.2',
      [eus, 'rhel-9-for-x86_64-supplementary-rpms'],
      'el9_2',
    ],
  ])('is %s', (_name, version, ids, line) => {
    expect(of(version, ids)).toBe(line);
  });

  it.each([
    ['a minor release that no repository ships', '9.6', [eus]],
    ['the same part in both lines', '9.0', [eus, 'rhel-9-for-x86_64-baseos-rpms']],
    ['two minor releases', '9.0', [eus, 'rhel-9-for-x86_64-appstream-aus-rpms__9_DOT_2']],
    ['unknown repositories', '9.0', ['epel']],
    ['products other than the distribution', '9.0', ['openstack-17.1-for-rhel-9-x86_64-rpms']],
    ['no version', '', [eus]],
  ])('is unknown with %s', (_name, version, ids) => {
    expect(of(version, ids)).toBe('');
  });

  it('is not derived from disabled repositories', () => {
    expect(of('9.0', [eus], false)).toBe('');
  });
});

describe('CVE-2023-4911, fixed in 2.34-60.el9_2.7 and in 2.34-28.el9_0.4 of 9.0 EUS', () => {
  const advisories = ['redhat/RHSA-2023-5453.osv.json', 'redhat/RHSA-2023-5454.osv.json'].map((file) =>
    advisoryOf('redhat-osv', sample(file)),
  );
  const at = (version: string, suite: string) =>
    assessRpm({
      release: 'rhel:9',
      packages: [rpm(`glibc-${version}.x86_64`, { suite })],
      advisories,
    }).findings.map(
      ({ fixedVersion, advisories: [first] }) => `${first?.statement.externalId} ${fixedVersion}`,
    );

  it.each(['', 'el9_0', 'main', 'el9_2'])(
    'is fixed in a build with the fix of 9.0 on a host that follows %j',
    (line) => {
      expect(at('2.34-28.el9_0.4', line)).toEqual([]);
    },
  );

  it.each([
    ['el9_0', 'RHSA-2023:5454 0:2.34-28.el9_0.4'],
    ['', 'RHSA-2023:5454 0:2.34-28.el9_0.4'],
    ['main', 'RHSA-2023:5453 0:2.34-60.el9_2.7'],
    ['el9_4', 'RHSA-2023:5454 0:2.34-28.el9_0.4'],
  ])('is open in 2.34-28.el9_0.3 on a host that follows %j, and fixed by %s', (line, fix) => {
    expect(at('2.34-28.el9_0.3', line)).toEqual([fix]);
  });

  it.each([
    ['el9_0', 'RHSA-2023:5454 0:2.34-28.el9_0.4'],
    ['main', 'RHSA-2023:5453 0:2.34-60.el9_2.7'],
    ['', 'RHSA-2023:5453 0:2.34-60.el9_2.7'],
  ])('is open in a build of no minor release on a host that follows %j, and fixed by %s', (line, fix) => {
    expect(at('2.34-28.el9', line)).toEqual([fix]);
  });

  it('has evidence that names the chosen line', () => {
    const { findings } = assessRpm({
      release: 'rhel:9',
      packages: [rpm('glibc-2.34-28.el9.x86_64', { suite: 'el9_0' })],
      advisories,
    });
    expect(findings[0]?.evidence.notes).toContainEqual({
      code: 'line_followed',
      detail: 'its host’s repositories follow el9_0',
    });
  });
});

describe('advisories of only a minor release', () => {
  const of = (line: string, id: string, nevra: string): Advisory => {
    const advisory = advisoryOf('redhat-updateinfo', update(id, [nevra]), 'rhel:9');
    return {
      ...advisory,
      packages: advisory.packages.map((each) => ({ ...each, builds: { ...each.builds, line } })),
    };
  };
  const only = of('el9_0', 'RHSA-2024:1', 'foo-1.0-5.el9_0.1.x86_64');
  const on = (suite: string, rest: Partial<InstalledPackage> = {}) =>
    lines({
      release: 'rhel:9',
      packages: [rpm('foo-1.0-5.el9.x86_64', { suite, ...rest })],
      advisories: [only],
    });

  it('apply to builds of no minor release only on hosts that follow it', () => {
    expect(on('el9_0')).toEqual([`foo.x86_64 RHSA-2024:1 ${noFix}`]);
    expect(on('main')).toEqual([]);
    expect(on('el9_2')).toEqual([]);
    expect(on('')).toEqual([]);
  });

  it('never apply to certified builds', () => {
    expect(on('el9_0', { version: '1.0-4.el9_fips' })).toEqual([]);
  });
});

describe('a CVE without a fix in the main line but with one in an extended line', () => {
  const fixedIn = (line: string): Advisory => {
    const advisory = advisoryOf(
      'redhat-updateinfo',
      update('RHSA-2024:1', ['foo-1.0-5.el9_0.3.x86_64']),
      'rhel:9',
    );
    return {
      ...advisory,
      packages: advisory.packages.map((each) => ({ ...each, builds: { ...each.builds, line } })),
    };
  };
  const unfixed = advisoryOf('redhat-cve', {
    name: 'CVE-2024-0001',
    threat_severity: 'Important',
    package_state: [{ cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'foo' }],
  });
  const on = (suite: string, build: string) =>
    lines({
      release: 'rhel:9',
      packages: [rpm(`foo-1.0-5.${build}.x86_64`, { suite })],
      advisories: [unfixed, fixedIn('el9_0')],
    });

  it.each(['', 'main', 'el9_0', 'el9_2'])(
    'is open in a build of that line on a host that follows %j',
    (suite) => {
      expect(on(suite, 'el9_0.1')).toEqual([`foo.x86_64 RHSA-2024:1 ${noFix}`]);
      expect(on(suite, 'el9_0.3')).toEqual([]);
    },
  );

  it.each([
    ['', `CVE-2024-0001 no_fix`],
    ['main', `CVE-2024-0001 no_fix`],
    ['el9_0', `RHSA-2024:1 ${noFix}`],
  ])('is open in a build of no minor release on a host that follows %j', (suite, expected) => {
    expect(on(suite, 'el9')).toEqual([`foo.x86_64 ${expected}`]);
  });
});
