import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile, sync, withMirror } from './worker-under-test.ts';

const database = databasePerTest();

const header = 'version,codename,series,created,release,eol,eol-lts,eol-elts';
const table = (...rows: string[]) => `${[header, ...rows].join('\n')}\n`;
const bookworm = '12,Bookworm,bookworm,2021-08-14,2023-06-10,2026-07-11,2028-06-30,2033-06-30';
const trixie = '13,Trixie,trixie,2023-06-10,2025-08-09,2028-08-09,2030-06-30';
const standing = table(
  '9,Stretch,stretch,2015-04-26,2017-06-17,2020-07-18,2022-06-30',
  '10,Buster,buster,2017-06-17,2019-07-06,2022-09-10,2024-06-30',
  '11,Bullseye,bullseye,2019-07-06,2021-08-14,2024-08-14,2026-08-31',
  bookworm,
  trixie,
);

async function prepared() {
  const context = contextOf(database, null);
  return context;
}

const known = async () => {
  const { rows } = await database.db.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', release, to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), extended ->> 0) AS line
     FROM release_lifecycles ORDER BY release`,
  );
  return rows.map(({ line }) => line);
};

describe('lifecycles of releases', () => {
  it('are from the newest file; importing it again changes nothing', async () => {
    const context = await prepared();
    expect(await importFile(context, table(bookworm, trixie, '14,Forky,forky,2025-08-09'))).toMatchObject({
      state: 'done',
      recordsRead: 3,
      recordsChanged: 2,
      recordsRejected: 0,
    });
    expect(await known()).toEqual([
      'debian:12 2028-07-01 {"endsAt": "2033-07-01T00:00:00.000Z", "service": "elts"}',
      'debian:13 2030-07-01',
    ]);
    expect(await importFile(context, table(bookworm))).toMatchObject({ recordsChanged: 0 });
    await importFile(context, table('13,Trixie,trixie,2023-06-10,2025-08-09,2028-08-09,2031-06-30'));
    expect((await known())[1]).toBe('debian:13 2031-07-01');
    expect(await context.feeds.find('debian-lifecycles')).toMatchObject({ state: 'ok', records: 2 });
    expect(await context.feeds.find('ubuntu-lifecycles')).toMatchObject({
      state: 'never_synced',
      records: 0,
    });
  });

  it('are removed by a complete file of their own feed, but not if most would be lost', async () => {
    const context = await prepared();
    await importFile(context, standing);
    const ubuntu = 'version,codename,series,created,release,eol,eol-server,eol-esm,eol-legacy\n';
    await importFile(context, `${ubuntu}24.10,O,oracular,2024-04-25,2024-10-10,2025-07-10\n`, {
      complete: true,
    });
    expect(await known()).toHaveLength(6);
    const [, ...younger] = standing.trim().split('\n').slice(1);
    await importFile(context, table(...younger), { complete: true });
    expect(await known()).toHaveLength(5);
    expect(await importFile(context, table(bookworm), { complete: true })).toMatchObject({ state: 'failed' });
    expect(await known()).toHaveLength(5);
  });

  it('lose broken rows and name them', async () => {
    const outcome = await importFile(
      await prepared(),
      table(
        bookworm,
        trixie,
        bookworm.replace('2028', '2029'),
        '15,Duke,duke,2027-08-01,2029-08-01,never',
        `16,E,e,${','.repeat(30)}`,
        `17,${'x'.repeat(5000)}`,
        '18,F,f,2029-08-01,2031-08-01,2034-08-01',
        '19,G,g,2031-08-01,2033-08-01,2036-08-01',
      ),
    );
    expect(outcome).toMatchObject({ state: 'done', recordsRead: 8, recordsRejected: 4 });
    expect(outcome?.errors.map(({ pointer }) => pointer)).toEqual(['line 4', 'line 5', 'line 6', 'line 7']);
    expect((await known()).map((line) => line.split(' ')[0])).toEqual([
      'debian:12',
      'debian:13',
      'debian:18',
      'debian:19',
    ]);
  });

  it.each([
    ['no columns of it', 'version,name\n12,x\n'],
    ['nothing but a header', `${header}\n`],
    ['a line without an end', `version,${'x'.repeat(9 * 1024 * 1024)}`],
    ['more columns than a table has', `version,series,eol,${'x,'.repeat(50)}\n12,b,2026-01-01\n`],
    ['rows that are all broken', table('12,B,b,x', '13,T,t,y')],
    ['binary', 'v\0\x01\x02'],
  ])('do not change after a file with %s', async (_name, content) => {
    const context = await prepared();
    await importFile(context, standing);
    expect(await importFile(context, content, { complete: true })).toMatchObject({ state: 'failed' });
    expect(await known()).toHaveLength(5);
  });

  it('are synced from a mirror; a broken file leaves the stored data and is reported', async () => {
    let answer = standing;
    await withMirror(
      (_request, response) => response.end(answer),
      async (url, asked) => {
        const context = contextOf(database, url);
        await sync(context, 'debian-lifecycles');
        expect(asked.map((request) => request.url)).toEqual(['/mirror/distro-info-data/debian.csv']);
        expect(await context.feeds.find('debian-lifecycles')).toMatchObject({ state: 'ok', records: 5 });
        answer = '<html>not today</html>';
        await sync(context, 'debian-lifecycles');
        expect(await context.feeds.find('debian-lifecycles')).toMatchObject({ state: 'failed', records: 5 });
        expect(await known()).toHaveLength(5);
      },
    );
  });
});
