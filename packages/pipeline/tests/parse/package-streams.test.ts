import { createInterner } from '@plimsoll/db';
import type { InstalledPackage, Release } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { packagesWithStreams } from '../../src/intake/intern-snapshot.ts';

const database = databasePerFile();

const perl: InstalledPackage = {
  name: 'perl-libs',
  architecture: 'x86_64',
  version: '4:5.26.3-421.module_el8.6.0+1+a',
  sourceName: 'perl',
  sourceVersion: '5.26.3-421.module_el8.6.0+1+a',
  vendor: 'AlmaLinux',
  module: '',
  held: false,
  installedAt: null,
  signingKey: '',
  suite: '',
};
const moduleStreams = [{ name: 'perl', stream: '5.26', enabled: true }];
const admitAll = async () => undefined;
const release = { feedId: 'almalinux-errata', endsAt: null, rules: 1 };

describe('packages that do not say their stream', () => {
  it('get the one their host has enabled, once advisories of their release know their module', async () => {
    const { db } = database;
    const interner = await createInterner(db).begin();
    const [alma8, alma9] = [
      await interner.release({ ...release, name: 'almalinux:8' as Release }, admitAll),
      await interner.release({ ...release, name: 'almalinux:9' as Release }, admitAll),
    ];
    const labels = async (on: typeof alma8) => {
      const entries = [perl, { ...perl, name: 'perl-unheard-of' }, { ...perl, version: '4:5.26.3-421.el8' }];
      const packages = await packagesWithStreams(interner, on, { packages: entries, moduleStreams });
      return packages.map(({ module }) => module);
    };
    expect(await labels(alma8)).toEqual(['', '', '']);
    await db.pool.query(
      `WITH a AS (INSERT INTO advisories (feed_id, external_id, digest, kind, title, url, aliases, cves, since)
                  VALUES ('almalinux-errata', 'ALSA-1', '', 'erratum', '', '', '{}', '{}', now()) RETURNING id)
       INSERT INTO advisory_packages (advisory_id, release_id, name, severity, severity_source, stated_severity, stated_source, module, builds, first_seen_at, since)
       SELECT a.id, $1, n.name, 'low', 'vendor', 'low', 'vendor', n.module, n.module, now(), now()
       FROM a, (VALUES ('perl-libs', 'perl:5.30'), ('perl-libs', 'perl:5.32'), ('perl-unheard-of', '')) n (name, module)`,
      [alma8.id],
    );
    expect(await labels(alma8)).toEqual(['perl:5.26:enabled', '', '']);
    expect(await labels(alma9)).toEqual(['', '', '']);
  });
});
