import { placeOfProduct } from '../../../src/distributions/rhel/product.ts';
import { advisoryOf, readRecord, sample } from '../../rpm-records.ts';

describe('a product of Red Hat', () => {
  it.each([
    ['enterprise_linux:9::appstream', 'rhel:9', null, null],
    ['rhel_eus:9.0::baseos', 'rhel:9', 'el9_0', null],
    ['rhel_aus:7.3', 'rhel:7', 'el7_3', null],
    ['rhel_els:7', 'rhel:7', null, 'els'],
    ['rhel_software_collections:3::el7', 'rhel:7', null, null],
  ])('%s is of %s', (product, release, line, service) => {
    expect(placeOfProduct(product)).toEqual({ release, line, service });
  });

  it.each([
    'openstack:17.1::el9',
    'jboss_enterprise_application_platform:5::el6',
    'rhel_eus:9',
    'enterprise_linux:x',
    '',
  ])('%j is not a product of the distribution', (product) => {
    expect(placeOfProduct(product)).toBeNull();
  });
});

describe('OSV of Red Hat', () => {
  it('is rated by its classification page, and separates minor streams', () => {
    expect(advisoryOf('redhat-osv', sample('redhat/RHSA-2023-5454.osv.json')).packages).toMatchObject([
      {
        release: 'rhel:9',
        severity: 'important',
        severitySource: 'vendor',
        fix: { version: '0:2.34-28.el9_0.4' },
        builds: { line: 'el9_0' },
      },
    ]);
  });
});

describe('Red Hat’s CVE API', () => {
  const state = (cpe: string, fix_state: unknown, package_name: unknown) => ({
    cpe,
    fix_state,
    package_name,
  });
  const nine = 'cpe:/o:redhat:enterprise_linux:9';
  const cve = (states: readonly unknown[], rest: Record<string, unknown> = {}) => ({
    name: 'CVE-2024-0001',
    threat_severity: 'Moderate',
    public_date: '2024-01-02T00:00:00Z',
    bugzilla: { description: 'openssl: something' },
    package_state: states,
    ...rest,
  });

  it('reads unfixed packages with the vendor’s word for the reason', () => {
    const record = cve([
      state(nine, 'Affected', 'openssl'),
      state(nine, 'Will not fix', 'perl:5.32/perl-libs'),
      state(nine, 'Not affected', 'curl'),
      state('cpe:/o:redhat:enterprise_linux:8', 'Out of support scope', 'openssl'),
      state('cpe:/a:redhat:openstack:17', 'Affected', 'openssl'),
      state(nine, 'Affected', 'rhel9/ruby-33'),
    ]);
    expect(advisoryOf('redhat-cve', record)).toMatchObject({
      externalId: 'CVE-2024-0001',
      cves: ['CVE-2024-0001'],
      packages: [
        { release: 'almalinux:8', name: 'openssl', names: 'upstream_source' },
        { release: 'almalinux:9', name: 'openssl', names: 'upstream_source' },
        { release: 'almalinux:9', name: 'perl-libs', names: 'upstream_source' },
        { release: 'oracle:8', name: 'openssl', names: 'upstream_source' },
        { release: 'oracle:9', name: 'openssl', names: 'upstream_source' },
        { release: 'oracle:9', name: 'perl-libs', names: 'upstream_source' },
        {
          release: 'rhel:8',
          name: 'openssl',
          names: 'source',
          fix: { reason: 'will_not_fix', detail: 'Out of support scope' },
        },
        {
          release: 'rhel:9',
          name: 'openssl',
          severity: 'moderate',
          fix: { reason: 'no_fix', detail: 'Affected' },
        },
        {
          release: 'rhel:9',
          name: 'perl-libs',
          fix: { reason: 'will_not_fix' },
          builds: { module: 'perl:5.32' },
        },
        { release: 'rocky:8', name: 'openssl', names: 'upstream_source' },
        { release: 'rocky:9', name: 'openssl', names: 'upstream_source' },
        { release: 'rocky:9', name: 'perl-libs', names: 'upstream_source' },
      ],
    });
  });

  it.each([
    ['Affected', 'no_fix'],
    ['Fix deferred', 'no_fix'],
    ['New', 'under_investigation'],
    ['Under investigation', 'under_investigation'],
    ['Will not fix', 'will_not_fix'],
    ['Out of support scope', 'will_not_fix'],
  ])('reads the state "%s" as %s', (word, reason) => {
    const packages = advisoryOf('redhat-cve', cve([state(nine, word, 'openssl')])).packages;
    expect(packages.map(({ fix }) => fix)).toEqual(
      packages.map(() => ({ kind: 'unfixed', reason, detail: word })),
    );
    expect(packages.map(({ release }) => release)).toContain('rhel:9');
  });

  it.each([
    [{}, 'moderate', 'vendor'],
    [{ threat_severity: 'Unheard of' }, 'critical', 'cvss'],
    [{ threat_severity: null }, 'critical', 'cvss'],
    [{ threat_severity: null, cvss3: null }, 'unrated', 'none'],
  ])('with %j has severity %s by %s', (rest, severity, severitySource) => {
    const cvss3 = { cvss3_scoring_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' };
    const record = cve([state(nine, 'Affected', 'openssl')], { cvss3, ...rest });
    for (const affected of advisoryOf('redhat-cve', record).packages)
      expect(affected).toMatchObject({ severity, severitySource });
  });

  it('speaks of the releases that were rebuilt from the number', () => {
    const record = cve([state('cpe:/o:redhat:enterprise_linux:6', 'Affected', 'openssl')]);
    expect(advisoryOf('redhat-cve', record).packages.map(({ release }) => release)).toEqual([
      'oracle:6',
      'rhel:6',
    ]);
  });

  it('is skipped if no package of the distribution is unfixed', () => {
    expect(readRecord('redhat-cve', cve([state(nine, 'Not affected', 'curl')])).kind).toBe('skipped');
  });

  it.each([
    [null, 'not_an_object'],
    [cve([], { name: '../CVE' }), 'invalid_id'],
    [cve([], { package_state: 7 }), 'invalid_affected'],
  ])('hostile record %# is rejected', (record, reason) => {
    expect(readRecord('redhat-cve', record)).toMatchObject({ kind: 'rejected', reason });
  });

  it('skips states of wrong types with an issue', () => {
    const reading = readRecord(
      'redhat-cve',
      cve([7, state(nine, 'Affected', '../x '), state(nine, 'Affected', 'bash')]),
    );
    expect(reading).toMatchObject({
      kind: 'read',
      items: [{ packages: Array.from({ length: 4 }, () => ({ name: 'bash' })) }],
    });
  });
});
