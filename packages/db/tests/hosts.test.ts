import { bitsOfGrounds, gapsOfBits, type HostId, wholeFleet } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import {
  createHostStore,
  cursorOf,
  type HostFilters,
  type HostStore,
  hostSortColumns,
  newId,
  systemActor,
} from '../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await insertHosts(60);
});
afterAll(() => database.drop());

const minuteMs = 60_000;

/** Hosts that differ in everything that can be filtered or sorted by; many have equal values. */
async function insertHosts(count: number): Promise<void> {
  const { prisma, pool } = database.db;
  await prisma.feed.create({ data: { id: 'fresh', state: 'ok', updatedAt: new Date() } });
  const release = await prisma.release.create({
    data: { name: 'debian:12', feedId: 'fresh', covered: true },
  });
  const set = await prisma.packageSet.create({
    data: { digest: Buffer.from('digest'), n: 0, ids: Buffer.alloc(0) },
  });
  for (let index = 0; index < count; index++) {
    const id = newId<HostId>();
    await prisma.host.create({
      data: {
        id,
        onboardingMode: index % 5 === 0 ? 'manual' : 'agent',
        approvalStatus: index % 4 === 0 ? 'pending' : 'approved',
        displayName: `host ${index % 7}`,
        hostname: `h${index}.example.org`,
        tags: index % 2 === 0 ? ['even', 'web'] : ['odd'],
        contact: {
          create: {
            lastSeenAt: new Date(Date.now() - index * minuteMs),
            staleAfterSeconds: 3_600,
            lastConfirmedAt: new Date(Date.now() - (index % 3) * 40 * minuteMs),
            listsAt: index % 2 === 0 ? new Date() : null,
          },
        },
        state: {
          create: {
            osFamily: 'apt',
            osName: 'debian',
            releaseId: release.id,
            setId: set.id,
            snapshotId: index % 10 === 9 ? null : newId<string>(),
            critical: index % 3,
            important: index % 2,
            unknown: index % 6 === 0 ? 4 : 0,
            updatesKnown: true,
            rebootState: index % 8 === 0 ? 'needed' : 'not_needed',
            grounds:
              index % 3 === 0 ? 0 : bitsOfGrounds(['open_finding', 'urgent_open', 'urgent_installable']),
          },
        },
      },
    });
  }
  await pool.query('ANALYZE');
}

async function listed(store: HostStore, query: Parameters<HostStore['list']>[0]) {
  return (await store.list(query)).hosts;
}

async function countOf(store: HostStore, filters: HostFilters): Promise<number> {
  const sort = { column: 'hostname', descending: false } as const;
  return (await store.list({ scope: wholeFleet, filters, sort, limit: 1, after: null })).total;
}

