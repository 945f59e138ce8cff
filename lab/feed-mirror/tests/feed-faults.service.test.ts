import { rm } from 'node:fs/promises';
import { feedLayouts } from '../src/index.ts';
import { type MirroredService, startMirroredService } from './mirrored-service.ts';

const records = 30;
const served = ['cisa-kev', 'epss', 'debian-osv', 'fedora-updateinfo', 'almalinux-errata', 'rocky-errata'];
const debian = 'storage.googleapis.com/Debian/all.zip';

describe('a feed whose publisher has a fault', () => {
  let mirrored: MirroredService;
  beforeAll(async () => {
    mirrored = await startMirroredService('public_addresses', {
      layouts: feedLayouts.filter(({ feedId }) => served.includes(feedId)),
      volume: { records, proseCharacters: 20_000 },
    });
  });
  afterEach(async () => {
    mirrored.mirror.faults.clear();
    // A sync goes on with what an earlier one fetched.
    await rm(mirrored.downloadFolder, { recursive: true, force: true });
  });
  afterAll(() => mirrored.stop());

  it.each([
    ['404', { status: 404 }, 'not_found', /answered 404/],
    ['403', { status: 403 }, 'access_denied', /answered 403/],
    ['429 with Retry-After', { status: 429, retryAfter: '120' }, 'rate_limited', /answered 429/],
    ['503', { status: 503 }, 'server_error', /answered 503/],
  ] as const)('is failed with its cause after %s', async (_name, status, cause, sentence) => {
    mirrored.mirror.faults.add({ part: 'cisa.gov', fault: { kind: 'status', ...status } });
    expect(await mirrored.sync('cisa-kev')).toMatchObject({
      state: 'failed',
      last_error_cause: cause,
      last_error: expect.stringMatching(sentence),
    });
  });

  it.each([
    ['missing', { kind: 'status', status: 404 }, 'not_found'],
    ['refused for a while', { kind: 'status', status: 429, retryAfter: '120' }, 'rate_limited'],
    ['a login page', { kind: 'login_page' }, 'not_readable'],
    ['cut off every time', { kind: 'cut_off', afterBytes: 100 }, 'cut_off'],
  ] as const)(
    'is failed, and keeps what it has, if one page of its list is %s',
    async (_name, fault, cause) => {
      expect(await mirrored.sync('rocky-errata')).toMatchObject({ state: 'ok', records });
      mirrored.mirror.faults.add({ part: 'page=3', fault });
      expect(await mirrored.sync('rocky-errata')).toMatchObject({
        state: 'failed',
        last_error_cause: cause,
        records,
      });
    },
  );

  it('is read to its end over a slow line', async () => {
    mirrored.mirror.faults.add({ part: 'cisa.gov', fault: { kind: 'slow', bytesPerSecond: 20_000 } });
    expect(await mirrored.sync('cisa-kev')).toMatchObject({ state: 'ok', records });
  });

  it.each([1_000, -50])('is failed if its length is wrong by %i bytes', async (by) => {
    mirrored.mirror.faults.add({ part: 'epss_scores-2026', fault: { kind: 'wrong_length', by } });
    const feed = await mirrored.sync('epss');
    expect(feed.state).toBe('failed');
    expect(['cut_off', 'not_readable']).toContain(feed.last_error_cause);
  });

  it('is read from where it was moved, on another host', async () => {
    const to = 'https://errata.almalinux.org/moved/scores.csv';
    mirrored.mirror.put(to, Buffer.from('cve,epss,percentile\nCVE-2026-10001,0.5,0.5\n'));
    mirrored.mirror.faults.add({ part: 'epss_scores-current', fault: { kind: 'moved', to } });
    expect(await mirrored.sync('epss')).toMatchObject({ state: 'ok', records: 1 });
  });

  it('is failed with what the file is if a proxy answers with its sign-in page', async () => {
    mirrored.mirror.faults.add({ part: debian, fault: { kind: 'login_page' } });
    expect(await mirrored.sync('debian-osv')).toMatchObject({
      state: 'failed',
      last_error_cause: 'not_readable',
      last_error: expect.stringContaining('HTML page'),
    });
  });

  it('begins anew where the connection broke off before any content', async () => {
    mirrored.mirror.faults.add({
      part: 'errata.almalinux.org',
      fault: { kind: 'cut_off', afterBytes: 0 },
      times: 1,
    });
    expect(await mirrored.sync('almalinux-errata')).toMatchObject({ state: 'ok' });
  });

  it('is failed if the certificate has expired', async () => {
    mirrored.mirror.faults.add({ part: 'cisa.gov', fault: { kind: 'expired_certificate' } });
    expect(await mirrored.sync('cisa-kev')).toMatchObject({
      state: 'failed',
      last_error_cause: 'certificate_expired',
    });
  });
});
