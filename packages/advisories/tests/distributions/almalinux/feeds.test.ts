import { advisoryOf, readRecord, sample } from '../../rpm-records.ts';

describe('OSV of AlmaLinux', () => {
  const osv = 'almalinux-osv';

  it('is read with the severity of its summary and the stream that it names', () => {
    const advisory = advisoryOf(osv, sample('almalinux/ALSA-2024-3128.osv.json'));
    expect(advisory).toMatchObject({
      externalId: 'ALSA-2024:3128',
      kind: 'erratum',
      cves: ['CVE-2023-47038'],
    });
    for (const { release, severity, builds } of advisory.packages) {
      expect({ release, severity, module: builds.module }).toEqual({
        release: 'almalinux:8',
        severity: 'moderate',
        module: 'perl:5.32',
      });
    }
  });

  it('outside modules covers only builds outside modules', () => {
    const { packages } = advisoryOf(osv, sample('almalinux/ALSA-2020-1766.osv.json'));
    expect(packages.map(({ name, builds }) => `${name} ${builds.module}|`)).toEqual([
      'mozjs52 |',
      'mozjs60 |',
    ]);
  });

  it('of two streams covers both', () => {
    const { packages } = advisoryOf(osv, sample('almalinux/ALSA-2020-4676.osv.json'));
    expect(packages.map(({ name, builds }) => `${name} ${builds.module}`)).toEqual([
      'libvirt virt-devel:rhel',
      'libvirt virt:rhel',
    ]);
  });

  it('of a module without a stream is refused, not read as covering every build', () => {
    expect(readRecord(osv, sample('almalinux/ALSA-2023-5989.osv.json'))).toMatchObject({
      kind: 'rejected',
      reason: 'no_usable_package',
      issues: [{ reason: 'stream_unknown' }],
    });
  });

  it('about bugs and enhancements is not a finding', () => {
    expect(readRecord(osv, sample('almalinux/ALBA-2026-47115.osv.json'))).toEqual({
      kind: 'skipped',
      reason: 'not_about_security',
    });
  });
});

describe('errata JSON of AlmaLinux', () => {
  const record = sample('almalinux/ALSA-2019-0975.errata.json');

  it('names architectures, epochs and the stream of each package', () => {
    const advisory = advisoryOf('almalinux-errata', record);
    expect(advisory).toMatchObject({
      publishedAt: new Date('2019-05-07T03:39:11Z'),
      cves: ['CVE-2019-5736'],
    });
    expect(advisory.packages).toMatchObject([
      { release: 'almalinux:8', builds: { architectures: ['aarch64'], module: 'container-tools:1.0' } },
      {
        release: 'almalinux:8',
        fix: { version: '2:2.3.4-2.git87f9237.module_el8.3.0+2044+12421f43' },
        builds: { architectures: ['x86_64'], module: 'container-tools:1.0' },
      },
      {
        name: 'oci-umount',
        names: 'source',
        fix: { version: '2.3.4-2.git87f9237.module_el8.3.0+2044+12421f43' },
        builds: { architectures: [], module: 'container-tools:1.0' },
      },
    ]);
  });

  it.each([7, null, '', 'oci-umount', 'a-b.src.rpm', '-1-2.src.rpm'])('has no source for src %j', (src) => {
    const [first] = record['packages'] as object[]; // As in the sample.
    const { packages } = advisoryOf('almalinux-errata', { ...record, packages: [{ ...first, src }] });
    expect(packages.map(({ names }) => names)).toEqual([undefined]);
  });

  it('is for the release of its file', () => {
    expect(readRecord('almalinux-errata', record, 'almalinux:9')).toEqual({
      kind: 'skipped',
      reason: 'no_release_of_this_feed',
    });
  });

  it.each([
    { packages: 7 },
    { packages: [7] },
    { packages: [{ module: 7, release: {} }] },
    { packages: null },
  ])('with %j is refused', (wrong) => {
    expect(readRecord('almalinux-errata', { ...record, ...wrong }, 'almalinux:8').kind).toBe('rejected');
  });
});
