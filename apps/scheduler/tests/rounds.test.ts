import { syncIntervalsMsOf } from '@plimsoll/advisories';
import {
  createFeedStore,
  createFleetStore,
  createImportStore,
  createSessionStore,
  createSshHostStore,
  createUserStore,
  newId,
  systemActor,
} from '@plimsoll/db';
import type { HostId, ImportId, SshKeyPairId, UploadId, UserId } from '@plimsoll/model';
import { createRoundsUnderTest, hourly, type RoundsUnderTest } from './rounds-under-test.ts';

const minuteMs = 60_000;

let scheduler: RoundsUnderTest;
beforeEach(async () => {
  scheduler = await createRoundsUnderTest();
});
afterEach(() => scheduler.database.drop());

/** A host with an hourly pull that has been due for the given minutes. */
async function insertDueHost(lateMinutes: number): Promise<HostId> {
  const id = newId<HostId>();
  const pair = {
    id: newId<SshKeyPairId>(),
    publicKey: Buffer.alloc(32),
    sealed: Buffer.alloc(1),
    sealedTo: '',
  };
  await createSshHostStore(scheduler.database.db).create(
    {
      id,
      displayName: 'web',
      hostname: 'web',
      staleAfterSeconds: 3_600,
      user: 'plimsoll',
      port: 22,
      frequencyMinutes: 60,
      keyPair: { kind: 'own', pair },
      hostKeyFingerprint: null,
    },
    systemActor('test'),
  );
  const nextPullAt = new Date(Date.now() - lateMinutes * minuteMs - 1);
  await scheduler.database.db.prisma.sshTarget.update({ where: { hostId: id }, data: { nextPullAt } });
  return id;
}

async function insertUpload(state: string, receivedAt: Date): Promise<UploadId> {
  const hostId = newId<HostId>();
  const id = newId<UploadId>();
  await scheduler.database.db.prisma.host.create({
    data: {
      id: hostId,
      onboardingMode: 'agent',
      approvalStatus: 'approved',
      displayName: 'web',
      hostname: 'web',
      contact: { create: { lastSeenAt: receivedAt, staleAfterSeconds: 3_600 } },
      state: { create: {} },
      uploads: {
        create: {
          id,
          door: 'agent',
          sequence: 1,
          payloadKind: 'protobuf',
          contentHash: Buffer.alloc(32),
          state,
          receivedAt,
        },
      },
    },
  });
  return id;
}

