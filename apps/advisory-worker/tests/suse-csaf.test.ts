import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile } from './worker-under-test.ts';

const database = databasePerTest();
const bring = (records: readonly object[], options?: Parameters<typeof importFile>[2]) =>
  importFile(contextOf(database, null), records.map((it) => JSON.stringify(it)).join('\n'), options);

const id = 'SUSE-SU-2026:0001-1';
const version = '5.1-150600.3.2.1';
const basesystem = 'Linux Enterprise Module for Basesystem 15 SP6';

const osv = {
  id,
  modified: '2026-05-02T00:00:00Z',
  related: ['CVE-2026-0001'],
  affected: [
    {
      package: { ecosystem: `SUSE:${basesystem}`, name: 'bash' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: version }] }],
      ecosystem_specific: { binaries: [{ bash: version }] },
    },
  ],
};

function csaf(namespace: string, products = [`SUSE ${basesystem}`, 'openSUSE Tumbleweed']) {
  return {
    document: {
      aggregate_severity: { text: 'important' },
      category: 'csaf_security_advisory',
      publisher: { category: 'vendor', namespace },
      title: 'Security update for bash',
      tracking: { id, current_release_date: '2026-05-03T00:00:00Z' },
    },
    product_tree: { branches: [] },
    vulnerabilities: [
      {
        cve: 'CVE-2026-0001',
        product_status: { recommended: products.map((product) => `${product}:bash-${version}.x86_64`) },
      },
    ],
  };
}

async function statements() {
  const found = await database.db.prisma.advisoryPackage.findMany({
    where: { name: 'bash' },
    include: { release: true, advisory: true },
  });
  return found
    .map(({ release, advisory, severity }) => `${advisory.feedId} ${release.name} ${severity}`)
    .sort();
}

async function releases() {
  const { rows } = await database.db.pool.query<{ name: string; feed_id: string; covered: boolean }>(
    `SELECT name, feed_id, covered FROM releases WHERE name ~ 'suse' ORDER BY name`,
  );
  return rows.map(({ name, feed_id, covered }) => `${name} ${feed_id} ${covered}`);
}

describe("an import of SUSE's advisories as CSAF", () => {
  it('is stored beside those of OSV, with the rating, and covers no release alone', async () => {
    expect(await bring([csaf('https://www.suse.com/')])).toMatchObject({ state: 'done', recordsRejected: 0 });
    expect(await releases()).toEqual(['opensuse:tumbleweed opensuse-osv false', 'suse:15.6 suse-osv false']);
    expect(await bring([osv])).toMatchObject({ state: 'done', recordsRejected: 0 });
    expect(await statements()).toEqual([
      'suse-csaf opensuse:tumbleweed important',
      'suse-csaf suse:15.6 important',
      'suse-osv suse:15.6 unrated',
    ]);
    expect(await releases()).toEqual(['opensuse:tumbleweed opensuse-osv false', 'suse:15.6 suse-osv true']);
  });

  it('has no records of other products, and rejects the advisories of other publishers', async () => {
    expect(await bring([csaf('https://www.suse.com/', ['SUSE Manager Server 4.3'])])).toMatchObject({
      recordsRejected: 0,
    });
    expect(await bring([csaf('https://www.redhat.com')])).toMatchObject({ recordsRejected: 1 });
    expect(await statements()).toEqual([]);
  });

  it('removes what a complete file lacks', async () => {
    await bring([csaf('https://www.suse.com/')]);
    await bring([csaf('https://www.suse.com/', ['openSUSE Tumbleweed'])], { complete: true });
    expect(await statements()).toEqual(['suse-csaf opensuse:tumbleweed important']);
  });
});
