import type { InstalledPackage } from '@plimsoll/model';
import { assessRpm, lines, rpm } from './rpm-host.ts';
import { advisoryOf, update } from './rpm-records.ts';

const unfixed = (source: string, state = 'Affected', cve = 'CVE-2024-0001', number = '9') =>
  advisoryOf('redhat-cve', {
    name: cve,
    threat_severity: 'Important',
    public_date: '2024-01-02T00:00:00Z',
    bugzilla: { description: 'something' },
    package_state: [
      { cpe: `cpe:/o:redhat:enterprise_linux:${number}`, fix_state: state, package_name: source },
    ],
  });
const ofOpenssl = (nevra: string, rest: Partial<InstalledPackage> = {}) =>
  rpm(nevra, { sourceName: 'openssl', ...rest });
const libs = ofOpenssl('openssl-libs-1:3.0.7-24.el9.x86_64');

describe('Red Hat’s statement about a source without a fix', () => {
  it.each(['rhel:9', 'almalinux:9', 'rocky:9'])(
    'applies on %s to every binary package built from it',
    (release) => {
      const packages = [
        ofOpenssl('openssl-1:3.0.7-24.el9.x86_64'),
        libs,
        rpm('openssl-pkcs11-0.4.11-7.el9.x86_64', { sourceName: 'openssl-pkcs11' }),
      ];
      expect(lines({ release, packages, advisories: [unfixed('openssl')] })).toEqual([
        'openssl-libs.x86_64 CVE-2024-0001 no_fix',
        'openssl.x86_64 CVE-2024-0001 no_fix',
      ]);
    },
  );

  it('does not apply to a binary package that only has the source’s name', () => {
    const packages = [rpm('openssl-1:3.0.7-24.el9.x86_64', { sourceName: 'openssl-rebuilt' })];
    expect(lines({ release: 'rhel:9', packages, advisories: [unfixed('openssl')] })).toEqual([]);
  });

  it.each([
    ['Will not fix', 'will_not_fix'],
    ['Out of support scope', 'will_not_fix'],
    ['Fix deferred', 'no_fix'],
    ['Affected', 'no_fix'],
  ])('classifies “%s” as %s, counted only as unfixed', (state, expected) => {
    const host = { release: 'almalinux:9', packages: [libs], advisories: [unfixed('openssl', state)] };
    const { counts, findings, grounds } = assessRpm(host);
    expect(findings[0]).toMatchObject({ fixState: expected, fixed: false, fixedVersion: null });
    expect(counts).toMatchObject({ unfixed: 1, critical: 0 });
    expect(grounds).toEqual(['open_finding']);
  });

  it.each([
    ['almalinux:9', 'upstream_statement'],
    ['rocky:9', 'upstream_statement'],
    ['rhel:9', 'source_statement'],
  ])('is marked on %s as %s', (release, code) => {
    const { findings } = assessRpm({ release, packages: [libs], advisories: [unfixed('openssl')] });
    expect(findings[0]?.evidence.notes).toContainEqual({
      code,
      detail: expect.stringContaining('CVE-2024-0001: said of the source openssl'),
    });
    expect(unfixed('openssl').url).toBe('https://access.redhat.com/security/cve/CVE-2024-0001');
  });

  it.each([
    ['rhel:9', 'redhat-updateinfo', 'RHSA-2024:1'],
    ['almalinux:9', 'almalinux-updateinfo', 'ALSA-2024:1'],
    ['rocky:9', 'rocky-updateinfo', 'RLSA-2024:1'],
  ])('is replaced on %s by the distribution’s own advisory that names the CVE', (release, feed, id) => {
    const own = advisoryOf(feed, update(id, ['openssl-libs-1:3.0.7-25.el9.x86_64']), release);
    const at = (nevra: string) =>
      lines({ release, packages: [ofOpenssl(nevra)], advisories: [unfixed('openssl'), own] });
    expect(at('openssl-libs-1:3.0.7-24.el9.x86_64')).toEqual([
      `openssl-libs.x86_64 ${id} not_in_repositories`,
    ]);
    expect(at('openssl-libs-1:3.0.7-25.el9.x86_64')).toEqual([]);
  });

  it('is kept next to an advisory that names other CVEs, or other builds', () => {
    const other = update('ALSA-2024:1', ['openssl-libs-1:3.0.7-25.el9.x86_64'], {
      references: [{ href: '', id: 'CVE-2024-9', title: 'CVE-2024-9', type: 'cve' }],
    });
    const foreign = update('ALSA-2024:2', ['openssl-libs-1:3.0.7-25.el9.aarch64']);
    const advisories = [
      unfixed('openssl'),
      ...[other, foreign].map((record) => advisoryOf('almalinux-updateinfo', record, 'almalinux:9')),
    ];
    expect(lines({ release: 'almalinux:9', packages: [libs], advisories })).toEqual([
      'openssl-libs.x86_64 ALSA-2024:1 not_in_repositories',
      'openssl-libs.x86_64 CVE-2024-0001 no_fix',
    ]);
  });

  it('applies only to builds of the module stream that it names', () => {
    const advisories = [unfixed('perl:5.32/perl', 'Affected', 'CVE-2024-0001', '8')];
    const at = (module: string, release: string) =>
      lines({
        release: 'almalinux:8',
        packages: [rpm(`perl-libs-4:5.32.1-473.${release}.x86_64`, { sourceName: 'perl', module })],
        advisories,
      });
    const modular = 'module_el8.10.0+1+aa';
    expect(at('perl:5.32:8100020240314121426:9fe1d287', modular)).toHaveLength(1);
    expect(at('perl:5.30:8100020240314121426:9fe1d287', modular)).toEqual([]);
    expect(at('', 'el8')).toEqual([]);
  });

  it('applies to the running kernel, never to headers and tools', () => {
    const kernel = (name: string, version: string) =>
      rpm(`${name}-${version}.x86_64`, { sourceName: 'kernel', sourceVersion: version });
    const packages = [
      kernel('kernel-core', '5.14.0-427.13.1.el9_4'),
      kernel('kernel-core', '5.14.0-503.11.1.el9_5'),
      kernel('kernel-modules', '5.14.0-503.11.1.el9_5'),
      kernel('kernel-tools', '5.14.0-503.11.1.el9_5'),
      kernel('kernel-headers', '5.14.0-503.11.1.el9_5'),
      kernel('python3-perf', '5.14.0-503.11.1.el9_5'),
      kernel('bpftool', '5.14.0-503.11.1.el9_5'),
    ];
    const advisories = [unfixed('kernel')];
    const running = '5.14.0-503.11.1.el9_5.x86_64';
    expect(lines({ release: 'almalinux:9', packages, advisories, running })).toEqual([
      'kernel-core.x86_64 CVE-2024-0001 no_fix',
      'kernel-modules.x86_64 CVE-2024-0001 no_fix',
    ]);
    expect(
      lines({ release: 'almalinux:9', packages, advisories, running, virtualization: 'docker' }),
    ).toEqual([]);
  });
});
