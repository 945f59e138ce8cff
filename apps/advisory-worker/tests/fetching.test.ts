import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFeedAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import { databasePerTest } from '@plimsoll/testing';
import { feedMirrorsOf } from '../src/feeds/feed-sources.ts';
import { fetchFeed } from '../src/feeds/fetch-feed.ts';
import { type LocatedFile, locateFile } from '../src/feeds/locate-file.ts';
import {
  type Answer,
  contextOf,
  sync,
  withAccess,
  withAccessTo,
  withFolder,
  withMirror,
} from './worker-under-test.ts';

const routes = { addressPolicy: createFeedAddressPolicy([]), proxies: proxiesOf(null, {}) };
const { signal } = new AbortController();
const unknown = { etag: null, lastModified: null };
const content = Buffer.from('0123456789'.repeat(100_000));

/** A mirror that delivers the given number of bytes, then breaks off, and supports resuming. */
function brittle(bytesAtATime: number, etag: () => string): Answer {
  return (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? '0');
    const isSame = from > 0 && request.headers['if-range'] === etag();
    const start = isSame ? from : 0;
    response.writeHead(isSame ? 206 : 200, {
      etag: etag(),
      'content-length': String(content.length - start),
      ...(isSame ? { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` } : {}),
    });
    const end = start + bytesAtATime;
    if (end >= content.length) response.end(content.subarray(start));
    else response.write(content.subarray(start, end), () => response.socket?.end());
  };
}

describe('a download that breaks off', () => {
  it('continues where it broke off', async () => {
    await withAccessTo(
      brittle(400_000, () => '"1"'),
      async ({ url, asked, access, folder }) => {
        const target = path.join(folder, 'feed');
        const fetched = await fetchFeed({ url: new URL(url), known: unknown, path: target, signal }, access);
        expect((await readFile(target)).equals(content)).toBe(true);
        expect(fetched).toMatchObject({ kind: 'fetched', version: { etag: '"1"' } });
        if (fetched.kind === 'fetched')
          expect(Buffer.from(fetched.digest).equals(createHash('sha256').update(content).digest())).toBe(
            true,
          );
        expect(asked.length).toBeGreaterThan(1);
        expect(asked.slice(1).every(({ headers }) => headers['if-range'] === '"1"')).toBe(true);
      },
    );
  });

  it('restarts if the file has changed', async () => {
    let answers = 0;
    await withAccessTo(
      (request, response) => {
        answers++;
        brittle(answers === 1 ? 400_000 : content.length, () => (answers === 1 ? '"1"' : '"2"'))(
          request,
          response,
        );
      },
      async ({ url, access, folder }) => {
        const target = path.join(folder, 'feed');
        const fetched = await fetchFeed({ url: new URL(url), known: unknown, path: target, signal }, access);
        expect((await readFile(target)).equals(content)).toBe(true);
        expect(fetched.version.etag).toBe('"2"');
      },
    );
  });

  it('is given up after several attempts', async () => {
    await withAccessTo(
      brittle(1_000, () => '"1"'),
      async ({ url, access, folder }) => {
        const source = { url: new URL(url), known: unknown, path: path.join(folder, 'feed'), signal };
        await expect(fetchFeed(source, access)).rejects.toMatchObject({ code: 'fetch_failed' });
      },
    );
  });
});

describe('user name and password of a mirror', () => {
  const credentials = `Basic ${Buffer.from('me:pä%ss').toString('base64')}`;
  const withCredentials = (url: string) => url.replace('http://', 'http://me:p%C3%A4%25ss@');
  const allowed = { ...routes, addressPolicy: createFeedAddressPolicy(['127.0.0.0/8']) };

  it('are sent to its origin with every request, and never where it redirects to', async () => {
    await withMirror(
      (_request, response) => response.writeHead(200).end('the file'),
      async (elsewhere, askedElsewhere) => {
        const answer: Answer = (request, response) => {
          if (request.headers.authorization !== credentials) response.writeHead(401).end();
          else if (request.url?.endsWith('/first') === true)
            response.writeHead(302, { location: '/mirror/second' }).end();
          else response.writeHead(302, { location: withCredentials(elsewhere) }).end();
        };
        await withMirror(answer, async (url, asked) => {
          await withAccess(allowed, async (access, folder) => {
            const source = { known: unknown, path: path.join(folder, 'feed'), signal };
            const fetched = await fetchFeed(
              { ...source, url: new URL(withCredentials(`${url}/first`)) },
              access,
            );
            expect(fetched.kind).toBe('fetched');
          });
          expect(asked).toHaveLength(2);
        });
        expect(askedElsewhere.map(({ headers }) => headers.authorization)).toEqual([undefined]);
      },
    );
  });

  it('are kept for the repository that a list of mirrors names', async () => {
    const index = '<repomd><data type="updateinfo"><location href="repodata/u.xml.gz"/></data></repomd>';
    await withMirror(
      (request, response) => {
        const isList = request.url?.endsWith('/mirror.list') === true;
        response
          .writeHead(request.headers.authorization === credentials ? 200 : 401)
          .end(isList ? `http://${request.headers.host}//mirror/guids/1` : index);
      },
      (url) =>
        withAccess(routes, async (access, folder) => {
          const list = new URL(withCredentials(`${url}/core/mirror.list`));
          const { url: found } = await locateFile(access, list, { path: path.join(folder, 'list'), signal });
          expect(found.href).toBe(
            `${new URL(withCredentials(url)).href.replace('/mirror', '')}//mirror/guids/1/repodata/u.xml.gz`,
          );
        }),
    );
  });
});

