import { feedLayouts } from '../src/index.ts';
import { type FedoraHosts, fedoraHosts } from './fedora-hosts.ts';
import { type MirroredService, startMirroredService } from './mirrored-service.ts';

const feedId = 'fedora-updateinfo';
const files44 = 'updates/44/Everything/x86_64/repodata/';
const records = 4;

describe('a feed with files of one release that cannot be had', () => {
  let mirrored: MirroredService;
  let hosts: FedoraHosts;

  beforeAll(async () => {
    mirrored = await startMirroredService('public_addresses', {
      layouts: feedLayouts.filter((layout) => layout.feedId === feedId),
      volume: { records, proseCharacters: 100 },
    });
    hosts = fedoraHosts(mirrored);
    for (const number of ['43', '44']) await hosts.enrol(number);
  });
  afterEach(() => mirrored.mirror.faults.clear());
  afterAll(() => mirrored.stop());

  const host = (number: string) => hosts.host(number);
  const fixes = (number: string) => hosts.fixes(number);

  it('is synced but for that release, whose hosts are not covered', async () => {
    mirrored.mirror.faults.add({ part: files44, fault: { kind: 'status', status: 404 } });
    const feed = await mirrored.sync(feedId);
    expect(feed).toMatchObject({
      state: 'failed',
      records,
      last_error_cause: 'not_found',
      last_error: expect.stringMatching(/^Not synced: fedora:44\. The other releases were\. https:.*404/),
      releases: [
        { release: 'fedora:43', last_error: null, updated_at: expect.any(String) },
        { release: 'fedora:44', last_error_cause: 'not_found', updated_at: null },
      ],
    });
    expect(await host('43')).toMatchObject({ coverage: 'full', feed_updated_at: expect.any(String) });
    expect(await fixes('43')).toEqual(['1.0-2.fc43']);
    const missing = await host('44');
    expect(missing).toMatchObject({ coverage: 'none', feed_updated_at: null, overall_action: 'unknown' });
    expect(missing.gaps).toContain('feed_never_synced');
  });

  it('covers the release once its files are there', async () => {
    expect(await mirrored.sync(feedId)).toMatchObject({ state: 'ok', last_error: null });
    expect(await host('44')).toMatchObject({ coverage: 'full' });
    expect(await fixes('44')).toEqual(['1.0-2.fc44']);
  });

  it('keeps the old data of the release, and says how old it is', async () => {
    const { url } = mirrored.mirror.requests.find((request) =>
      new RegExp(`${files44}.*updateinfo`).test(request.url),
    ) ?? { url: '' };
    // The publisher's files are broken, as a part of Oracle's were in 2023.
    mirrored.mirror.put(url, Buffer.from('<updates><update></updates>'));
    const index = `https://dl.fedoraproject.org/pub/fedora/linux/${files44}repomd.xml`;
    const place = new URL(url).pathname.replace(/^.*repodata\//, 'repodata/');
    mirrored.mirror.put(
      index,
      Buffer.from(`<repomd><data type="updateinfo"><location href="${place}"/></data></repomd>`),
    );
    const feed = await mirrored.sync(feedId);
    expect(feed).toMatchObject({
      state: 'failed',
      last_error_cause: 'not_readable',
      last_error: expect.stringContaining(place),
      releases: [{ last_error: null }, { release: 'fedora:44', last_error_cause: 'not_readable' }],
    });
    const [newer, older] = feed.releases;
    expect(Date.parse(older?.updated_at ?? '')).toBeLessThan(Date.parse(newer?.updated_at ?? ''));
    expect(await fixes('44')).toEqual(['1.0-2.fc44']);
    await mirrored.database.db.pool.query(
      `UPDATE feed_releases SET updated_at = now() - interval '4 days' WHERE release = 'fedora:44'`,
    );
    expect(await host('43')).toMatchObject({ coverage: 'full' });
    const outdated = await host('44');
    expect(outdated).toMatchObject({ coverage: 'stale' });
    expect(outdated.gaps).toContain('feed_outdated');
    expect(await mirrored.feed(feedId)).toMatchObject({ freshness: 'outdated' });
  });

  it('reads an index again if the file that it named is gone', async () => {
    const index = 'updates/43/Everything/x86_64/repodata/';
    const named = mirrored.mirror.requests.findLast(
      ({ url }) => url.includes(index) && !url.endsWith('repomd.xml'),
    );
    mirrored.mirror.faults.add({ part: named?.url ?? '', fault: { kind: 'status', status: 404 }, times: 1 });
    const before = mirrored.mirror.requests.length;
    const feed = await mirrored.sync(feedId);
    expect(feed.releases[0]).toMatchObject({ release: 'fedora:43', last_error: null });
    const asked = mirrored.mirror.requests.slice(before).filter(({ url }) => url.includes(index));
    expect(asked.map(({ url }) => url.endsWith('repomd.xml'))).toEqual([true, false, true, false]);
  });

  it('fetches a release that is not in the list of the code from the archive, once a host runs it', async () => {
    const archive = '/archive/fedora/linux/updates/42/';
    expect(mirrored.mirror.requests.filter(({ url }) => url.includes(archive))).toEqual([]);
    await hosts.enrol('42');
    expect((await mirrored.sync(feedId)).releases).toContainEqual(
      expect.objectContaining({ release: 'fedora:42', last_error: null }),
    );
    expect(await fixes('42')).toEqual(['1.0-2.fc42']);
    expect(await host('42')).toMatchObject({ coverage: 'eol' });
  });
});
