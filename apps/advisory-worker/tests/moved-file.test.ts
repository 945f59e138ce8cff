import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { FeedFile } from '@plimsoll/advisories';
import { createLogger } from '@plimsoll/process';
import { dropKeptFile } from '../src/feeds/downloads/kept-file.ts';
import type { FeedAccess } from '../src/feeds/feed-access.ts';
import { feedMirrorsOf } from '../src/feeds/feed-sources.ts';
import { failureCauseOf } from '../src/feeds/fetch-error.ts';
import { fetchFile, targetOf } from '../src/feeds/fetch-file.ts';
import { fileKey } from '../src/feeds/file-key.ts';
import { withAccessTo } from './worker-under-test.ts';

const run = { signal: new AbortController().signal, lastAttempt: false };
const feedId = 'fedora-updateinfo';

/** The answers by path: a status, or a content with its entity tag. */
type Answers = Record<string, number | { readonly body: string; readonly etag: string }>;

interface Fetching {
  readonly access: FeedAccess;
  readonly url: string;
  readonly asked: readonly IncomingMessage[];
  fetch(
    file?: Partial<FeedFile>,
    before?: Parameters<typeof fetchFile>[1]['before'],
  ): ReturnType<typeof fetchFile>;
}

/** A publisher with a file at /current/f.json that has its archive at /archive/f.json. */
function withPublisher(answers: Answers, work: (fetching: Fetching) => Promise<void>): Promise<void> {
  return withAccessTo(
    (request, response) => {
      const answer = answers[(request.url ?? '').replace('/mirror', '')] ?? 404;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else if (request.headers['if-none-match'] === answer.etag) response.writeHead(304).end();
      else response.writeHead(200, { etag: answer.etag }).end(answer.body);
    },
    async ({ url, asked, access }) => {
      const context = {
        ...access,
        mirrors: feedMirrorsOf(null, []),
        log: createLogger({ app: 'test', level: 'silent' }),
      };
      const wanted = {
        url: `${url}/current/f.json`,
        movedUrl: `${url}/archive/f.json`,
        path: 'f.json',
        release: null,
      };
      await work({
        access,
        url,
        asked,
        fetch: (file = {}, before = new Map()) =>
          fetchFile(context, { feedId, file: { ...wanted, ...file }, before, run }),
      });
    },
  );
}

const paths = (asked: readonly IncomingMessage[]) => asked.map(({ url }) => url?.replace('/mirror', ''));
const file = (body: string) => ({ body, etag: '"1"' });
const index = 'repodata/repomd.xml';

describe('a file with a second address', () => {
  it('is fetched from the first one that has it', async () => {
    const answers: Answers = { '/current/f.json': file('{}'), '/archive/f.json': file('[]') };
    await withPublisher(answers, async ({ fetch, asked, url }) => {
      expect(await fetch()).toMatchObject({ synced: { url: `${url}/current/f.json` } });
      expect(paths(asked)).toEqual(['/current/f.json']);
    });
    await withPublisher({ '/archive/f.json': file('[]') }, async ({ fetch, asked, url }) => {
      const fetched = await fetch();
      expect(fetched).toMatchObject({ isNew: true, synced: { url: `${url}/archive/f.json`, etag: '"1"' } });
      expect(await readFile(fetched?.path ?? '', 'utf8')).toBe('[]');
      expect(paths(asked)).toEqual(['/current/f.json', '/archive/f.json']);
    });
  });

  it.each([403, 429, 500, 503])('is not looked for there if the first one answers %d', async (status) => {
    const answers: Answers = { '/current/f.json': status, '/archive/f.json': file('[]') };
    await withPublisher(answers, async ({ fetch, asked }) => {
      await expect(fetch()).rejects.toThrow(`${status}`);
      expect(paths(asked)).toEqual(['/current/f.json']);
    });
  });

  it.each([
    [404, 'not_found'],
    [403, 'access_denied'],
    [503, 'server_error'],
  ])('says the failure of both if the second one answers %d', async (status, cause) => {
    await withPublisher({ '/archive/f.json': status }, async ({ fetch, url }) => {
      const error: unknown = await fetch().catch((reason: unknown) => reason);
      expect(failureCauseOf(error)).toBe(cause);
      expect(String(error)).toMatch(
        new RegExp(
          `${url}/current/f\\.json was not fetched: .*404.*\\. ${url}/archive/f\\.json was not fetched: .*${status}`,
        ),
      );
    });
  });

  it('is not confirmed at one address by the version of the other', async () => {
    const answers: Answers = { '/current/f.json': file('{}') };
    await withPublisher(answers, async ({ fetch, asked, url }) => {
      const first = await fetch();
      if (first === null) throw new Error('not fetched');
      const before = new Map([[first.synced.url, first.synced]]);
      await dropKeptFile(first.path ?? '');
      expect(await fetch({}, before)).toMatchObject({ isNew: false, path: null });
      delete answers['/current/f.json'];
      // The archive uses the same entity tag for another content.
      answers['/archive/f.json'] = file('[1]');
      const moved = await fetch({}, before);
      expect(moved).toMatchObject({ isNew: true, synced: { url: `${url}/archive/f.json` } });
      expect(await readFile(moved?.path ?? '', 'utf8')).toBe('[1]');
      expect(asked.at(-1)?.headers['if-none-match']).toBeUndefined();
    });
  });

  it('is not continued at one address with the part from the other', async () => {
    await withPublisher({ '/archive/f.json': file('[1]') }, async ({ access, fetch, asked, url }) => {
      const current = new URL(`${url}/current/f.json`);
      const target = targetOf(access, current);
      await mkdir(access.downloads.path, { recursive: true });
      await writeFile(target, '{"a');
      const note = { url: fileKey(current), etag: '"1"', lastModified: null, length: 7 };
      await writeFile(`${target}.note`, JSON.stringify(note));
      const moved = await fetch();
      expect(await readFile(moved?.path ?? '', 'utf8')).toBe('[1]');
      expect(asked.map(({ headers }) => headers.range)).toEqual(['bytes=3-', undefined]);
    });
  });

  it('has one place on a mirror', async () => {
    await withPublisher(
      { '/m/f.json': 404, '/archive/f.json': file('[]') },
      async ({ access, url, asked }) => {
        const context = {
          ...access,
          mirrors: feedMirrorsOf(`${url}/m`, []),
          log: createLogger({ app: 'test', level: 'silent' }),
        };
        const wanted = { url: `${url}/current/f.json`, movedUrl: `${url}/archive/f.json`, path: 'f.json' };
        const fetching = fetchFile(context, {
          feedId,
          file: { ...wanted, release: null },
          before: new Map(),
          run,
        });
        await expect(fetching).rejects.toThrow('404');
        expect(paths(asked)).toEqual(['/m/f.json']);
      },
    );
  });
});

