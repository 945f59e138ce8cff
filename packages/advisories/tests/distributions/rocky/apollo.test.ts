import { advisoryOf, readRecord, sample } from '../../rpm-records.ts';

describe('a record of Apollo', () => {
  const record = sample('rocky/RLSA-2025-21816.apollo.json');
  const packages = record['packages'] as readonly Record<string, unknown>[]; // As in the sample.
  const only = (changes: Record<string, unknown>) => ({ ...packages[0], ...changes });
  const withPackages = (...list: readonly unknown[]) => ({ ...record, packages: list });

  it('is read with its rating, CVEs, times and one statement for all architectures and products', () => {
    const advisory = advisoryOf('rocky-errata', record);
    expect(advisory).toMatchObject({
      externalId: 'RLSA-2025:21816',
      cves: ['CVE-2025-58183'],
      publishedAt: new Date('2025-11-27T09:11:22Z'),
      modifiedAt: new Date('2025-11-27T09:12:41Z'),
    });
    expect(advisory.packages).toMatchObject([
      {
        release: 'rocky:10',
        name: 'delve',
        severity: 'moderate',
        fix: { version: '1.25.2-1.el10_1' },
        builds: { architectures: ['aarch64', 'ppc64le', 'x86_64'], module: '' },
      },
      { name: 'delve', names: 'source', builds: { architectures: ['riscv64'] } },
      { name: 'golang', builds: { architectures: ['aarch64', 'ppc64le', 's390x', 'x86_64'] } },
      { name: 'golang', names: 'source', builds: { architectures: ['riscv64'] } },
      { name: 'golang-bin' },
      { name: 'golang-docs', builds: { architectures: ['noarch'] } },
      { name: 'golang-misc', builds: { architectures: ['noarch'] } },
    ]);
  });

  it('takes the stream from the package, and minor releases as the major one', () => {
    const nevra = 'oci-umount-2:2.3.4-2.git87f9237.module+el8.4.0+557+48ba8b2f.aarch64.rpm';
    const module = { module_name: 'container-tools', module_stream: '1.0' };
    const legacy = only({ nevra, ...module, product_name: 'Rocky Linux 8.5 aarch64 (Legacy)' });
    expect(advisoryOf('rocky-errata', withPackages(legacy)).packages).toMatchObject([
      { release: 'rocky:8', name: 'oci-umount', builds: { module: 'container-tools:1.0' } },
    ]);
  });

  it('without a rating is unrated, not harmless', () => {
    const unrated = advisoryOf('rocky-errata', { ...record, severity: 'None', synopsis: 'golang update' });
    expect(unrated.packages[0]).toMatchObject({ severity: 'unrated', severitySource: 'none' });
  });

  it('of bug fixes, of special interest groups and of another release than the file’s is skipped', () => {
    const fixes = readRecord('rocky-errata', { ...record, kind: 'Bug Fix' });
    expect(fixes).toEqual({ kind: 'skipped', reason: 'not_about_security' });
    const group = withPackages(only({ product_name: 'Rocky Linux SIG Cloud 10 x86_64' }));
    expect(readRecord('rocky-errata', group).kind).toBe('skipped');
    expect(readRecord('rocky-errata', record, 'rocky:9').kind).not.toBe('read');
  });

  it.each([7, null, [], [7], [{}], [only({ nevra: 7 })], [only({ nevra: { toString: 7 } })]])(
    'with packages %j has no advisory',
    (list) => {
      expect(readRecord('rocky-errata', { ...record, packages: list }).kind).not.toBe('read');
    },
  );
});
