import { extrasLineOf, lineInAlas } from '../../../src/distributions/amazon/topics.ts';
import { assessRpm, lines, offer, rpm } from '../../rpm-host.ts';
import { advisoryOf, update } from '../../rpm-records.ts';

/** Builds as advisories of Amazon Linux 2 name them, with the topic of the advisory. */
const builds = [
  ['ALAS2-2024-1', 'dnsmasq', '2.76-16.amzn2.1.5', ''],
  ['ALAS2DNSMASQ-2024-1', 'dnsmasq', '2.90-1.amzn2.0.1', 'dnsmasq-2'],
  ['ALAS2-2024-1', 'unbound-libs', '1.6.6-1.amzn2.0.3', ''],
  ['ALAS2-2024-1', 'python3-unbound', '1.7.3-15.amzn2.0.9', ''],
  ['ALAS2UNBOUND-2024-1', 'unbound-libs', '1.13.1-3.amzn2.0.5', 'unbound-1.13'],
  ['ALAS2UNBOUND-1.17-2024-1', 'python3-unbound', '1.17.0-2.amzn2.0.5', 'unbound-1.17'],
  ['ALAS2-2024-1', 'golang', '1.9.4-3.amzn2.0.2', ''],
  ['ALAS2-2024-1', 'golang-bin', '1.22.7-1.amzn2.0.1', ''],
  ['ALAS2GOLANG1.19-2024-1', 'golang-bin', '1.19.10-1.amzn2.0.2', 'golang-1.19'],
  ['ALAS2-2024-1', 'rubygem-json', '1.7.7-36.amzn2.0.9', ''],
  ['ALAS2RUBY2.6-2024-1', 'rubygem-json', '2.1.0-125.amzn2.0.2', 'ruby-2.6'],
  ['ALAS2RUBY3.0-2024-1', 'rubygems', '3.2.33-156.amzn2.0.2', 'ruby-3.0'],
  ['ALAS2-2024-1', 'ruby-hivex', '1.3.10-6.12.amzn2', ''],
  ['ALAS2-2024-1', 'php-pear', '1:1.10.12-9.amzn2', ''],
  ['ALAS2PHP8.1-2024-1', 'php-cli', '8.1.29-1.amzn2', 'php-8.1'],
  ['ALAS2-2024-1', 'squid', '7:3.5.20-17.amzn2.7.8', ''],
  ['ALAS2SQUID4-2024-1', 'squid', '7:4.15-1.amzn2.0.5', 'squid-4'],
  ['ALAS2-2024-1', 'mariadb-libs', '1:5.5.68-1.amzn2', ''],
  ['ALAS2MARIADB10.5-2024-1', 'mariadb-libs', '3:10.5.25-1.amzn2', 'mariadb-10.5'],
  ['ALAS2-2024-1', 'postgresql', '9.2.24-8.amzn2.0.4', ''],
  ['ALAS2POSTGRESQL14-2024-1', 'libpq', '14.14-1.amzn2.0.1', 'postgresql-14'],
  ['ALAS2TOMCAT8.5-2024-1', 'tomcat', '8.5.100-1.amzn2.0.1', 'tomcat-8.5'],
  ['ALAS2TOMCAT9-2024-1', 'tomcat-lib', '9.0.98-1.amzn2.0.1', 'tomcat-9'],
  ['ALAS2R3.4-2024-1', 'R-core', '3.4.3-1.amzn2.0.2', 'r-3.4'],
  ['ALAS2R4-2024-1', 'R', '4.0.2-5.amzn2.0.3', 'r-4'],
  ['ALAS2-2024-1', 'kernel', '4.9.85-47.59.amzn2', ''],
  ['ALAS2KERNEL-5.10-2024-1', 'kernel', '5.10.96-90.460.amzn2', 'kernel-5.10'],
  ['ALAS2DOCKER-2024-1', 'containerd', '1.7.25-1.amzn2.0.1', ''],
  ['ALAS2SELINUX-NG-2024-1', 'libsepol', '2.5-10.amzn2.0.1', ''],
  ['ALAS2LIVEPATCH-2024-1', 'kernel-livepatch-5.10.102-99.473', '1.0-2.amzn2', ''],
] as const;

