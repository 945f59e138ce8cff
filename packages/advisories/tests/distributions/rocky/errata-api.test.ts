import { feedsOf } from '../../../src/index.ts';
import { advisoryOf, readRecord, sample } from '../../rpm-records.ts';

describe('Rocky’s errata API', () => {
  const record = sample('rocky/RLSA-2019-0975.errata.json');

  it('reads complete epochs and the stream of the synopsis', () => {
    const advisory = advisoryOf('rocky-errata', record);
    expect(advisory).toMatchObject({ externalId: 'RLSA-2019:0975', cves: ['CVE-2019-5736'] });
    expect(advisory.packages).toMatchObject([
      {
        release: 'rocky:8',
        name: 'oci-umount',
        severity: 'important',
        fix: { version: '2:2.3.4-2.git87f9237.module+el8.4.0+557+48ba8b2f' },
        builds: { architectures: ['aarch64', 'x86_64'], module: 'container-tools:rhel8' },
      },
    ]);
  });

  const nevra = 'oci-umount-2:2.3.4-2.git87f9237.module+el8.4.0+557+48ba8b2f';
  const source = {
    name: 'oci-umount',
    names: 'source',
    fix: { version: '2.3.4-2.git87f9237.module+el8.4.0+557+48ba8b2f' },
  };
  it.each([
    { listed: [], architectures: [] },
    { listed: ['aarch64'], architectures: ['i686', 'noarch', 'x86_64'] },
    { listed: ['aarch64', 'noarch'], architectures: ['i686', 'x86_64'] },
    { listed: ['noarch'], architectures: ['aarch64', 'i686', 'x86_64'] },
    { listed: ['x86_64'], architectures: ['aarch64'] },
  ])(
    'speaks by its source for architectures without a binary: lists $listed',
    ({ listed, architectures }) => {
      const nvras = ['src', ...listed].map((architecture) => `${nevra}.${architecture}.rpm`);
      const { packages } = advisoryOf('rocky-errata', { ...record, rpms: { 'Rocky Linux 8': { nvras } } });
      expect(packages.filter(({ names }) => names === 'source')).toMatchObject([
        { ...source, builds: { architectures, module: 'container-tools:rhel8' } },
      ]);
    },
  );

  it('says nothing by its source where it lists binaries of every architecture', () => {
    const { packages } = advisoryOf('rocky-errata', record);
    expect(packages.filter(({ names }) => names === 'source')).toEqual([]);
  });

  it('speaks by its source for more architectures where the release is published for more', () => {
    const rpms = { 'Rocky Linux 9': { nvras: ['a-1-1.el9.src.rpm', 'a-1-1.el9.x86_64.rpm'] } };
    const { packages } = advisoryOf('rocky-errata', { ...record, rpms });
    const source = packages.find(({ names }) => names === 'source');
    expect(source?.builds.architectures).toEqual(['aarch64', 'ppc64le', 's390x']);
  });

  it('keeps every release of an erratum, but only one for a file of one release', () => {
    const both = {
      ...record,
      synopsis: 'Important: texlive security update',
      rpms: {
        'Rocky Linux 9': { nvras: ['texlive-lib-9:20200406-26.el9_2.x86_64.rpm'] },
        'Rocky Linux 8': { nvras: ['texlive-lib-7:20180414-29.el8_8.x86_64.rpm'] },
      },
    };
    const nine = { release: 'rocky:9', fix: { version: '9:20200406-26.el9_2' } };
    const eight = { release: 'rocky:8', fix: { version: '7:20180414-29.el8_8' } };
    expect(advisoryOf('rocky-errata', both).packages).toMatchObject([nine, eight]);
    expect(advisoryOf('rocky-errata', both, 'rocky:9').packages).toMatchObject([nine]);
  });

  it('is skipped for special interest groups', () => {
    const { 'Rocky Linux 8': rpms } = record['rpms'] as Record<string, unknown>; // As in the sample.
    const group = { ...record, rpms: { 'Rocky Linux SIG Cloud 8': rpms } };
    expect(readRecord('rocky-errata', group)).toEqual({ kind: 'skipped', reason: 'no_release_of_this_feed' });
  });

  it.each([7, [], { 'Rocky Linux 8': 7 }, { 'Rocky Linux 8': { nvras: [7, 'x', '-1:-.x86_64.rpm'] } }])(
    'with rpms %j has no advisory',
    (rpms) => {
      expect(readRecord('rocky-errata', { ...record, rpms }, 'rocky:8').kind).not.toBe('read');
    },
  );

  it('is used instead of the OSV export, which cuts epochs', () => {
    const formats = feedsOf('advisories')
      .filter(({ distribution }) => distribution === 'rocky')
      .map(({ format }) => format);
    expect(formats).not.toContain('osv');
  });
});
