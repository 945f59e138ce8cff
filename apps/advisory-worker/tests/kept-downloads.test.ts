import { link, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDownloadFolder } from '../src/feeds/downloads/download-folder.ts';
import type { FeedAccess } from '../src/feeds/feed-access.ts';
import { fetchFeed } from '../src/feeds/fetch-feed.ts';
import { fileKey } from '../src/feeds/file-key.ts';
import { type Answer, withAccessTo, withFolder } from './worker-under-test.ts';

const { signal } = new AbortController();
const unknown = { etag: null, lastModified: null };
const content = Buffer.from('0123456789'.repeat(10_000));
const other = Buffer.from('abcdefghij'.repeat(10_000));

/** Serves a file in ranges with a validator, as object stores do. */
function serving(file: Buffer, etag: string): Answer {
  return (request, response) => {
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, { etag }).end();
      return;
    }
    const asked = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? '0');
    const from = request.headers['if-range'] === etag ? asked : 0;
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      'content-length': String(file.length - from),
      ...(from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
    });
    response.end(file.subarray(from));
  };
}

/** Creates the files of a sync whose process was killed after this many bytes. */
async function leave(
  target: string,
  url: string,
  { bytes, etag = '"1"', length = content.length }: { bytes: number; etag?: string; length?: number | null },
): Promise<void> {
  await writeFile(target, content.subarray(0, bytes));
  const note = { url: fileKey(new URL(url)), etag, lastModified: null, length };
  await writeFile(`${target}.note`, JSON.stringify(note));
}

function fetchKept(url: string, target: string, access: FeedAccess) {
  return fetchFeed({ url: new URL(url), known: unknown, path: target, signal, isKept: true }, access);
}

