import { assessRpm, lines, offer, rpm } from './rpm-host.ts';
import { advisoryOf, sample, update, updatePackage } from './rpm-records.ts';

const alma = (id: string, nevras: readonly string[], rest: Record<string, unknown> = {}) =>
  advisoryOf('almalinux-updateinfo', update(id, nevras, rest), 'almalinux:8');
const noFix = 'not_in_repositories';

describe('version rules, by number', () => {
  it('an epoch that is missing on one side is 0', () => {
    const advisories = [alma('ALSA-1', ['bash-4.4-2.el8.x86_64'])];
    const at = (nevra: string) => lines({ release: 'almalinux:8', packages: [rpm(nevra)], advisories });
    expect(at('bash-0:4.4-2.el8.x86_64')).toEqual([]);
    expect(at('bash-4.4-1.el8.x86_64')).toEqual([`bash.x86_64 ALSA-1 ${noFix}`]);
  });
});

describe('matching rules on rpm, by number', () => {
  const inStream = (stream: string, module = 'postgresql') =>
    `${module}:${stream}:8040020210420161024:522a0ee4`;

  it('17. postgresql of stream 9.6 is clean against a fix in stream 12', () => {
    const fix = advisoryOf(
      'almalinux-updateinfo',
      update('ALSA-12', [], {
        collections: [
          {
            name: 'c',
            short: 'c',
            module: { name: 'postgresql', stream: '12', version: '1', context: 'x', arch: 'x86_64' },
            packages: [updatePackage('postgresql-12.7-1.module_el8.4.0+2403+f6f1a0f5.x86_64')],
          },
        ],
      }),
      'almalinux:8',
    );
    const installed = (stream: string, version: string) =>
      rpm(`postgresql-${version}-1.module_el8.3.0+2000+aaaaaaaa.x86_64`, { module: inStream(stream) });
    const at = (stream: string, version: string) =>
      lines({ release: 'almalinux:8', packages: [installed(stream, version)], advisories: [fix] });
    expect(at('9.6', '9.6.20')).toEqual([]);
    expect(at('12', '12.5')).toEqual([`postgresql.x86_64 ALSA-12 ${noFix}`]);
    expect(at('12.0', '12.5')).toEqual([]);
  });

  it('17. a stream is a text, of its module: 1.10 is not 1.1', () => {
    const title = { title: 'Important: squid:1.10 security update' };
    const advisories = [alma('ALSA-1', ['squid-4.4-2.module_el8.4.0+1+aa.x86_64'], title)];
    const at = (stream: string, name = 'squid') => {
      const module = inStream(stream, name);
      const packages = [rpm('squid-4.4-1.module_el8.3.0+1+aa.x86_64', { module })];
      return lines({ release: 'almalinux:8', packages, advisories });
    };
    expect(at('1.1')).toEqual([]);
    expect(at('1.10')).toHaveLength(1);
    expect(at('1.10', 'another')).toEqual([]);
  });

  it('18. perl outside modules is not affected by ALSA-2024:3128, which is about perl:5.32', () => {
    const advisories = [advisoryOf('almalinux-osv', sample('almalinux/ALSA-2024-3128.osv.json'))];
    const at = (nevra: string, module = '') =>
      lines({ release: 'almalinux:8', packages: [rpm(nevra, { module })], advisories });
    expect(at('perl-libs-4:5.26.3-422.el8.0.1.x86_64')).toEqual([]);
    expect(
      at('perl-libs-4:5.32.1-471.module_el8.6.0+2766+8bf0b7ce.x86_64', inStream('5.32', 'perl')),
    ).toEqual([`perl-libs.x86_64 ALSA-2024:3128 ${noFix}`]);
    expect(at('perl-libs-4:5.30.1-1.module_el8.6.0+2766+8bf0b7ce.x86_64', inStream('5.30', 'perl'))).toEqual(
      [],
    );
  });

  it('a build in a module with an unknown stream is unknown, never clean', () => {
    const packages = [
      rpm('perl-libs-4:5.32.1-471.module_el8.6.0+2766+8bf0b7ce.x86_64', { module: '(none)' }),
    ];
    const advisories = [advisoryOf('almalinux-osv', sample('almalinux/ALSA-2024-3128.osv.json'))];
    expect(assessRpm({ release: 'almalinux:8', packages, advisories })).toMatchObject({
      findings: [],
      counts: { unknown: 1 },
    });
  });

  it('several fixed versions in one advisory: affected only below all of them', () => {
    const advisories = [advisoryOf('almalinux-osv', sample('almalinux/ALSA-2020-1766.osv.json'))];
    const at = (version: string) =>
      lines({ release: 'almalinux:8', packages: [rpm(`mozjs60-${version}.x86_64`)], advisories });
    expect(at('60.9.0-4.el8')).toEqual([]);
    expect(at('60.9.0-3.el8')).toEqual([`mozjs60.x86_64 ALSA-2020:1766 ${noFix}`]);
  });

  it('19. AlmaLinux is judged by its own build numbers, +4006 and not +23140', () => {
    const title = { title: 'Moderate: httpd:2.4 security update' };
    const advisories = [alma('ALSA-1', ['httpd-2.4.37-65.module_el8.10.0+4006+1.x86_64'], title)];
    const module = inStream('2.4', 'httpd');
    const packages = [rpm('httpd-2.4.37-65.module_el8.10.0+4006+1.x86_64', { module })];
    expect(lines({ release: 'almalinux:8', packages, advisories })).toEqual([]);
    const redHats = advisoryOf('redhat-updateinfo', update('RHSA-1', ['httpd-9-1.el8.x86_64']), 'rhel:8');
    expect(lines({ release: 'almalinux:8', packages, advisories: [...advisories, redHats] })).toEqual([]);
  });

  it('20. a fix only in el9_5 is not in the repositories of a host on 9.4, unless they offer it', () => {
    const fix = advisoryOf(
      'almalinux-updateinfo',
      update('ALSA-1', ['curl-7.76.1-31.el9_5.x86_64']),
      'almalinux:9',
    );
    const curl = rpm('curl-7.76.1-29.el9_4.x86_64');
    const host = { release: 'almalinux:9', packages: [curl], advisories: [fix] };
    expect(lines(host)).toEqual([`curl.x86_64 ALSA-1 ${noFix}`]);
    expect(lines({ ...host, upgrades: [offer(curl, '7.76.1-31.el9_5')] })).toEqual([
      'curl.x86_64 ALSA-1 installable',
    ]);
  });

  it('21. i686 and x86_64 are separate rows, and noarch matches every architecture', () => {
    const advisories = [
      alma('ALSA-1', ['glibc-2.28-2.el8.x86_64', 'glibc-2.28-2.el8.i686', 'glibc-2.28-2.el8.aarch64']),
      alma('ALSA-2', ['glibc-2.28-3.el8.i686']),
      alma('ALSA-3', ['tzdata-2024b-1.el8.noarch', 'glibc-2.28-9.el8.src']),
      alma('ALSA-4', ['fonts-2-1.el8.noarch']),
    ];
    const packages = [
      rpm('fonts-1-1.el8.x86_64'),
      rpm('glibc-2.28-1.el8.x86_64'),
      rpm('glibc-2.28-1.el8.i686'),
      rpm('tzdata-2024a-1.el8.noarch'),
    ];
    expect(lines({ release: 'almalinux:8', packages, advisories })).toEqual([
      `fonts.x86_64 ALSA-4 ${noFix}`,
      `glibc.i686 ALSA-1 ${noFix}`,
      `glibc.i686 ALSA-2 ${noFix}`,
      `glibc.x86_64 ALSA-1 ${noFix}`,
      `tzdata.noarch ALSA-3 ${noFix}`,
    ]);
  });

  it('minor streams: glibc at 2.34-28.el9_0.4 has the fix of 9.0 EUS for CVE-2023-4911', () => {
    const advisories = ['RHSA-2023-5453', 'RHSA-2023-5454'].map((id) =>
      advisoryOf('redhat-osv', sample(`redhat/${id}.osv.json`)),
    );
    const at = (version: string) =>
      lines({ release: 'rhel:9', packages: [rpm(`glibc-${version}.x86_64`)], advisories });
    expect(at('2.34-28.el9_0.4')).toEqual([]);
    expect(at('2.34-28.el9_0.2')).toEqual([`glibc.x86_64 RHSA-2023:5454 ${noFix}`]);
    expect(at('2.34-60.el9_2.3')).toEqual([`glibc.x86_64 RHSA-2023:5453 ${noFix}`]);
    expect(at('2.34-60.el9_2.7')).toEqual([]);
  });

  it('gpg-pubkey is not a package: it is never counted', () => {
    const packages = [rpm('gpg-pubkey-ced7258b-6525146f.noarch')];
    expect(assessRpm({ release: 'almalinux:8', packages })).toMatchObject({
      findings: [],
      counts: { unknown: 0 },
    });
  });

  it('builds for another release than the file’s are skipped: CEFS of 6 has el7 packages', () => {
    const mixed = update('CESA-1', ['openssl-1.0.1e-42.el6_7.4.x86_64', 'openssl-1.0.1e-51.el7_2.4.x86_64']);
    const six = advisoryOf('centos-updateinfo', mixed, 'centos:6');
    expect(six.packages.map(({ fix }) => fix)).toMatchObject([{ version: '1.0.1e-42.el6_7.4' }]);
    const seven = advisoryOf('centos-updateinfo', mixed, 'centos:7');
    expect(seven.packages.map(({ fix }) => fix)).toMatchObject([{ version: '1.0.1e-51.el7_2.4' }]);
  });
});