describe('the index of a repository', () => {
  const locate = (index: string) => {
    let found: Promise<LocatedFile> = Promise.reject(new Error('not asked'));
    found.catch(() => undefined);
    return withAccessTo(
      (_request, response) => response.writeHead(200).end(index),
      async ({ url, access, folder }) => {
        found = locateFile(access, new URL(`${url}/os/repodata/repomd.xml`), {
          path: path.join(folder, 'index'),
          signal,
        });
        await found.catch(() => undefined);
      },
    )
      .then(() => found)
      .then(({ url }) => url);
  };
  const naming = (href: string) =>
    `<repomd><data type="primary"><location href="repodata/p.xml.gz"/></data><data type="updateinfo"><location href="${href}"/></data></repomd>`;

  it('names the location of its updateinfo', async () => {
    expect((await locate(naming('repodata/abc-updateinfo.xml.gz'))).pathname).toBe(
      '/mirror/os/repodata/abc-updateinfo.xml.gz',
    );
  });

  it.each([
    ['names none', '<repomd/>', 'not_there'],
    ['names one elsewhere', naming('https://example.com/updateinfo.xml.gz'), 'no_file'],
    ['names one outside', naming('../../../etc/updateinfo.xml.gz'), 'no_file'],
    ['names one outside, encoded', naming('%2e%2e/%2e%2e/updateinfo.xml.gz'), 'no_file'],
    ['names one outside, with encoded slashes', naming('repodata/..%2f..%2fupdateinfo.xml.gz'), 'no_file'],
    ['names one beside it', naming('/mirror/os-of-others/updateinfo.xml.gz'), 'no_file'],
    ['names a file', naming('file:///etc/passwd'), 'no_file'],
    ['names a host alone', naming('//example.com/updateinfo.xml.gz'), 'no_file'],
    ['names what is no address', naming('http://[/updateinfo.xml.gz'), 'no_file'],
    ['never ends', `<repomd>${' '.repeat(2 * 1024 * 1024)}</repomd>`, 'too_large'],
    ['has a document type', `<!DOCTYPE a [<!ENTITY x "y">]>${naming('a.xml')}`, 'invalid_xml'],
    ['is no XML', 'hello', 'invalid_xml'],
  ])('is refused where it %s', async (_name, index, code) => {
    await expect(locate(index)).rejects.toMatchObject({ code });
  });
});