describe('a download that an earlier process left', () => {
  it('is continued where it ended', async () => {
    await withAccessTo(serving(content, '"1"'), async ({ url, asked, access, folder }) => {
      const target = path.join(folder, 'feed');
      await leave(target, url, { bytes: 60_000 });
      await expect(fetchKept(url, target, access)).resolves.toMatchObject({ version: { etag: '"1"' } });
      expect((await readFile(target)).equals(content)).toBe(true);
      expect(asked.map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
        ['bytes=60000-', '"1"'],
      ]);
      expect(access.tracker.progress()).toMatchObject({ bytes: 100_000, bytesExpected: 100_000 });
    });
  });

  it('is used without its content being fetched again if it is whole and current', async () => {
    await withAccessTo(serving(content, '"1"'), async ({ url, asked, access, folder }) => {
      const target = path.join(folder, 'feed');
      await leave(target, url, { bytes: content.length });
      await expect(fetchKept(url, target, access)).resolves.toMatchObject({ kind: 'fetched' });
      expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual(['"1"']);
      expect((await readFile(target)).equals(content)).toBe(true);
    });
  });

  it.each([
    ['a part of it', 60_000],
    ['all of it', content.length],
  ])('is replaced if the file has changed since, and %s is there', async (_name, bytes) => {
    await withAccessTo(serving(other, '"2"'), async ({ url, access, folder }) => {
      const target = path.join(folder, 'feed');
      await leave(target, url, { bytes });
      await expect(fetchKept(url, target, access)).resolves.toMatchObject({ version: { etag: '"2"' } });
      expect((await readFile(target)).equals(other)).toBe(true);
    });
  });

  it.each([
    ['sends the rest of another version', { etag: '"2"', 'content-range': 'bytes 60000-99999/100000' }],
    [
      'sends the rest of a file of another size',
      { etag: '"1"', 'content-range': 'bytes 60000-99999/150000' },
    ],
  ])('is replaced if a server that ignores If-Range %s', async (_name, headers) => {
    await withAccessTo(
      (request, response) => {
        if (request.headers.range === undefined) serving(other, '"2"')(request, response);
        else response.writeHead(206, headers).end(other.subarray(60_000));
      },
      async ({ url, access, folder }) => {
        const target = path.join(folder, 'feed');
        await leave(target, url, { bytes: 60_000 });
        await fetchKept(url, target, access);
        expect((await readFile(target)).equals(other)).toBe(true);
      },
    );
  });

  it('is not taken for whole if the server sends less of the rest than it announces', async () => {
    await withAccessTo(
      (_request, response) => {
        const headers = {
          etag: '"1"',
          'content-range': 'bytes 60000-99999/100000',
          'content-length': '10',
        };
        response.writeHead(206, headers).end(content.subarray(60_000, 60_010));
      },
      async ({ url, access, folder }) => {
        const target = path.join(folder, 'feed');
        await leave(target, url, { bytes: 60_000 });
        await expect(fetchKept(url, target, access)).rejects.toMatchObject({
          failure: 'unexpected_status',
        });
      },
    );
  });

  it('is replaced if the server has fewer bytes than are there', async () => {
    await withAccessTo(
      (request, response) => {
        if (request.headers.range === undefined) serving(other, '"2"')(request, response);
        else response.writeHead(416, { 'content-range': 'bytes */10' }).end();
      },
      async ({ url, access, folder }) => {
        const target = path.join(folder, 'feed');
        await leave(target, url, { bytes: 60_000 });
        await fetchKept(url, target, access);
        expect((await readFile(target)).equals(other)).toBe(true);
      },
    );
  });

  it.each([
    ['its note is damaged', (target: string) => writeFile(`${target}.note`, '{"url"')],
    [
      'its note is of another URL',
      (target: string) => leave(target, 'http://127.0.0.1/x', { bytes: 60_000 }),
    ],
    [
      'it has more bytes than the file',
      (target: string, url: string) => leave(target, url, { bytes: 60_000, length: 9 }),
    ],
    ['it has another name elsewhere', (target: string) => link(target, `${target}.other-name`)],
  ])('is not used if %s', async (_name, spoil) => {
    await withAccessTo(serving(content, '"1"'), async ({ url, asked, access, folder }) => {
      const target = path.join(folder, 'feed');
      await leave(target, url, { bytes: 60_000 });
      await spoil(target, url);
      await fetchKept(url, target, access);
      expect(asked.map(({ headers }) => headers.range)).toEqual([undefined]);
      expect((await readFile(target)).equals(content)).toBe(true);
    });
  });

  it('does not lead through symbolic links', async () => {
    await withAccessTo(serving(content, '"1"'), async ({ url, access, folder }) => {
      const [target, victim] = [path.join(folder, 'feed'), path.join(folder, '..', 'victim')];
      await writeFile(victim, 'precious');
      await leave(target, url, { bytes: 10 });
      await writeFile(`${victim}.note`, await readFile(`${target}.note`));
      await access.downloads.remove();
      await mkdir(folder);
      await symlink(victim, target);
      await symlink(`${victim}.note`, `${target}.note`);
      await fetchKept(url, target, access);
      expect(await readFile(victim, 'utf8')).toBe('precious');
      expect((await readFile(target)).equals(content)).toBe(true);
    });
  });

  it('names no credentials', async () => {
    await withAccessTo(serving(content, '"1"'), async ({ url, access, folder }) => {
      const target = path.join(folder, 'feed');
      await fetchKept(`${url}?token=secret`, target, access);
      expect(await readFile(`${target}.note`, 'utf8')).not.toContain('secret');
    });
  });
});

