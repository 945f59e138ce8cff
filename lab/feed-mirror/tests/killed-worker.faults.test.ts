import { readdir } from 'node:fs/promises';
import { waitFor } from '@plimsoll/testing';
import { feedLayouts } from '../src/index.ts';
import { type MirroredService, startMirroredService } from './mirrored-service.ts';

const records = 30;
const patient = { timeoutMs: 120_000 };

jest.setTimeout(400_000);

describe('a sync whose worker is killed', () => {
  let mirrored: MirroredService;
  beforeAll(async () => {
    mirrored = await startMirroredService('public_addresses', {
      layouts: feedLayouts.filter(({ feedId }) => feedId === 'almalinux-errata'),
      volume: { records, proseCharacters: 20_000 },
    });
  });
  afterAll(() => mirrored.stop());

  const asked = (part: string, since: number) =>
    mirrored.mirror.requests
      .slice(since)
      .filter(({ url }) => url.includes(part))
      .map(({ headers }) => headers);

  it('shows its progress, reads as interrupted then, and goes on where it ended', async () => {
    mirrored.mirror.faults.add({ part: 'almalinux.org/9/', fault: { kind: 'slow', bytesPerSecond: 4_000 } });
    await mirrored.client.send('POST', '/feeds/almalinux-errata/sync');
    let seen = Number.POSITIVE_INFINITY;
    const isArriving = async () => {
      const { sync } = await mirrored.feed('almalinux-errata');
      if (sync === null || sync.files_done !== 1) return false;
      if (sync.bytes > seen) return true;
      seen = sync.bytes;
      return false;
    };
    await waitFor('the slow file to arrive', isArriving, patient);
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
});
