import { feedsOf } from '@plimsoll/advisories';
import { createFeedStore, createHostCounter, createInterner, withFeedImport } from '@plimsoll/db';
import { sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerFile();

const about = (release: string) => ({
  id: `DEBIAN-CVE-2024-6387${release}`,
  modified: '2024-12-05T14:55:52Z',
  affected: [
    {
      package: { ecosystem: `Debian:${release}`, name: 'openssh' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }],
    },
  ],
});

/** A host of a Debian release that its feed knows; the result reads its coverage. */
async function debianHost(number: string): Promise<() => Promise<string>> {
  await importOsv(api.database, [about('12'), about('99')]);
  const host = await enrol(api);
  await sendSnapshot(api, host, {
    platform: { osFamily: 'apt', osId: 'debian', osVersionId: number, hostname: 'h' },
  });
  return async () => (await api.admin.get(`/api/v1/hosts/${host.id}`)).body.coverage;
}

/** Imports complete distro-info data about Debian's releases; returns the number of recounted hosts. */
async function importLifecycles(rows: readonly { readonly version: string; readonly eol: string }[]) {
  const feed = feedsOf('lifecycles').find(({ distribution }) => distribution === 'debian');
  if (feed === undefined) throw new Error('no feed of lifecycles');
  await createFeedStore(api.database.db).ensure([feed.id]);
  const db = api.database.as('advisory-worker');
  return withFeedImport({ db, interner: createInterner(db) }, async (session) => {
    for (const row of rows) {
      const reading = feed.read({ ...row, 'eol-lts': '' }, { release: null });
      if (reading.kind !== 'read') throw new Error(reading.reason);
      const items = reading.items.map((item) => ({ feedId: feed.id, item, place: row.version }));
      await session.stage('lifecycles', items, { mayGoBack: true });
    }
    const end = {
      importId: null,
      recordsRead: rows.length,
      recordsRejected: 0,
      errors: [],
      sync: null,
    };
    const { hostsCounted } = await session.finish(
      {
        ...end,
        completeFeeds: [{ feedId: feed.id, releases: null }],
        feeds: new Map([[feed.id, { newest: new Date(), records: rows.length, kind: 'lifecycles' }]]),
      },
      createHostCounter(),
    );
    return hostsCounted;
  });
}

describe("a host's coverage", () => {
  it('is eol once its vendor ends support, and no longer when the vendor moves the end', async () => {
    const coverage = await debianHost('12');
    const other = { version: '10', eol: '2024-06-30' };
    expect(await coverage()).not.toBe('eol');
    expect(await importLifecycles([other, { version: '12', eol: '2025-01-01' }])).toBe(1);
    expect(await coverage()).toBe('eol');
    expect(await importLifecycles([other, { version: '12', eol: '2999-01-01' }])).toBe(1);
    expect(await coverage()).not.toBe('eol');
    expect(await importLifecycles([other, { version: '12', eol: '2999-01-01' }])).toBe(0);
    await importLifecycles([other, { version: '12', eol: '2025-01-01' }]);
    expect(await coverage()).toBe('eol');
    // Without the feed's dates, the built-in ones apply again.
    await importLifecycles([other]);
    expect(await coverage()).not.toBe('eol');
  });

  it('is eol for a release newer than the product, once a feed knows its end', async () => {
    await importLifecycles([{ version: '99', eol: '2025-01-01' }]);
    const coverage = await debianHost('99');
    expect(await coverage()).toBe('eol');
    await importLifecycles([{ version: '99', eol: '2999-01-01' }]);
    expect(await coverage()).not.toBe('eol');
  });

  it('does not change with the dates of other releases', async () => {
    await importLifecycles([{ version: '10', eol: '2025-01-01' }]);
    const coverage = await debianHost('12');
    const before = await coverage();
    const others = ['10', '11'].map((version) => ({ version, eol: '2025-01-01' }));
    expect(await importLifecycles(others)).toBe(0);
    expect(await coverage()).toBe(before);
  });
});
