import { readdir } from 'node:fs/promises';
import { waitFor } from '@plimsoll/testing';
import { feedLayouts } from '../src/index.ts';
import { type MirroredService, startMirroredService } from './mirrored-service.ts';

const records = 30;
const served = ['cisa-kev', 'epss', 'almalinux-errata'];
const patient = { timeoutMs: 120_000 };

interface SlowFile {
  readonly part: string;
  readonly filesDone: number;
  readonly bytesPerSecond: number;
}

jest.setTimeout(400_000);

describe('a sync whose worker is killed', () => {
  let mirrored: MirroredService;
  beforeAll(async () => {
    mirrored = await startMirroredService('public_addresses', {
      layouts: feedLayouts.filter(({ feedId }) => served.includes(feedId)),
      volume: { records, proseCharacters: 20_000 },
    });
  });
  afterAll(() => mirrored.stop());

  /**
   * Starts a sync in which the file with this part in its URL takes minutes, and waits until some of it has
   * arrived.
   */
  async function begin(feedId: string, { part, filesDone, bytesPerSecond }: SlowFile): Promise<void> {
    mirrored.mirror.faults.add({ part, fault: { kind: 'slow', bytesPerSecond } });
    await mirrored.client.send('POST', `/feeds/${feedId}/sync`);
    let seen = Number.POSITIVE_INFINITY;
    const isArriving = async () => {
      const { sync } = await mirrored.feed(feedId);
      if (sync === null || sync.files_done !== filesDone) return false;
      if (sync.bytes > seen) return true;
      seen = sync.bytes;
      return false;
    };
    await waitFor(`the slow file of ${feedId} to arrive`, isArriving, patient);
  }

  const asked = (part: string, since: number) =>
    mirrored.mirror.requests
      .slice(since)
      .filter(({ url }) => url.includes(part))
      .map(({ headers }) => headers);

  it('shows its progress, reads as interrupted then, and goes on where it ended', async () => {
    await begin('almalinux-errata', { part: 'almalinux.org/9/', filesDone: 1, bytesPerSecond: 4_000 });
    const { sync: running } = await mirrored.feed('almalinux-errata');
    expect(running).toMatchObject({ state: 'running', stage: 'downloading', files_done: 1, files_total: 3 });
    expect(running?.bytes_expected).toBeGreaterThan(running?.bytes ?? 0);

    await mirrored.killWorker();
    const age = "UPDATE feed_syncs SET heartbeat_at = now() - interval '2 minutes'";
    await mirrored.database.db.pool.query(age);
    expect((await mirrored.feed('almalinux-errata')).sync).toMatchObject({ state: 'interrupted' });

    mirrored.mirror.faults.clear();
    const before = mirrored.mirror.requests.length;
    mirrored.service.start('advisory-worker');
    const isSynced = async () => (await mirrored.feed('almalinux-errata')).state === 'ok';
    await waitFor('the sync to go on', isSynced, patient);
    await waitFor('its progress to go', async () => (await mirrored.feed('almalinux-errata')).sync === null);
    expect(await mirrored.feed('almalinux-errata')).toMatchObject({ records, last_error: null });
    const [whole, begun, other] = ['/8/', '/9/', '/10/'].map((part) => asked(`almalinux.org${part}`, before));
    expect(whole?.map((headers) => headers['if-none-match'])).toEqual([expect.any(String)]);
    expect(begun?.map(({ range }) => range)).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(other?.map(({ range }) => range)).toEqual([undefined]);
    expect(await readdir(mirrored.downloadFolder)).toEqual([]);
  });

  it('takes the new file if its publisher has replaced it meanwhile', async () => {
    await begin('cisa-kev', { part: 'cisa.gov', filesDone: 0, bytesPerSecond: 50 });
    await mirrored.killWorker();
    mirrored.mirror.faults.clear();
    const before = mirrored.mirror.requests.length;
    const { url } = mirrored.mirror.requests.find((request) => request.url.includes('cisa.gov')) ?? {
      url: '',
    };
    const vulnerabilities = [{ cveID: 'CVE-2026-10001', dateAdded: '2026-11-01' }];
    mirrored.mirror.put(url, Buffer.from(JSON.stringify({ vulnerabilities })));
    mirrored.service.start('advisory-worker');
    await waitFor('the sync to go on', async () => (await mirrored.feed('cisa-kev')).state === 'ok', patient);
    expect(await mirrored.feed('cisa-kev')).toMatchObject({ records: 1, last_error: null });
    expect(asked('cisa.gov', before)[0]?.range).toMatch(/^bytes=[1-9]/);
  });

  it('is failed with what is missing if the disk is full, and goes on when it is not', async () => {
    await mirrored.killWorker();
    const full = { PLIMSOLL_FEEDS_DOWNLOAD_RESERVE_MEBIBYTES: String(2 ** 30) };
    mirrored.service.start('advisory-worker', full);
    expect(await mirrored.sync('epss')).toMatchObject({
      state: 'failed',
      last_error_cause: 'disk',
      last_error: expect.stringMatching(/needs \d+ MiB more free space/),
      ways_out: expect.arrayContaining([expect.objectContaining({ code: 'free_space' })]),
    });
    expect(await mirrored.feed('cisa-kev')).toMatchObject({ state: 'ok', records: 1 });
    await mirrored.killWorker();
    mirrored.service.start('advisory-worker');
    expect(await mirrored.sync('epss')).toMatchObject({ state: 'ok', records });
  });
});