describe('the line of a build of Amazon Linux 2', () => {
  it.each(builds)('in %s: %s %s is "%s"', (id, name, evr, line) => {
    expect(extrasLineOf(name, evr)).toBe(line);
    expect(lineInAlas(id, name, evr)).toBe(line);
  });

  it('in an advisory is that of the topic, whatever the version', () => {
    expect(lineInAlas('ALAS2PHP8.2-2024-1', 'php-cli', '8.1.29-1.amzn2')).toBe('php-8.2');
    expect(lineInAlas('ALAS2-2024-1', 'php-cli', '8.1.29-1.amzn2')).toBe('');
    expect(lineInAlas('ALAS2PHP8.1-2024-1', 'libpq', '14.1-2.amzn2')).toBe('postgresql-14');
    expect(lineInAlas('ALAS2PHP9.9-2024-1', 'php', '8.1.1-1.amzn2')).toBe('php-8.1');
  });

  it('of other releases is none', () => {
    for (const evr of ['8.1.29-1.amzn2023.0.1', '8.1.29-1.amzn1', '8.1.29-1'])
      expect(extrasLineOf('php-cli', evr)).toBe('');
  });
});

describe('a host of Amazon Linux 2', () => {
  const advisories = [
    ['ALAS2-2024-1', 'dnsmasq-2.76-16.amzn2.1.5.x86_64'],
    ['ALAS2DNSMASQ-2024-1', 'dnsmasq-2.90-1.amzn2.0.1.x86_64'],
    ['ALAS2-2024-2', 'kernel-4.14.336-253.554.amzn2.x86_64'],
    ['ALAS2-2024-3', 'unbound-1.7.3-15.amzn2.0.9.x86_64'],
  ].map(([id = '', nevra = '']) => advisoryOf('amazon-updateinfo', update(id, [nevra])));
  const idsOf = (nevra: string, running?: string) =>
    lines({
      release: 'amazon:2',
      packages: [rpm(nevra)],
      advisories,
      ...(running === undefined ? {} : { running }),
    }).map((line) => line.split(' ')[1]);

  it('has packages of the core judged by the core alone, and of the extras by their topic alone', () => {
    expect(idsOf('dnsmasq-2.76-16.amzn2.1.5.x86_64')).toEqual([]);
    expect(idsOf('dnsmasq-2.76-10.amzn2.1.1.x86_64')).toEqual(['ALAS2-2024-1']);
    expect(idsOf('dnsmasq-2.88-1.amzn2.0.2.x86_64')).toEqual(['ALAS2DNSMASQ-2024-1']);
  });

  it('has old packages of the core judged by fixes of later upstream versions in the core', () => {
    expect(idsOf('unbound-1.6.6-1.amzn2.0.3.x86_64')).toEqual(['ALAS2-2024-3']);
    expect(idsOf('kernel-4.9.85-47.59.amzn2.x86_64', '4.9.85-47.59.amzn2.x86_64')).toEqual(['ALAS2-2024-2']);
    expect(idsOf('kernel-5.4.91-41.139.amzn2.x86_64', '5.4.91-41.139.amzn2.x86_64')).toEqual([]);
  });

  it('has packages of a topic without advisories without a verdict', () => {
    const { counts } = assessRpm({
      release: 'amazon:2',
      packages: [rpm('php-cli-7.4.33-1.amzn2.x86_64'), rpm('unbound-1.17.0-2.amzn2.0.5.x86_64')],
      advisories,
    });
    expect(counts.unknown).toBe(1);
  });

  it('takes no offer of the extras for a fix of the core', () => {
    const installed = rpm('dnsmasq-2.76-10.amzn2.1.1.x86_64');
    const at = (version: string) =>
      lines({
        release: 'amazon:2',
        packages: [installed],
        advisories,
        upgrades: [offer(installed, version)],
      });
    expect(at('2.90-1.amzn2.0.1')).toEqual(['dnsmasq.x86_64 ALAS2-2024-1 fix_published']);
    expect(at('2.76-16.amzn2.1.5')).toEqual(['dnsmasq.x86_64 ALAS2-2024-1 installable']);
  });
});
