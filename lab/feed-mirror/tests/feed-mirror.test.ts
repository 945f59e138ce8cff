import { request as httpsRequest } from 'node:https';
import { buffer, json } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { osvEntries } from '../src/content/osv-records.ts';
import { type ZipEntry, zipArchive } from '../src/content/zip-archive.ts';
import { type FeedMirror, feedLayouts, startMirror } from '../src/index.ts';
import { readFault } from '../src/serving/read-fault.ts';

const volume = { records: 3, proseCharacters: 50 };
const kev = 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

describe('the mirror', () => {
  let mirror: FeedMirror;
  beforeAll(async () => {
    mirror = await startMirror({ layouts: feedLayouts, volume });
  });
  afterEach(() => mirror.faults.clear());
  afterAll(() => mirror.stop());

  /** Requests a public address from the mirror, trusting only its authority. */
  function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
    const { hostname, pathname, search } = new URL(url);
    return new Promise((resolve, reject) => {
      const asked = httpsRequest(
        {
          host: '127.0.0.1',
          port: new URL(mirror.baseUrl).port,
          servername: hostname,
          path: `${pathname}${search}`,
          ca: mirror.authority,
          agent: false,
          headers: { host: hostname, ...headers },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(parts).toString('latin1'),
            }),
          );
        },
      );
      asked.on('error', reject).end();
    });
  }

  it('serves a file with validators, and nothing if they are known', async () => {
    const first = await get(kev);
    expect(first).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^"/) } });
    const etag = String(first.headers['etag']);
    expect(await get(kev, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    const rest = await get(kev, { range: 'bytes=10-', 'if-range': etag });
    expect(rest).toMatchObject({ status: 206, text: first.text.slice(10) });
    expect(await get(kev, { range: 'bytes=10-', 'if-range': '"other"' })).toMatchObject({ status: 200 });
  });

  it('lists folders', async () => {
    const page = await get('https://dl.fedoraproject.org/pub/fedora/linux/updates/');
    expect(page.text).toContain('<a href="44/">');
    expect(await get('https://dl.fedoraproject.org/pub/nothing/')).toMatchObject({ status: 404 });
  });

  it('redirects where the publisher does', async () => {
    expect(await get('https://epss.empiricalsecurity.com/epss_scores-current.csv.gz')).toMatchObject({
      status: 302,
      headers: { location: expect.stringMatching(/epss_scores-\d{4}-\d\d-\d\d\.csv\.gz$/) },
    });
  });

  it('switches faults on and off', async () => {
    mirror.faults.add({
      part: 'cisa.gov',
      fault: { kind: 'status', status: 429, retryAfter: '9' },
      times: 1,
    });
    expect(await get(kev)).toMatchObject({ status: 429, headers: { 'retry-after': '9' } });
    expect(await get(kev)).toMatchObject({ status: 200 });
    mirror.faults.add({ part: 'cisa.gov', fault: { kind: 'expired_certificate' } });
    await expect(get(kev)).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
    mirror.faults.clear();
    mirror.faults.add({ part: 'cisa.gov', fault: { kind: 'wrong_length', by: 10 } });
    await expect(get(kev)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

it('makes zip archives whose entries can be read, the same in every run', async () => {
  const style = {
    idOf: (n: number) => `ID-${n}`,
    ecosystems: ['E'],
    packageOf: () => ({ name: 'p', fixed: '1' }),
  };
  const make = () => buffer(zipArchive(osvEntries(style, volume)));
  const bytes = await make();
  const archive = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const records = new Map<string, unknown>();
  for await (const entry of archive.eachEntry())
    records.set(entry.fileName, await json(await archive.openReadStreamPromise(entry)));
  expect([...records.keys()]).toEqual(['ID-0.json', 'ID-1.json', 'ID-2.json']);
  expect(records.get('ID-0.json')).toMatchObject({
    id: 'ID-0',
    affected: [{ package: { ecosystem: 'E', name: 'p' } }],
  });
  expect(await make()).toEqual(bytes);
});

it('fails to make a zip archive whose entries fail', async () => {
  const entries = (function* (): Generator<ZipEntry> {
    yield { name: 'first', content: Buffer.from('1') };
    throw new Error('no second one');
  })();
  await expect(buffer(zipArchive(entries))).rejects.toThrow('no second one');
});

it.each([
  ['updates/44=404', { part: 'updates/44', fault: { kind: 'status', status: 404 } }],
  ['cisa.gov=429:120', { part: 'cisa.gov', fault: { kind: 'status', status: 429, retryAfter: '120' } }],
  ['a=slow:100', { part: 'a', fault: { kind: 'slow', bytesPerSecond: 100 } }],
  ['a=wrong-length:-5', { part: 'a', fault: { kind: 'wrong_length', by: -5 } }],
  ['a=cut-off:-5', null],
  ['a=slow', null],
  ['a=moved:nowhere', null],
  ['nothing', null],
])('reads the fault %s', (text, fault) => {
  const read = readFault(text);
  if (fault === null) expect(read).toBeNull();
  else expect(read).toMatchObject(fault);
});
