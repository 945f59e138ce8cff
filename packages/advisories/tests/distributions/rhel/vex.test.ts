import type { Advisory } from '@plimsoll/model';
import { advisoryOf, readRecord, sample } from '../../rpm-records.ts';
import { type VexEntry, vexDocument } from './vex-document.ts';

/** `release name module line fix service severity` of each statement about a release of Red Hat Enterprise Linux. */
function statements({ packages }: Advisory, family = 'rhel:'): readonly string[] {
  return packages
    .filter(({ release }) => release.startsWith(family))
    .map(({ release, name, names, builds, fix, severity }) => {
      const said = fix.kind === 'fixed' ? [fix.version, fix.service ?? ''] : [fix.reason, fix.detail];
      return [release, names ?? 'binary', name, builds.module, builds.line ?? 'main', ...said, severity]
        .filter((part) => part !== '')
        .join(' ');
    });
}

const read = (...entries: readonly VexEntry[]) => advisoryOf('redhat-vex', vexDocument(entries));
const openssl = {
  product: 'enterprise_linux:9::baseos',
  component: 'openssl-1:3.0.7-27.el9.src',
  status: 'fixed',
} as const;

describe("Red Hat's VEX", () => {
  it('gives the fixed builds of each stream, the errata, and the rating of the CVE', () => {
    const advisory = advisoryOf('redhat-vex', sample('redhat/CVE-2023-38545.vex.json'));
    expect(advisory).toMatchObject({
      externalId: 'CVE-2023-38545',
      kind: 'erratum',
      cves: ['CVE-2023-38545'],
      title: 'curl: heap based buffer overflow in the SOCKS5 proxy handshake',
      url: 'https://access.redhat.com/security/cve/CVE-2023-38545',
      aliases: ['RHSA-2023:5700', 'RHSA-2023:5763', 'RHSA-2023:6745'],
      cvss: { score: 8.1 },
    });
    expect(statements(advisory)).toEqual([
      'rhel:9 source curl main 7.76.1-26.el9_3.2 important',
      'rhel:9 source curl el9_0 7.76.1-14.el9_0.9 important',
      'rhel:9 source curl el9_2 7.76.1-23.el9_2.4 important',
    ]);
  });

  it.each(['almalinux:9', 'rocky:9', 'oracle:9'])(
    'speaks of the main line on %s, as its upstream',
    (release) => {
      const advisory = advisoryOf('redhat-vex', sample('redhat/CVE-2023-38545.vex.json'));
      expect(statements(advisory, release)).toEqual([
        `${release} upstream_source curl main 7.76.1-26.el9_3.2 important`,
      ]);
    },
  );

  it('gives what it advises without a fix, with the packages that it is about', () => {
    const affected = (component: string, remedy: string) =>
      ({ ...openssl, component, status: 'known_affected', remedy }) as const;
    const { workarounds } = read(
      affected('openssl.src', 'workaround: Disable SOCKS5'),
      affected('curl.src', 'workaround: Disable SOCKS5'),
      affected('bash.src', 'none_available: Affected'),
    );
    expect(workarounds).toEqual([{ text: 'Disable SOCKS5', url: '', packages: ['curl', 'openssl'] }]);
    expect(read(affected('bash.src', 'none_available: Affected')).workarounds).toBeUndefined();
  });

  it.each([
    ['none_available: Affected', 'no_fix Affected'],
    ['none_available: Fix deferred', 'no_fix Fix deferred'],
    ['no_fix_planned: Will not fix', 'will_not_fix Will not fix'],
    ['no_fix_planned: Out of support scope', 'will_not_fix Out of support scope'],
    ['workaround: Do not use it', 'no_fix'],
  ])('says of a package without a fix by its remediation: %s', (remedy, said) => {
    const advisory = read({ ...openssl, component: 'openssl.src', status: 'known_affected', remedy });
    expect(statements(advisory)).toEqual([`rhel:9 source openssl main ${said} moderate`]);
  });

  it('keeps what is under investigation apart', () => {
    const advisory = read({ ...openssl, component: 'openssl', status: 'under_investigation' });
    expect(statements(advisory)).toEqual([
      'rhel:9 source openssl main under_investigation Under investigation moderate',
    ]);
  });

  it('tells extended support of minor releases apart by CPE, with and without a fix', () => {
    const advisory = read(
      { ...openssl, product: 'rhel_eus:9.4', component: 'openssl-1:3.0.7-27.el9_4.1.src' },
      { ...openssl, product: 'rhel_e4s:9.2::baseos', component: 'openssl.src', status: 'known_affected' },
      { ...openssl, product: 'enterprise_linux:9', component: 'openssl-1:3.2.2-6.el9_5.src' },
      { ...openssl, product: 'rhel_els:7', component: 'openssl-1:1.0.2k-27.el7_9.src' },
    );
    expect(statements(advisory)).toEqual([
      'rhel:7 source openssl main 1:1.0.2k-27.el7_9 els moderate',
      'rhel:9 source openssl main 1:3.2.2-6.el9_5 moderate',
      'rhel:9 source openssl el9_2 no_fix moderate',
      'rhel:9 source openssl el9_4 1:3.0.7-27.el9_4.1 moderate',
    ]);
    expect(statements(advisory, 'almalinux:')).toEqual([
      'almalinux:9 upstream_source openssl main 1:3.2.2-6.el9_5 moderate',
    ]);
  });

  it.each([
    [
      'pkg:rpm/redhat/nodejs@18.19.1-1.module%2Bel8.9.0%2B1%2Babc?arch=src&epoch=1&rpmmod=nodejs:18:8090020240101:63b3',
    ],
    ['pkg:rpm/redhat/nodejs@18.19.1-1.module+el8.9.0+1+abc?arch=src&epoch=1&rpmmod=nodejs%3A18'],
  ])('takes the module stream and the epoch from %s', (purl) => {
    const advisory = read({ ...openssl, product: 'enterprise_linux:8::appstream', component: 'any', purl });
    expect(statements(advisory)).toEqual([
      'rhel:8 source nodejs nodejs:18 main 1:18.19.1-1.module+el8.9.0+1+abc moderate',
    ]);
  });

  it('takes the stream of a package without a fix, and not its stream as a version', () => {
    const php = { ...openssl, product: 'enterprise_linux:8', status: 'known_affected' } as const;
    const advisory = read(
      { ...php, component: 'php:7.2/php', purl: 'pkg:rpm/redhat/php@7.2?arch=src&rpmmod=php:7.2' },
      { ...php, component: 'perl:5.32/perl-libs', purl: '' },
    );
    expect(statements(advisory)).toEqual([
      'rhel:8 source perl-libs perl:5.32 main no_fix moderate',
      'rhel:8 source php php:7.2 main no_fix moderate',
    ]);
  });

  it('rates each component by its own impact, and by that of the CVE where it has none', () => {
    const advisory = read(
      { ...openssl, impact: 'Low' },
      { ...openssl, product: 'enterprise_linux:8', component: 'openssl.src', status: 'known_affected' },
    );
    expect(statements(advisory)).toEqual([
      'rhel:8 source openssl main no_fix moderate',
      'rhel:9 source openssl main 1:3.0.7-27.el9 low',
    ]);
  });

  it('lets a fix go before no fix, and the highest fix of the main line before those of earlier minor releases', () => {
    const advisory = read(
      { ...openssl, component: 'openssl-1:3.0.7-27.el9_3.src' },
      { ...openssl, component: 'openssl-1:3.0.7-16.el9_2.src' },
      { ...openssl, component: 'openssl-1:3.0.1-47.el9_2.src' },
      { ...openssl, component: 'openssl.src', status: 'known_affected' },
    );
    expect(statements(advisory)).toEqual([
      'rhel:9 source openssl main 1:3.0.7-27.el9_3 moderate',
      'rhel:9 source openssl el9_2 1:3.0.1-47.el9_2 moderate',
    ]);
  });

  it('counts errata of bug fixes and enhancements, and only those of the distribution', () => {
    const advisory = read(
      { ...openssl, remedy: 'RHBA-2022:2065' },
      { ...openssl, product: 'openshift:4.18::el9', remedy: 'RHSA-2024:1' },
    );
    expect(advisory.aliases).toEqual(['RHBA-2022:2065']);
  });

  it('names binary packages only where it names no source', () => {
    const libs = { ...openssl, component: 'openssl-libs-1:3.0.7-27.el9.x86_64' };
    expect(statements(read(libs, openssl))).toEqual(['rhel:9 source openssl main 1:3.0.7-27.el9 moderate']);
    expect(statements(read(libs))).toEqual(['rhel:9 binary openssl-libs main 1:3.0.7-27.el9 moderate']);
  });

  it.each<[string, VexEntry]>([
    ['of another product', { ...openssl, product: 'openshift:4.18::el9' }],
    ['that is not affected', { ...openssl, status: 'known_not_affected' }],
    ['that is a container image', { ...openssl, purl: 'pkg:oci/ruby-33@sha256:abc?arch=amd64' }],
    [
      'that is an image without a purl',
      { ...openssl, component: 'rhel9/ruby-33', status: 'known_affected', purl: '' },
    ],
  ])('has nothing of a component %s', (_what, entry) => {
    expect(readRecord('redhat-vex', vexDocument([entry]))).toEqual({
      kind: 'skipped',
      reason: 'no_release_of_this_feed',
    });
  });

  it.each([
    [
      'a fix without a version',
      { ...openssl, purl: 'pkg:rpm/redhat/openssl?arch=src' },
      'unparseable_version',
    ],
    ['a fix without a purl', { ...openssl, purl: '' }, 'unparseable_version'],
    [
      'a name that is none',
      { ...openssl, purl: 'pkg:rpm/redhat/open%20ssl@1-1?arch=src' },
      'invalid_package_name',
    ],
    [
      'a module without a stream',
      { ...openssl, purl: 'pkg:rpm/redhat/x@1-1?arch=src&rpmmod=rhel9' },
      'stream_unknown',
    ],
  ])('says that it could not read %s', (_what, entry, reason) => {
    const reading = readRecord(
      'redhat-vex',
      vexDocument([entry, { ...openssl, component: 'openssl-1:3.0.7-27.el9_4.src' }]),
    );
    expect(reading).toMatchObject({ kind: 'read', issues: [{ reason }] });
  });

  it('counts every version as affected if it could read none of the fixes', () => {
    const document = vexDocument([{ ...openssl, purl: 'pkg:rpm/redhat/openssl?arch=src' }]);
    expect(readRecord('redhat-vex', document)).toMatchObject({
      kind: 'read',
      items: [
        {
          isIncomplete: true,
          packages: expect.arrayContaining([
            expect.objectContaining({
              name: 'openssl',
              fix: expect.objectContaining({ isUnreadable: true }),
            }),
          ]),
        },
      ],
    });
  });

  it('rejects what is no VEX document, and one without a CVE', () => {
    const document = vexDocument([openssl]);
    expect(
      readRecord('redhat-vex', { ...document, document: { category: 'csaf_security_advisory' } }),
    ).toMatchObject({
      kind: 'rejected',
      reason: 'not_a_vex_document',
    });
    expect(readRecord('redhat-vex', { ...document, vulnerabilities: [{ cve: 'none' }] })).toMatchObject({
      kind: 'rejected',
      reason: 'invalid_id',
    });
  });

  it('reads a hostile product tree in linear time', () => {
    const nested = (depth: number): unknown => (depth === 0 ? [] : [{ branches: nested(depth - 1) }]);
    const circle = [
      { full_product_name: { product_id: 'a' }, product_reference: 'c', relates_to_product_reference: 'b' },
      { full_product_name: { product_id: 'b' }, product_reference: 'c', relates_to_product_reference: 'a' },
    ];
    const { document } = vexDocument([openssl]);
    const reading = readRecord('redhat-vex', {
      document,
      product_tree: { branches: nested(90), relationships: circle },
      vulnerabilities: [{ cve: 'CVE-2024-1000', product_status: { fixed: ['a', 'b'] } }],
    });
    expect(reading.kind).toBe('skipped');
  });
});