describe('packages that are not the distribution’s', () => {
  const advisories = [alma('ALSA-1', ['php-8.0-9.el8.x86_64'])];

  it.each([
    ['Remi\u2019s RPM repository <https://rpms.remirepo.net/>', 'php-7.4-1.el8.remi.x86_64'],
    ['', 'php-7.4-1.el8.remi.x86_64'],
    ['Fedora Project', 'php-7.4-1.el8.x86_64'],
    ['', 'php-7.4-1.el7.x86_64'],
    ['AlmaLinux', 'php-7.4-1.el9.x86_64'],
  ])('of vendor %j, %s is unknown: neither affected nor clean', (vendor, nevra) => {
    const packages = [rpm(nevra, { vendor })];
    expect(assessRpm({ release: 'almalinux:8', packages, advisories })).toMatchObject({
      findings: [],
      counts: { unknown: 1 },
    });
  });

  it.each(['AlmaLinux', 'almalinux', ''])(
    'of vendor %j are matched, and the verdict shows whether the vendor is stated',
    (vendor) => {
      const packages = [rpm('php-7.4-1.el8.x86_64', { vendor })];
      const [finding] = assessRpm({ release: 'almalinux:8', packages, advisories }).findings;
      const codes = finding?.evidence.notes.map(({ code }) => code);
      expect(codes).toEqual(vendor === '' ? ['origin_not_stated'] : []);
    },
  );
});