describe('the scheduler', () => {
  it('records the fleet of each day, and deletes days that are too old', async () => {
    const fleet = createFleetStore(scheduler.database.db);
    await scheduler.run('note the day', new Date('2026-01-01T08:00:00Z'));
    await scheduler.insertHostOf('noted:1');
    await scheduler.run('note the day', new Date('2026-01-01T23:59:00Z'));
    await scheduler.run('note the day', new Date('2026-01-03T00:01:00Z'));
    const days = await fleet.days('2026-01-01');
    expect(days.map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-03']);
    expect(days[0]?.totals).toEqual(days[1]?.totals);
    expect(days[0]?.totals.byStatus.new).toBeGreaterThan(0);
    await scheduler.run('drop old days of the trend', new Date('2027-02-06T12:00:00Z'));
    expect((await fleet.days('2026-01-01')).map(({ day }) => day)).toEqual(['2026-01-03']);
  });

  it('rings again for waiting uploads, each at its stage', async () => {
    const now = new Date();
    const old = new Date(now.getTime() - minuteMs);
    const received = await insertUpload('received', old);
    const parsed = await insertUpload('parsed', old);
    for (const state of ['matched', 'rejected', 'superseded']) await insertUpload(state, old);
    await insertUpload('received', now);
    await scheduler.run('ring uploads again', now);
    expect(new Set(scheduler.rung)).toEqual(
      new Set([
        ['report-parse', { uploadId: received }],
        ['advisory-match', { uploadId: parsed }],
      ]),
    );
  });

  it('pulls each due host once with several schedulers, and rings again for pulls that no worker took', async () => {
    const hosts = await Promise.all(Array.from({ length: 5 }, () => insertDueHost(0)));
    await Promise.all([1, 2, 3].map(() => scheduler.run('pull due hosts', new Date())));
    const jobIds = (await scheduler.database.db.prisma.pullJob.findMany()).map(({ id }) => id);
    expect(jobIds).toHaveLength(hosts.length);
    const rings = jobIds.map((pullJobId) => ['ssh-pull', { pullJobId }]);
    expect(new Set(scheduler.rung)).toEqual(new Set(rings));
    scheduler.rung.length = 0;
    await scheduler.run('ring pulls again', new Date());
    expect(scheduler.rung).toEqual([]);
    await scheduler.run('ring pulls again', new Date(Date.now() + minuteMs));
    expect(new Set(scheduler.rung)).toEqual(new Set(rings));
  });

  it('spreads overdue pulls after an outage', async () => {
    const lateMinutes = 30;
    await Promise.all(Array.from({ length: 40 }, () => insertDueHost(lateMinutes)));
    await scheduler.run('pull due hosts', new Date());
    expect(scheduler.rung.length).toBeLessThan(10);
    const targets = await scheduler.database.db.prisma.sshTarget.findMany({
      where: { nextPullAt: { gt: new Date() } },
    });
    expect(targets.length).toBeGreaterThan(30);
    const latest = Math.max(...targets.map(({ nextPullAt }) => nextPullAt.getTime()));
    expect(latest).toBeGreaterThan(Date.now() + (lateMinutes / 2) * minuteMs);
  });

  it('rings for imports that have not ended, except while their file is incomplete', async () => {
    const imports = createImportStore(scheduler.database.db);
    const coming = newId<ImportId>();
    const queued = newId<ImportId>();
    for (const id of [coming, queued]) {
      await imports.create({ id, format: 'osv', origin: 'cli', complete: false, release: '' });
    }
    await imports.seal(queued, 0, systemActor('test'));
    await scheduler.run('ring imports again', new Date());
    expect(scheduler.rung).toEqual([['advisory-sync', { kind: 'import', importId: queued }]]);
  });

  it('syncs a due feed once per interval with several schedulers, and not if it is switched off', async () => {
    await createFeedStore(scheduler.database.db).ensure(['debian-osv']);
    await scheduler.insertHostOf('debian:12');
    await scheduler.run('sync due feeds', new Date(), scheduler.roundsOf({ ...hourly, enabled: false }));
    expect(scheduler.rung).toEqual([]);
    await Promise.all([1, 2, 3].map(() => scheduler.run('sync due feeds', new Date())));
    expect(scheduler.rung).toEqual([['advisory-sync', { kind: 'sync', feedId: 'debian-osv' }]]);
    await scheduler.database.db.prisma.feed.updateMany({ data: { nextSyncAt: new Date(Date.now() - 1) } });
    await scheduler.run('sync due feeds', new Date());
    expect(scheduler.rung).toHaveLength(2);
  });

  it('syncs a feed without an address of its own once the operator has a file for it', async () => {
    const feeds = createFeedStore(scheduler.database.db);
    await feeds.ensure(['redhat-updateinfo']);
    await scheduler.insertHostOf('rhel:9');
    await scheduler.run('sync due feeds', new Date());
    expect(scheduler.rung).toEqual([]);
    await feeds.setOwnFiles(['redhat-updateinfo']);
    await scheduler.run('sync due feeds', new Date());
    expect(scheduler.rung).toEqual([['advisory-sync', { kind: 'sync', feedId: 'redhat-updateinfo' }]]);
  });

  it("syncs only the feeds for the hosts' releases, or the configured ones", async () => {
    const feeds = createFeedStore(scheduler.database.db);
    await feeds.ensure(['debian-osv', 'cisa-kev', 'epss']);
    await scheduler.run('sync due feeds', new Date());
    expect(scheduler.rung).toEqual([]);
    await scheduler.run(
      'sync due feeds',
      new Date(),
      scheduler.roundsOf({ ...hourly, feeds: { kind: 'named', ids: ['epss'] } }),
    );
    expect(scheduler.rung).toEqual([['advisory-sync', { kind: 'sync', feedId: 'epss' }]]);
    await scheduler.insertHostOf('debian:12');
    await scheduler.run('sync due feeds', new Date());
    expect(scheduler.rung.slice(1)).toEqual([
      ['advisory-sync', { kind: 'sync', feedId: 'cisa-kev' }],
      ['advisory-sync', { kind: 'sync', feedId: 'debian-osv' }],
    ]);
    const next = (await feeds.list()).map(({ nextSyncAt }) => nextSyncAt?.getTime());
    expect(new Set(next).size).toBe(3);
    const minutesUntil = async (id: string) =>
      (((await feeds.find(id))?.nextSyncAt?.getTime() ?? 0) - Date.now()) / minuteMs;
    expect(await minutesUntil('cisa-kev')).toBeLessThan(67);
    expect(await minutesUntil('epss')).toBeGreaterThan(500);
    await scheduler.run(
      'sync due feeds',
      new Date(),
      scheduler.roundsOf({ ...hourly, feeds: { kind: 'named', ids: ['epss'] } }),
    );
    expect((await feeds.find('debian-osv'))?.nextSyncAt).toBeNull();
  });

  it('retries a failed sync after minutes, then more slowly, and never before the server allows it', async () => {
    const feeds = createFeedStore(scheduler.database.db);
    await feeds.ensure(['debian-osv']);
    await scheduler.insertHostOf('debian:12');
    const minutesAfterFailure = async (retryAfterMs: number | null) => {
      await scheduler.database.db.prisma.feed.updateMany({ data: { nextSyncAt: new Date(Date.now() - 1) } });
      await scheduler.run(
        'sync due feeds',
        new Date(),
        scheduler.roundsOf({ ...hourly, intervalsMs: syncIntervalsMsOf(['720']) }),
      );
      await feeds.fail('debian-osv', { cause: 'timeout', sentence: 'No answer.', retryAfterMs });
      const { nextSyncAt } = (await feeds.find('debian-osv')) ?? {};
      return ((nextSyncAt?.getTime() ?? 0) - Date.now()) / minuteMs;
    };
    for (const minutes of [1, 2, 5, 15, 60, 360, 360]) {
      const waited = await minutesAfterFailure(null);
      expect(waited / minutes).toBeGreaterThan(0.85);
      expect(waited / minutes).toBeLessThan(1.11);
    }
    await feeds.forgetFailures('debian-osv');
    expect(await minutesAfterFailure(null)).toBeLessThan(1.2);
    expect(await minutesAfterFailure(30 * minuteMs)).toBeGreaterThan(29);
    await scheduler.run('sync due feeds', new Date(), scheduler.roundsOf({ ...hourly, enabled: false }));
    await feeds.fail('debian-osv', { cause: 'timeout', sentence: 'No answer.', retryAfterMs: null });
    expect((await feeds.find('debian-osv'))?.nextSyncAt).toBeNull();
  });

  it('deletes ended uploads after their time, abandoned imports, and expired revoked tokens', async () => {
    const now = new Date();
    const long = new Date(now.getTime() - 40 * 24 * 60 * minuteMs);
    await insertUpload('matched', long);
    const waiting = await insertUpload('received', long);
    const fresh = await insertUpload('matched', now);
    const imports = createImportStore(scheduler.database.db);
    await imports.create({
      id: newId<ImportId>(),
      format: 'osv',
      origin: 'upload',
      complete: false,
      release: '',
    });
    await scheduler.database.db.prisma.feedImport.updateMany({ data: { createdAt: long } });
    const sessions = createSessionStore(scheduler.database.db);
    const user = await createUserStore(scheduler.database.db).createFirstUser(
      { id: newId<UserId>(), email: 'ada@example.org', name: '', passwordHash: '' },
      systemActor('test'),
    );
    if (user === null) throw new Error('the first user was not created');
    const started = { user, method: 'password', kind: 'token', ipAddress: null, userAgent: '' } as const;
    const start = (lifetimeMinutes: number, idleMinutes: number | null) =>
      sessions.start(
        { ...started, id: newId<string>(), lifetimeMinutes, idleMinutes, refreshHash: null },
        systemActor('test'),
      );
    await start(-1, null);
    await start(60, -1);
    const live = [(await start(60, null)).id, (await start(60, 30)).id];
    const { prisma } = scheduler.database.db;
    const expiring = (key: string, inMs: number) => ({ key, points: 1, expire: now.getTime() + inMs });
    await prisma.rateLimit.createMany({
      data: [expiring('over', -1), expiring('lasting', 60_000), { key: 'endless', points: 1 }],
    });
    for (const round of [
      'drop abandoned imports',
      'drop ended sessions',
      'drop expired rate limits',
      'drop old uploads',
    ])
      await scheduler.run(round, now);
    const counters = await prisma.rateLimit.findMany({ orderBy: { key: 'asc' } });
    expect(counters.map(({ key }) => key)).toEqual(['endless', 'lasting']);
    expect(new Set((await prisma.upload.findMany()).map(({ id }) => id))).toEqual(new Set([waiting, fresh]));
    expect(await prisma.feedImport.count()).toBe(0);
    expect((await prisma.session.findMany()).map(({ id }) => id).sort()).toEqual(live.sort());
  });
});
