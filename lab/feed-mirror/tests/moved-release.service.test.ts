import { archivedFedoraUpdates, type FeedLayout, fedoraUpdates, feedLayouts } from '../src/index.ts';
import { type FedoraHosts, fedoraHosts } from './fedora-hosts.ts';
import { type MirroredService, startMirroredService } from './mirrored-service.ts';

const feedId = 'fedora-updateinfo';
const lifecyclesId = 'fedora-lifecycles';
const bodhi = 'https://bodhi.fedoraproject.org/releases/?rows_per_page=500';
const current = '/pub/fedora/linux/updates/';
const archive = '/pub/archive/fedora/linux/updates/';
const records = 3;

/** Fedora's update repositories, each of them at both addresses; faults decide where it is. */
const layout: FeedLayout = {
  feedId,
  files: (context) => [
    ...['43', '44', '45', '46', '47'].flatMap((number) => fedoraUpdates(number, context)),
    ...['43', '46'].flatMap((number) => archivedFedoraUpdates(number, context)),
  ],
};

describe('releases of Fedora that appear and move', () => {
  let mirrored: MirroredService;
  let hosts: FedoraHosts;

  beforeAll(async () => {
    mirrored = await startMirroredService('public_addresses', {
      layouts: [layout, ...feedLayouts.filter((each) => each.feedId === lifecyclesId)],
      volume: { records, proseCharacters: 100 },
    });
    hosts = fedoraHosts(mirrored);
  });
  afterEach(() => mirrored.mirror.faults.clear());
  afterAll(() => mirrored.stop());

  const missing = (part: string) =>
    mirrored.mirror.faults.add({ part, fault: { kind: 'status', status: 404 } });
  const releasesOf = async () => {
    const { state, releases } = await mirrored.sync(feedId);
    return [state, ...releases.map(({ release, last_error: error }) => (error === null ? release : error))];
  };
  /** The requests of a sync, by path, with whether they were conditional. */
  const requestsOf = async (work: () => Promise<unknown>) => {
    const from = mirrored.mirror.requests.length;
    await work();
    return mirrored.mirror.requests.slice(from).map(({ url, headers }) => ({
      path: new URL(url).pathname,
      isConditional: headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined,
    }));
  };
  const putBodhi = (ends: Readonly<Record<string, string | null>>) => {
    const releases = Object.entries(ends).map(([version, eol]) => ({
      name: `F${version}`,
      version,
      id_prefix: 'FEDORA',
      state: 'current',
      eol,
    }));
    mirrored.mirror.put(bodhi, Buffer.from(JSON.stringify({ page: 1, pages: 1, releases })));
  };

  it('are those of the list in the code while no lifecycle is stored', async () => {
    missing('bodhi.fedoraproject.org');
    expect(await mirrored.sync(lifecyclesId)).toMatchObject({ state: 'failed', records: 0 });
    expect(await releasesOf()).toEqual(['ok', 'fedora:43', 'fedora:44', 'fedora:45']);
  });

  it('are those that Bodhi lists with support, once its list is stored', async () => {
    putBodhi({ '44': '2020-01-01', '45': '2999-01-01', '46': '2999-01-01', '47': null });
    expect(await mirrored.sync(lifecyclesId)).toMatchObject({ state: 'ok', records: 3 });
    const requests = await requestsOf(() => mirrored.sync(feedId));
    const asked = new Set(requests.map(({ path }) => /updates\/(\d+)\//.exec(path)?.[1]));
    expect([...asked].sort()).toEqual(['45', '46']);
    expect((await mirrored.feed(feedId)).releases).toContainEqual(
      expect.objectContaining({ release: 'fedora:46', last_error: null, updated_at: expect.any(String) }),
    );
  });

  it('are fetched for a host although no list has them, and a failure names both addresses', async () => {
    await hosts.enrol('47');
    missing(`${current}47/`);
    const failed = await mirrored.sync(feedId);
    expect(failed).toMatchObject({ state: 'failed', last_error_cause: 'not_found' });
    expect(failed.last_error).toMatch(new RegExp(`${current}47/.*404.*${archive}47/.*404`));
    expect(await hosts.host('47')).toMatchObject({ coverage: 'none', overall_action: 'unknown' });
    mirrored.mirror.faults.clear();
    await mirrored.sync(feedId);
    expect(await hosts.host('47')).toMatchObject({ coverage: 'full' });
    expect(await hosts.fixes('47')).toEqual(['1.0-2.fc47']);
  });

  it('are read from the archive after they moved there between two syncs', async () => {
    await hosts.enrol('46');
    missing(`${archive}46/`);
    await mirrored.sync(feedId);
    expect(await hosts.fixes('46')).toEqual(['1.0-2.fc46']);
    mirrored.mirror.faults.clear();
    missing(`${current}46/`);
    const moving = await requestsOf(async () => {
      expect(await mirrored.sync(feedId)).toMatchObject({ state: 'ok', last_error: null });
    });
    const archived = moving.filter(
      ({ path }) => path.includes(`${archive}46/`) && !path.endsWith('repomd.xml'),
    );
    expect(archived.length).toBeGreaterThan(0);
    expect(archived.filter(({ isConditional }) => isConditional)).toEqual([]);
    expect(await hosts.fixes('46')).toEqual(['1.0-2.fc46']);
    expect(await hosts.host('46')).toMatchObject({ coverage: 'full' });
    const again = await requestsOf(() => mirrored.sync(feedId));
    const checked = again.filter(
      ({ path }) => path.includes(`${archive}46/`) && !path.endsWith('repomd.xml'),
    );
    expect(checked.length).toBeGreaterThan(0);
    expect(checked.every(({ isConditional }) => isConditional)).toBe(true);
  });

  it('keep their data and say both failures if neither address has them, or the archive fails', async () => {
    missing(`${current}46/`);
    mirrored.mirror.faults.add({ part: `${archive}46/`, fault: { kind: 'status', status: 503 } });
    const feed = await mirrored.sync(feedId);
    const release = feed.releases.find((each) => each.release === 'fedora:46');
    expect(release).toMatchObject({ last_error_cause: 'server_error' });
    expect(release?.last_error).toMatch(new RegExp(`${current}46/.*404.*${archive}46/.*503`));
    expect(await hosts.fixes('46')).toEqual(['1.0-2.fc46']);
  });

  it('are not looked for in the archive while the first address has a problem', async () => {
    mirrored.mirror.faults.add({ part: `${current}46/`, fault: { kind: 'status', status: 503 } });
    const requests = await requestsOf(() => mirrored.sync(feedId));
    expect(requests.filter(({ path }) => path.includes(archive))).toEqual([]);
    expect((await mirrored.feed(feedId)).releases).toContainEqual(
      expect.objectContaining({ release: 'fedora:46', last_error_cause: 'server_error' }),
    );
  });
});