describe('host store', () => {
  it.each(hostSortColumns)(
    'pages through every host exactly once when sorted by %s, both ways',
    async (column) => {
      const store = createHostStore(database.db);
      for (const descending of [false, true]) {
        const sort = { column, descending };
        const whole = await listed(store, {
          scope: wholeFleet,
          filters: {},
          sort,
          limit: 1_000,
          after: null,
        });
        expect(whole).toHaveLength(60);
        const paged = [];
        let after = null;
        for (;;) {
          const page = await listed(store, { scope: wholeFleet, filters: {}, sort, limit: 7, after });
          paged.push(...page);
          const last = page.at(-1);
          if (last === undefined || page.length < 7) break;
          after = cursorOf(last, sort);
        }
        expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
      }
    },
  );

  it('reads any window of a list with the same hosts as in the whole list', async () => {
    const store = createHostStore(database.db);
    // Many hosts have equal values.
    const sort = { column: 'critical', descending: true } as const;
    const filters = { approvalStatus: 'approved' } as const;
    const whole = await listed(store, { scope: wholeFleet, filters, sort, limit: 1_000, after: null });
    const window = async (offset: number) =>
      (await listed(store, { scope: wholeFleet, filters, sort, limit: 7, after: null, offset })).map(
        ({ id }) => id,
      );
    for (const offset of [0, 7, 38, 44, 45, 1_000_000]) {
      expect(await window(offset)).toEqual(whole.slice(offset, offset + 7).map(({ id }) => id));
    }
  });

  it('sorts actions by urgency, not by the alphabet', async () => {
    const sort = { column: 'overallAction', descending: true } as const;
    const [first] = await listed(createHostStore(database.db), {
      scope: wholeFleet,
      filters: {},
      sort,
      limit: 1,
      after: null,
    });
    expect(first?.overallAction).toBe('update_urgent');
  });

  it.each<[string, HostFilters, (index: number) => boolean]>([
    ['part of a name', { q: 'HOST 3' }, (index) => index % 7 === 3],
    ['part of a hostname, taken literally', { q: 'h1_.example' }, () => false],
    ['a tag', { tag: 'web' }, (index) => index % 2 === 0],
    ['approval', { approvalStatus: 'pending' }, (index) => index % 4 === 0],
    ['mode', { onboardingMode: 'manual' }, (index) => index % 5 === 0],
    ['no snapshot yet', { status: 'new' }, (index) => index % 10 === 9],
    ['no news for too long', { status: 'stale' }, (index) => index % 10 !== 9 && index % 3 === 2],
    ['critical findings', { severityAtLeast: 'critical' }, (index) => index % 3 > 0],
    [
      'important findings or worse',
      { severityAtLeast: 'important' },
      (index) => index % 3 > 0 || index % 2 > 0,
    ],
    ['a due reboot', { needsReboot: true }, (index) => index % 8 === 0],
    ['a gap', { gap: 'no_report' }, (index) => index % 10 === 9],
    ['another gap', { gap: 'package_lists_unknown' }, (index) => index % 10 !== 9 && index % 2 === 1],
    ['repositories', { repositoriesState: 'outdated' }, () => false],
    ['coverage', { coverage: 'partial' }, (index) => index % 6 === 0],
    [
      'several at once',
      { tag: 'odd', approvalStatus: 'approved', severityAtLeast: 'critical' },
      (index) => index % 2 === 1 && index % 3 > 0,
    ],
  ])('filters by %s, and counts what it lists', async (_, filters, expected) => {
    const store = createHostStore(database.db);
    const { total, hosts } = await store.list({
      scope: wholeFleet,
      filters,
      sort: { column: 'hostname', descending: false },
      limit: 100,
      after: null,
    });
    const indexes = Array.from({ length: 60 }, (_unused, index) => index).filter(expected);
    expect(total).toBe(indexes.length);
    expect(hosts.map(({ hostname }) => hostname)).toEqual(
      indexes.map((index) => `h${index}.example.org`).sort(),
    );
  });

  it('says unknown instead of none where nothing is known', async () => {
    const store = createHostStore(database.db);
    const sort = { column: 'createdAt', descending: false } as const;
    for (const host of await listed(store, {
      scope: wholeFleet,
      filters: { overallAction: 'none' },
      sort,
      limit: 100,
      after: null,
    })) {
      expect(host).toMatchObject({ status: expect.not.stringMatching('new'), updatesState: 'known' });
    }
    const fresh = await listed(store, {
      scope: wholeFleet,
      filters: { status: 'new' },
      sort,
      limit: 100,
      after: null,
    });
    expect(fresh.map(({ overallAction }) => overallAction)).not.toContain('none');
    expect(new Set(fresh.flatMap(({ gaps }) => gapsOfBits(gaps)))).toEqual(new Set(['no_report']));
  });

  it('has no coverage of a release that the feed does not mention, however fresh the feed is', async () => {
    const store = createHostStore(database.db);
    const none = () => countOf(store, { coverage: 'none' });
    const covered = (is: boolean) => database.db.prisma.release.updateMany({ data: { covered: is } });
    expect(await none()).toBe(0);
    await covered(false);
    expect(await none()).toBe(60);
    await covered(true);
  });

  it('is out of support if its release is, unless its own support lasts longer', async () => {
    const store = createHostStore(database.db);
    const ended = () => countOf(store, { coverage: 'eol' });
    const { prisma, pool } = database.db;
    const own = (endsAt: Date | null) =>
      pool.query(`UPDATE host_state SET support_ends_at = $1, judged_until = '1970-01-01'`, [endsAt]);
    const [past, future] = [new Date(Date.now() - minuteMs), new Date(Date.now() + 60 * minuteMs)];
    expect(await ended()).toBe(0);
    await prisma.release.updateMany({ data: { endsAt: past } });
    expect(await ended()).toBe(60);
    await own(future);
    expect(await ended()).toBe(0);
    await own(past);
    expect(await ended()).toBe(60);
    await prisma.release.updateMany({ data: { endsAt: null } });
    await own(null);
  });

  it('streams the same hosts in the same order as one long page', async () => {
    const store = createHostStore(database.db);
    const sort = { column: 'displayName', descending: false } as const;
    const streamed = [];
    for await (const page of (await store.stream(wholeFleet, {}, sort)).pages) streamed.push(...page);
    expect(streamed).toHaveLength(60);
    expect(streamed.map(({ displayName }) => displayName)).toEqual(
      streamed.map(({ displayName }) => displayName).sort(),
    );
  });

  it('accepts ids of any form, and changes only the named fields', async () => {
    const store = createHostStore(database.db);
    const [host] = await listed(store, {
      scope: wholeFleet,
      filters: {},
      sort: { column: 'createdAt', descending: false },
      limit: 1,
      after: null,
    });
    const id = host?.id ?? '';
    expect(await store.find(wholeFleet, 'no id')).toBeNull();
    expect([
      await store.update(wholeFleet, 'no id', {}, systemActor('test')),
      await store.approve(wholeFleet, 'no id', systemActor('test')),
      await store.delete(wholeFleet, 'no id', systemActor('test')),
    ]).toEqual([false, false, false]);
    expect(await store.update(wholeFleet, id, { tags: ['db'] }, systemActor('test'))).toBe(true);
    expect(await store.find(wholeFleet, id)).toMatchObject({ tags: ['db'], displayName: host?.displayName });
    expect(await store.approve(wholeFleet, id, systemActor('test'))).toBe(true);
    expect(await store.approve(wholeFleet, id, systemActor('test'))).toBe(true);
    expect((await store.find(wholeFleet, id))?.approvalStatus).toBe('approved');
    expect(await store.update(wholeFleet, id, { tags: host?.tags ?? [] }, systemActor('test'))).toBe(true);
    await database.db.prisma.host.update({
      where: { id },
      data: { approvalStatus: host?.approvalStatus ?? '' },
    });
  });
});