describe('a list of mirrors', () => {
  const locate = (listOf: (origin: string) => string) => {
    let found: Promise<LocatedFile> = Promise.reject(new Error('not asked'));
    found.catch(() => undefined);
    const index = '<repomd><data type="updateinfo"><location href="repodata/u.xml.gz"/></data></repomd>';
    return withAccessTo(
      (request, response) => {
        const origin = `http://${request.headers.host}`;
        const isList = request.url === '/mirror/core/mirror.list';
        const isIndex = request.url === '/mirror/guids/1/repodata/repomd.xml';
        response.writeHead(isList || isIndex ? 200 : 404).end(isList ? listOf(origin) : index);
      },
      async ({ url, access, folder }) => {
        const search = { path: path.join(folder, 'list'), signal };
        found = locateFile(access, new URL(`${url}/core/mirror.list`), search);
        await found.catch(() => undefined);
      },
    )
      .then(() => found)
      .then(({ url }) => url);
  };

  it.each([
    ['as Amazon writes it', (origin: string) => `${origin}/mirror/guids/1`],
    [
      'with a slash, a comment and others',
      (origin: string) => `# one\r\n\n${origin}/mirror/guids/1/\r\nhttp://10.0.0.1/`,
    ],
  ])('leads to the updateinfo of its first repository, %s', async (_name, listOf) => {
    expect((await locate(listOf)).pathname).toBe('/mirror/guids/1/repodata/u.xml.gz');
  });

  it.each([
    ['is empty', () => '', 'no_file'],
    ['is a page', () => '<html>login</html>', 'no_file'],
    ['names another host', () => 'https://example.com/core', 'no_file'],
    ['names a private one', () => 'http://10.0.0.1/core', 'no_file'],
    ['names a file', () => 'file:///etc', 'no_file'],
    ['names what is not there', (origin: string) => `${origin}/mirror/guids/2`, 'not_there'],
    ['never ends', () => 'x'.repeat(1024 * 1024), 'too_large'],
  ])('is refused where it %s', async (_name, listOf, code) => {
    await expect(locate(listOf)).rejects.toMatchObject({ code });
  });
});

describe('a sync', () => {
  const database = databasePerTest();
  const record =
    '{"id":"CVE-2026-1001","affected":[{"package":{"ecosystem":"Debian:12","name":"xz"},"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"}]}]}]}';

  it("of the same bytes under another name changes nothing but the feed's age", async () => {
    let etag = 1;
    await withMirror(
      (_request, response) => response.writeHead(200, { etag: `"${etag++}"` }).end(record),
      async (url) => {
        const context = contextOf(database, url);
        await sync(context, 'debian-osv');
        const before = await context.feeds.find('debian-osv');
        await sync(context, 'debian-osv');
        const after = await context.feeds.find('debian-osv');
        expect(after).toMatchObject({ state: 'ok', records: 1 });
        expect(after?.updatedAt?.getTime()).toBeGreaterThan(before?.updatedAt?.getTime() ?? 0);
        expect(await context.feeds.files('debian-osv')).toMatchObject([{ etag: '"2"' }]);
      },
    );
  });

  it('requests all of a file again that other rules read', async () => {
    await withMirror(
      (request, response) => {
        if (request.headers['if-none-match'] === undefined)
          response.writeHead(200, { etag: '"1"' }).end(record);
        else response.writeHead(304).end();
      },
      async (url, asked) => {
        const context = contextOf(database, url);
        await sync(context, 'debian-osv');
        await database.db.prisma.feedFile.updateMany({ data: { rules: 0 } });
        await sync(context, 'debian-osv');
        expect(asked[1]?.headers['if-none-match']).toBeUndefined();
      },
    );
  });

  it("reads the operator's own file if the feed has one", async () => {
    await withFolder(async (folder) => {
      const file = path.join(folder, 'mine.json');
      await writeFile(file, record);
      const context = {
        ...contextOf(database, null),
        mirrors: feedMirrorsOf('http://127.0.0.1:1', [`debian-osv=${pathToFileURL(file).href}`]),
      };
      await sync(context, 'debian-osv');
      expect(await context.feeds.find('debian-osv')).toMatchObject({ state: 'ok', records: 1 });
    });
  });
});