describe('a connection', () => {
  it('serves all downloads of a sync from one server', async () => {
    const ports = new Set<number | undefined>();
    await withAccessTo(
      (request, response) => {
        ports.add(request.socket.remotePort);
        serving(content, '"1"')(request, response);
      },
      async ({ url, access, folder }) => {
        for (let n = 0; n < 20; n++) await fetchKept(`${url}/${n}`, path.join(folder, String(n)), access);
        expect(ports.size).toBe(1);
      },
    );
  });

  it('that the server closes when the next request is sent on it is replaced by a new one', async () => {
    const used = new WeakSet<object>();
    await withAccessTo(
      (request, response) => {
        if (used.has(request.socket)) request.socket.destroy();
        else serving(content, '"1"')(request, response);
        used.add(request.socket);
      },
      async ({ url, asked, access, folder }) => {
        for (let n = 0; n < 5; n++) {
          const target = path.join(folder, String(n));
          await fetchKept(`${url}/${n}`, target, access);
          expect((await readFile(target)).equals(content)).toBe(true);
        }
        expect(asked.length).toBe(9);
      },
    );
  });
});

describe('an answer whose server closes the connection after it', () => {
  it.each([
    ['as announced', { connection: 'close' }],
    ['without a word', {}],
  ])('is read to its end, %s', async (_name, headers) => {
    await withAccessTo(
      (request, response) => {
        response.writeHead(200, { ...headers, 'content-length': String(content.length) }).end(content);
        response.once('close', () => request.socket.end());
      },
      async ({ url, access, folder }) => {
        for (let n = 0; n < 10; n++) {
          const target = path.join(folder, String(n));
          await fetchKept(`${url}/${n}`, target, access);
          expect((await readFile(target)).equals(content)).toBe(true);
        }
      },
    );
  });
});

describe('the folder of a feed', () => {
  const settings = (folder: string) => ({ folder, reserveBytes: 0 });

  it('is private, and goes when its sync has ended', async () => {
    await withFolder(async (folder) => {
      const own = await openDownloadFolder(settings(folder), 'debian-osv');
      expect((await stat(own.path)).mode & 0o777).toBe(0o700);
      await writeFile(path.join(own.path, 'feed'), 'x');
      await own.remove();
      expect(await readdir(folder)).toEqual([]);
    });
  });

  it('removes what other feeds left days ago, and nothing else', async () => {
    await withFolder(async (folder) => {
      for (const id of ['epss', 'cisa-kev']) await openDownloadFolder(settings(folder), id);
      for (const name of ['photos', 'plimsoll-feed-epss']) {
        await mkdir(path.join(folder, name), { recursive: true });
        const old = new Date(Date.now() - 4 * 24 * 60 * 60 * 1000);
        await utimes(path.join(folder, name), old, old);
      }
      await openDownloadFolder(settings(folder), 'debian-osv');
      expect((await readdir(folder)).sort()).toEqual([
        'photos',
        'plimsoll-feed-cisa-kev',
        'plimsoll-feed-debian-osv',
      ]);
    });
  });

  it('is not accepted if it is a link to another folder', async () => {
    await withFolder(async (folder) => {
      await mkdir(path.join(folder, 'photos'));
      await writeFile(path.join(folder, 'photos', 'one'), 'x');
      await symlink(path.join(folder, 'photos'), path.join(folder, 'plimsoll-feed-debian-osv'));
      const own = await openDownloadFolder(settings(folder), 'debian-osv');
      expect(await readdir(own.path)).toEqual([]);
      expect(await readdir(path.join(folder, 'photos'))).toEqual(['one']);
    });
  });

  it('is refused with the name of the setting where it cannot be created', async () => {
    await withFolder(async (folder) => {
      await writeFile(path.join(folder, 'file'), '');
      await expect(openDownloadFolder(settings(path.join(folder, 'file', 'in')), 'epss')).rejects.toThrow(
        /feeds\.download_dir.*ENOTDIR/,
      );
    });
  });

  it('makes room by what other feeds left, and says how much is missing', async () => {
    await withFolder(async (folder) => {
      await openDownloadFolder(settings(folder), 'epss');
      const full = { folder, reserveBytes: 2 ** 60 };
      const own = await openDownloadFolder(full, 'debian-osv');
      await expect(own.ensureRoom(1024)).rejects.toThrow(/needs \d+ MiB more free space/);
      expect(await readdir(folder)).toEqual(['plimsoll-feed-debian-osv']);
    });
  });
});
