import type { IncomingMessage, ServerResponse } from 'node:http';
import { databasePerTest } from '@plimsoll/testing';
import { feedMirrorsOf } from '../src/feeds/feed-sources.ts';
import { contextOf, sync, withMirror } from './worker-under-test.ts';

const feedId = 'rocky-errata';
const place = '/api/v3/advisories/';

const database = databasePerTest();

const named = (n: number) => ({
  name: `RLSA-2026:${1000 + n}`,
  synopsis: 'Important: security update',
  description: '',
  kind: 'Security',
  severity: 'Important',
  published_at: '2026-11-19T09:11:22.820964+00:00',
  updated_at: '2026-11-19T09:12:41.644151+00:00',
  cves: [],
  packages: [{ nevra: `p${n}-0:1-2.el9.x86_64.rpm`, product_name: 'Rocky Linux 9 x86_64' }],
});

/** A list in the form of Apollo's pages, which tests change and break. */
class PagedList {
  records = [1, 2, 3, 4, 5].map(named);
  /** Added to the number of records that pages state. */
  overstated = 0;
  /** Disturbs a page, by its number; returns another text for it, or undefined. */
  disturb: (page: number, size: number) => string | undefined = () => undefined;
  next = (query: string) => `${place}?${query}`;

  answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://localhost');
    const page = Number(url.searchParams.get('page'));
    const stated = Number(url.searchParams.get('size'));
    // Page sizes of 90 and 70 split small lists, too.
    const size = stated === 70 ? 4 : stated === 90 ? 3 : stated;
    const text = this.disturb(page, stated) ?? this.page(page, size, stated);
    response.end(text);
  }

  page(page: number, size: number, stated: number): string {
    const { records } = this;
    const next = page * size < records.length ? this.next(`size=${stated}&page=${page + 1}`) : null;
    return JSON.stringify({
      advisories: records.slice((page - 1) * size, page * size),
      total: records.length + this.overstated,
      page,
      links: { next },
    });
  }
}

async function withList(
  work: (tools: {
    readonly list: PagedList;
    readonly asked: readonly IncomingMessage[];
    readonly run: () => Promise<{ state: string; lastError: string | null; names: readonly string[] }>;
  }) => Promise<void>,
): Promise<void> {
  const list = new PagedList();
  await withMirror(
    (request, response) => list.answer(request, response),
    async (url, asked) => {
      const own = [`${feedId}=${new URL(`${place}?page=1&size=2`, url).href}`];
      const context = { ...contextOf(database, null), mirrors: feedMirrorsOf(null, own) };
      const run = async () => {
        await sync(context, feedId);
        const feed = await context.feeds.find(feedId);
        const rows = await database.db.prisma.advisory.findMany({ orderBy: { externalId: 'asc' } });
        return {
          state: feed?.state ?? '',
          lastError: feed?.lastError ?? null,
          names: rows.map(({ externalId }) => externalId.replace('RLSA-2026:100', '')),
        };
      };
      await work({ list, asked, run });
    },
  );
}

const all = ['1', '2', '3', '4', '5'];

describe('a feed whose publisher has it in pages', () => {
  it('is read to the last page, each page once', async () => {
    await withList(async ({ asked, run }) => {
      expect(await run()).toEqual({ state: 'ok', lastError: null, names: all });
      expect(asked.map(({ url }) => url)).toEqual([
        `${place}?page=1&size=2`,
        `${place}?size=2&page=2`,
        `${place}?size=2&page=3`,
      ]);
    });
  });

  it('loses the records that the list no longer has, and is unchanged in another order', async () => {
    await withList(async ({ list, run }) => {
      await run();
      const before = await database.db.prisma.feedFile.findMany();
      list.records.reverse();
      await run();
      const after = await database.db.prisma.feedFile.findMany();
      expect(after.map(({ digest }) => digest)).toEqual(before.map(({ digest }) => digest));
      list.records = list.records.slice(0, 4);
      expect((await run()).names).toEqual(['2', '3', '4', '5']);
    });
  });

  it('is read again if the list changes between two pages', async () => {
    await withList(async ({ list, run }) => {
      list.disturb = (page) => {
        if (page === 2 && list.records.length === 5) list.records = list.records.slice(1);
        return undefined;
      };
      expect(await run()).toEqual({ state: 'ok', lastError: null, names: ['2', '3', '4', '5'] });
    });
  });

  it('is read in other pages if a record falls between two', async () => {
    await withList(async ({ list, run }) => {
      const [, second, third] = list.records;
      // The server orders records of the same time differently for each page.
      list.disturb = (page, size) => {
        if (size !== 2 || page !== 2 || second === undefined || third === undefined) return undefined;
        return list.page(2, 2, 2).replace(JSON.stringify(third), JSON.stringify(second));
      };
      expect(await run()).toEqual({ state: 'ok', lastError: null, names: all });
    });
  });

  it('is failed, and keeps what it has, if there are fewer records than the list says', async () => {
    await withList(async ({ list, run }) => {
      await run();
      list.overstated = 1;
      list.records = list.records.slice(1);
      expect(await run()).toEqual({
        state: 'failed',
        lastError: expect.stringContaining('its pages have 4 records, and it says that there are 5'),
        names: all,
      });
    });
  });

  it.each([
    ['a login page', '<!DOCTYPE html><html></html>', 'not a page of the list'],
    ['another object', '{"detail":[{"msg":"value is not a valid integer"}]}', 'not a page of the list'],
    ['records without names', '{"advisories":[{}],"total":5,"links":{"next":null}}', 'not a page'],
    ['a cut off page', '{"advisories":[', 'not a page of the list'],
  ])('is failed, and keeps what it has, after %s', async (_name, text, sentence) => {
    await withList(async ({ list, run }) => {
      await run();
      list.disturb = (page) => (page === 2 ? text : undefined);
      expect(await run()).toEqual({
        state: 'failed',
        lastError: expect.stringContaining(sentence),
        names: all,
      });
    });
  });

  it('is failed if its pages have no end', async () => {
    await withList(async ({ list, run }) => {
      list.next = () => `${place}?page=1&size=2`;
      expect(await run()).toMatchObject({ state: 'failed', lastError: expect.stringContaining('no end') });
    });
  });

  it('goes to no other place than that of its first page', async () => {
    await withList(async ({ list, asked, run }) => {
      list.next = (query) => `https://elsewhere.example/other?${query}`;
      expect(await run()).toEqual({ state: 'ok', lastError: null, names: all });
      expect(asked.every(({ url }) => url?.startsWith(`${place}?`))).toBe(true);
    });
  });
});