describe('a repository with a second address', () => {
  const repository = (url: string, rest: Partial<FeedFile> = {}): Partial<FeedFile> => ({
    url: `${url}/current/${index}`,
    movedUrl: `${url}/archive/${index}`,
    ...rest,
  });
  const named = file('<repomd><data type="updateinfo"><location href="repodata/u.xml"/></data></repomd>');

  it('is read below the address at which its index is', async () => {
    const answers: Answers = { [`/archive/${index}`]: named, '/archive/repodata/u.xml': file('<updates/>') };
    await withPublisher(answers, async ({ fetch, url }) => {
      expect(await fetch(repository(url))).toMatchObject({
        synced: { url: `${url}/archive/repodata/u.xml` },
      });
    });
  });

  it('is not looked for there if its index is at the first address, without updateinfo or with a missing one', async () => {
    for (const first of [file('<repomd/>'), named])
      await withPublisher({ [`/current/${index}`]: first }, async ({ fetch, url, asked }) => {
        await expect(fetch(repository(url))).rejects.toThrow();
        expect(paths(asked).filter((path) => path?.startsWith('/archive'))).toEqual([]);
      });
  });

  it('is missing only if it is at neither address and may be', async () => {
    await withPublisher({}, async ({ fetch, url, asked }) => {
      expect(await fetch(repository(url, { isSparse: true }))).toBeNull();
      expect(paths(asked)).toEqual([`/current/${index}`, `/archive/${index}`]);
      await expect(fetch(repository(url))).rejects.toThrow('404');
    });
    await withPublisher({ [`/archive/${index}`]: 503 }, async ({ fetch, url }) => {
      await expect(fetch(repository(url, { isSparse: true }))).rejects.toThrow('503');
    });
  });

  it('is not missing if one of its addresses denies access and a file was imported from the other', async () => {
    await withPublisher({ [`/archive/${index}`]: 403 }, async ({ fetch, url }) => {
      const sparse = repository(url, { isSparse: true });
      expect(await fetch(sparse)).toBeNull();
      const imported = {
        url: `${url}/current/repodata/u.xml`,
        etag: null,
        lastModified: null,
        digest: new Uint8Array(32),
        rules: 1,
        release: null,
      };
      await expect(fetch(sparse, new Map([[imported.url, imported]]))).rejects.toThrow('403');
    });
  });

  it('is not missing if its index names a file to which access is denied', async () => {
    const answers: Answers = { [`/current/${index}`]: named, '/current/repodata/u.xml': 403 };
    await withPublisher(answers, async ({ fetch, url }) => {
      const error: unknown = await fetch(repository(url, { isSparse: true })).catch(
        (reason: unknown) => reason,
      );
      expect(failureCauseOf(error)).toBe('access_denied');
    });
  });
});
