import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile, sync, withMirror } from './worker-under-test.ts';

const database = databasePerTest();

const eus = 'rhel-9-for-x86_64-baseos-eus-rpms';
const file = (data: unknown) => JSON.stringify({ data, last_updated: '2025-02-12T00:48:44.112Z' });
const cpes = (...products: string[]) => ({ cpes: products.map((product) => `cpe:/o:redhat:${product}`) });
const known = async () => {
  const { rows } = await database.db.pool.query<{ repository: string; products: string[] }>(
    'SELECT repository, products FROM repository_products ORDER BY repository',
  );
  return rows.map(({ repository, products }) => `${repository}: ${products.join(' ')}`);
};

describe('the contents of repositories', () => {
  it('are from the newest file; importing it again changes nothing', async () => {
    const context = contextOf(database, null);
    const both = file({
      [eus]: cpes('rhel_eus:9.2::baseos', 'rhel_eus:9.0::baseos', 'openstack:17::el9'),
      'openstack-rpms': cpes('openstack:17::el9'),
      'rhel-9-for-x86_64-baseos-rpms': cpes('enterprise_linux:9::baseos'),
    });
    expect(await importFile(context, both)).toMatchObject({ state: 'done', recordsChanged: 2 });
    expect(await known()).toEqual([
      `${eus}: rhel_eus:9.0::baseos rhel_eus:9.2::baseos`,
      'rhel-9-for-x86_64-baseos-rpms: enterprise_linux:9::baseos',
    ]);
    expect(await importFile(context, both)).toMatchObject({ state: 'done', recordsChanged: 0 });
    const one = file({ [eus]: cpes('rhel_eus:9.0::baseos') });
    await importFile(context, one, { complete: true });
    expect(await known()).toEqual([`${eus}: rhel_eus:9.0::baseos`]);
    expect(await context.feeds.find('redhat-repository-to-cpe')).toMatchObject({ state: 'ok', records: 1 });
  });

  it.each([
    ['no map', file([1, 2])],
    ['nothing', file({})],
    ['text', file('x')],
  ])('is not changed by a file with %s', async (_name, content) => {
    const context = contextOf(database, null);
    await importFile(context, file({ [eus]: cpes('rhel_eus:9.0::baseos') }));
    const outcome = await importFile(context, content, { format: 'repository-to-cpe', complete: true });
    expect(outcome).toMatchObject({ state: 'failed' });
    expect(await known()).toHaveLength(1);
  });

  it('lose entries of wrong types and names, and report them', async () => {
    const context = contextOf(database, null);
    const content = file({
      [eus]: cpes('rhel_eus:9.0::baseos'),
      '../../x': cpes('rhel_eus:9.0::baseos'),
      a: null,
      b: { cpes: 7 },
      c: { cpes: [7, null, 'cpe:/o:redhat:rhel_eus:9.0,9.2::baseos'] },
    });
    const outcome = await importFile(context, content);
    expect(outcome).toMatchObject({ state: 'done' });
    expect(outcome?.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/data/../../x',
      '/data/a',
      '/data/b',
    ]);
    expect(await known()).toEqual([`${eus}: rhel_eus:9.0::baseos`]);
  });

  it('are synced from a mirror', async () => {
    const answer = file({ [eus]: cpes('rhel_eus:9.0::baseos') });
    await withMirror(
      (_request, response) => response.end(answer),
      async (url, asked) => {
        const context = contextOf(database, url);
        await sync(context, 'redhat-repository-to-cpe');
        expect(asked.map((request) => request.url)).toEqual(['/mirror/redhat/repository-to-cpe.json']);
        expect(await known()).toHaveLength(1);
      },
    );
  });
});
