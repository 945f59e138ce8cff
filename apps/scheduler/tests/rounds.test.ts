import { syncIntervalsMsOf } from '@plimsoll/advisories';
import {
  createAuditChain,
  createAuditStore,
  createExposureWalkStore,
  createFeedStore,
  createFleetStore,
  createHistoryRetention,
  createHostRetirement,
  createImportStore,
  createInstanceStore,
  createNotificationRounds,
  createPatchRhythmStore,
  createPullJobStore,
  createRecountStore,
  createRepositoryStore,
  createSessionStore,
  createSetPostingStore,
  createSshHostStore,
  createTagWalk,
  createUnusedRowStore,
  createUploadStore,
  createUserStore,
  createWaiverStore,
  newId,
  systemActor,
  verifyAudit,
} from '@plimsoll/db';
import type { HostId, ImportId, SshKeyPairId, UploadId, UserId } from '@plimsoll/model';
import { createLogger } from '@plimsoll/process';
import type { Bell, jobs } from '@plimsoll/queue';
import { createTestDatabase, type TestDatabase, waitFor } from '@plimsoll/testing';
import { createRounds, type Round, type SchedulerContext } from '../src/rounds.ts';
import { runRounds } from '../src/run-rounds.ts';

const log = createLogger({ app: 'test', level: 'silent' });
const minuteMs = 60_000;

let database: TestDatabase;
let rung: (readonly [job: string, payload: object])[];
beforeEach(async () => {
  database = await createTestDatabase();
  rung = [];
});
afterEach(() => database.drop());

const hourly: SchedulerContext['feedSync'] = {
  enabled: true,
  intervalsMs: syncIntervalsMsOf(['60', 'epss=600']),
  feeds: { kind: 'auto' },
  ownFiles: new Map(),
};

function roundsOf(feedSync = hourly): ReadonlyMap<string, Round> {
  const bell: Bell<typeof jobs> = {
    ring: (job, payload) => {
      rung.push([job, payload]);
    },
    ringAll: (job, payloads) => {
      for (const payload of payloads) rung.push([job, payload]);
    },
  };
  const db = database.as('scheduler');
  const rounds = createRounds({
    uploads: createUploadStore(db),
    unusedRows: createUnusedRowStore(db),
    setPostings: createSetPostingStore(db),
    imports: createImportStore(db),
    feeds: createFeedStore(db),
    fleet: createFleetStore(db),
    sessions: createSessionStore(db),
    pulls: createPullJobStore(db),
    repositories: createRepositoryStore(db),
    recounts: createRecountStore(db),
    waivers: createWaiverStore(db),
    tagWalk: createTagWalk(db),
    bell,
    feedSync,
    uploadRetentionDays: 30,
    trendRetentionDays: 400,
    history: createHistoryRetention(db),
    retirement: createHostRetirement(db),
    retireAfterDays: 30,
    exposureWalks: createExposureWalkStore(db),
    patchRhythms: createPatchRhythmStore(db),
    notifications: createNotificationRounds(db),
    deliveryRetentionDays: 90,
    payloadRetentionDays: 90,
    fullHistoryDays: 90,
    dailyHistoryDays: 400,
    historyRetentionDays: 800,
    audit: createAuditStore(db),
    auditChain: createAuditChain(db),
    auditExports: [],
    auditRetentionDays: 400,
    instances: createInstanceStore(db),
    log,
  });
  return new Map(rounds.map((round) => [round.name, round]));
}

async function run(name: string, now: Date, rounds = roundsOf()): Promise<void> {
  const round = rounds.get(name);
  if (round === undefined) throw new Error(`there is no round "${name}"`);
  await round.run(now);
}

/** A host with an hourly pull that has been due for the given minutes. */
async function insertDueHost(lateMinutes: number): Promise<HostId> {
  const id = newId<HostId>();
  const pair = {
    id: newId<SshKeyPairId>(),
    publicKey: Buffer.alloc(32),
    sealed: Buffer.alloc(1),
    sealedTo: '',
  };
  await createSshHostStore(database.db).create(
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
  await database.db.prisma.sshTarget.update({ where: { hostId: id }, data: { nextPullAt } });
  return id;
}

/** A host with a release. */
async function insertHostOf(release: string): Promise<void> {
  const hostId = newId<HostId>();
  const { id: releaseId } = await database.db.prisma.release.create({ data: { name: release } });
  await database.db.prisma.host.create({
    data: {
      id: hostId,
      onboardingMode: 'agent',
      approvalStatus: 'approved',
      displayName: 'web',
      hostname: 'web',
      contact: { create: { lastSeenAt: new Date(), staleAfterSeconds: 3_600 } },
      state: { create: { releaseId } },
    },
  });
}

async function insertUpload(state: string, receivedAt: Date): Promise<UploadId> {
  const hostId = newId<HostId>();
  const id = newId<UploadId>();
  await database.db.prisma.host.create({
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
    const fleet = createFleetStore(database.db);
    await run('note the day', new Date('2026-01-01T08:00:00Z'));
    await insertHostOf('noted:1');
    await run('note the day', new Date('2026-01-01T23:59:00Z'));
    await run('note the day', new Date('2026-01-03T00:01:00Z'));
    const days = await fleet.days('2026-01-01');
    expect(days.map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-03']);
    expect(days[0]?.totals).toEqual(days[1]?.totals);
    expect(days[0]?.totals.byStatus.new).toBeGreaterThan(0);
    await run('drop what is over', new Date('2027-02-06T12:00:00Z'));
    expect((await fleet.days('2026-01-01')).map(({ day }) => day)).toEqual(['2026-01-03']);
  });

  it('rings again for waiting uploads, each at its stage', async () => {
    const now = new Date();
    const old = new Date(now.getTime() - minuteMs);
    const received = await insertUpload('received', old);
    const parsed = await insertUpload('parsed', old);
    for (const state of ['matched', 'rejected', 'superseded']) await insertUpload(state, old);
    await insertUpload('received', now);
    await run('ring uploads again', now);
    expect(new Set(rung)).toEqual(
      new Set([
        ['report-parse', { uploadId: received }],
        ['advisory-match', { uploadId: parsed }],
      ]),
    );
  });

  it('pulls each due host once with several schedulers, and rings again for pulls that no worker took', async () => {
    const hosts = await Promise.all(Array.from({ length: 5 }, () => insertDueHost(0)));
    await Promise.all([1, 2, 3].map(() => run('pull due hosts', new Date())));
    const jobIds = (await database.db.prisma.pullJob.findMany()).map(({ id }) => id);
    expect(jobIds).toHaveLength(hosts.length);
    const rings = jobIds.map((pullJobId) => ['ssh-pull', { pullJobId }]);
    expect(new Set(rung)).toEqual(new Set(rings));
    rung = [];
    await run('ring pulls again', new Date());
    expect(rung).toEqual([]);
    await run('ring pulls again', new Date(Date.now() + minuteMs));
    expect(new Set(rung)).toEqual(new Set(rings));
  });

  it('spreads overdue pulls after an outage', async () => {
    const lateMinutes = 30;
    await Promise.all(Array.from({ length: 40 }, () => insertDueHost(lateMinutes)));
    await run('pull due hosts', new Date());
    expect(rung.length).toBeLessThan(10);
    const targets = await database.db.prisma.sshTarget.findMany({
      where: { nextPullAt: { gt: new Date() } },
    });
    expect(targets.length).toBeGreaterThan(30);
    const latest = Math.max(...targets.map(({ nextPullAt }) => nextPullAt.getTime()));
    expect(latest).toBeGreaterThan(Date.now() + (lateMinutes / 2) * minuteMs);
  });

  it('rings for imports that have not ended, except while their file is incomplete', async () => {
    const imports = createImportStore(database.db);
    const coming = newId<ImportId>();
    const queued = newId<ImportId>();
    for (const id of [coming, queued]) {
      await imports.create({ id, format: 'osv', origin: 'cli', complete: false, release: '' });
    }
    await imports.seal(queued, 0, systemActor('test'));
    await run('ring imports again', new Date());
    expect(rung).toEqual([['advisory-sync', { kind: 'import', importId: queued }]]);
  });

  it('syncs a due feed once per interval with several schedulers, and not if it is switched off', async () => {
    await createFeedStore(database.db).ensure(['debian-osv']);
    await insertHostOf('debian:12');
    await run('sync due feeds', new Date(), roundsOf({ ...hourly, enabled: false }));
    expect(rung).toEqual([]);
    await Promise.all([1, 2, 3].map(() => run('sync due feeds', new Date())));
    expect(rung).toEqual([['advisory-sync', { kind: 'sync', feedId: 'debian-osv' }]]);
    await database.db.prisma.feed.updateMany({ data: { nextSyncAt: new Date(Date.now() - 1) } });
    await run('sync due feeds', new Date());
    expect(rung).toHaveLength(2);
  });

  it("syncs only the feeds for the hosts' releases, or the configured ones", async () => {
    const feeds = createFeedStore(database.db);
    await feeds.ensure(['debian-osv', 'cisa-kev', 'epss']);
    await run('sync due feeds', new Date());
    expect(rung).toEqual([]);
    await run('sync due feeds', new Date(), roundsOf({ ...hourly, feeds: { kind: 'named', ids: ['epss'] } }));
    expect(rung).toEqual([['advisory-sync', { kind: 'sync', feedId: 'epss' }]]);
    await insertHostOf('debian:12');
    await run('sync due feeds', new Date());
    expect(rung.slice(1)).toEqual([
      ['advisory-sync', { kind: 'sync', feedId: 'cisa-kev' }],
      ['advisory-sync', { kind: 'sync', feedId: 'debian-osv' }],
    ]);
    const next = (await feeds.list()).map(({ nextSyncAt }) => nextSyncAt?.getTime());
    expect(new Set(next).size).toBe(3);
    const minutesUntil = async (id: string) =>
      (((await feeds.find(id))?.nextSyncAt?.getTime() ?? 0) - Date.now()) / minuteMs;
    expect(await minutesUntil('cisa-kev')).toBeLessThan(67);
    expect(await minutesUntil('epss')).toBeGreaterThan(500);
    await run('sync due feeds', new Date(), roundsOf({ ...hourly, feeds: { kind: 'named', ids: ['epss'] } }));
    expect((await feeds.find('debian-osv'))?.nextSyncAt).toBeNull();
  });

  it('retries a failed sync after minutes, then more slowly, and never before the server allows it', async () => {
    const feeds = createFeedStore(database.db);
    await feeds.ensure(['debian-osv']);
    await insertHostOf('debian:12');
    const minutesAfterFailure = async (retryAfterMs: number | null) => {
      await database.db.prisma.feed.updateMany({ data: { nextSyncAt: new Date(Date.now() - 1) } });
      await run(
        'sync due feeds',
        new Date(),
        roundsOf({ ...hourly, intervalsMs: syncIntervalsMsOf(['720']) }),
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
    await run('sync due feeds', new Date(), roundsOf({ ...hourly, enabled: false }));
    await feeds.fail('debian-osv', { cause: 'timeout', sentence: 'No answer.', retryAfterMs: null });
    expect((await feeds.find('debian-osv'))?.nextSyncAt).toBeNull();
  });

  it('deletes ended uploads after their time, abandoned imports, and expired revoked tokens', async () => {
    const now = new Date();
    const long = new Date(now.getTime() - 40 * 24 * 60 * minuteMs);
    await insertUpload('matched', long);
    const waiting = await insertUpload('received', long);
    const fresh = await insertUpload('matched', now);
    const imports = createImportStore(database.db);
    await imports.create({
      id: newId<ImportId>(),
      format: 'osv',
      origin: 'upload',
      complete: false,
      release: '',
    });
    await database.db.prisma.feedImport.updateMany({ data: { createdAt: long } });
    const sessions = createSessionStore(database.db);
    const user = await createUserStore(database.db).createFirstUser(
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
    const { prisma } = database.db;
    const expiring = (key: string, inMs: number) => ({ key, points: 1, expire: now.getTime() + inMs });
    await prisma.rateLimit.createMany({
      data: [expiring('over', -1), expiring('lasting', 60_000), { key: 'endless', points: 1 }],
    });
    await run('drop what is over', now);
    const counters = await prisma.rateLimit.findMany({ orderBy: { key: 'asc' } });
    expect(counters.map(({ key }) => key)).toEqual(['endless', 'lasting']);
    expect(new Set((await prisma.upload.findMany()).map(({ id }) => id))).toEqual(new Set([waiting, fresh]));
    expect(await prisma.feedImport.count()).toBe(0);
    expect((await prisma.session.findMany()).map(({ id }) => id).sort()).toEqual(live.sort());
  });
});

describe('running rounds', () => {
  it('starts at once, continues after a failure, and stops when the running round has ended', async () => {
    let runs = 0;
    let ended = 0;
    const failing: Round = {
      name: 'failing',
      everyMs: 1,
      run: async () => {
        runs++;
        await Promise.resolve();
        ended++;
        throw new Error('not this time');
      },
    };
    const running = runRounds([failing], log);
    await waitFor('several runs', () => runs > 3);
    await running.stop();
    expect(ended).toBe(runs);
    const after = runs;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(runs).toBe(after);
  });
});

describe('the audit log', () => {
  it('is deleted by age, however many events are too old, and not earlier', async () => {
    const { pool } = database.db;
    const insert = (days: string, events: number) =>
      pool.query(
        `INSERT INTO audit_events (id, at, action, actor_kind, actor_name, details)
         SELECT gen_random_uuid(), now() - $1::interval, 'host.updated', 'system', 'test', '{}' FROM generate_series(1, $2)`,
        [days, events],
      );
    await pool.query('DELETE FROM audit_events');
    await insert('401 days', 5_001);
    await run('seal audit events', new Date());
    await insert('399 days', 2);
    await run('seal audit events', new Date());
    await run('drop old audit events', new Date());
    await run('seal audit events', new Date());
    const audit = createAuditStore(database.db);
    expect([await audit.count({ action: 'host.' }), await audit.count({ action: 'audit.dropped' })]).toEqual([
      2, 2,
    ]);
    expect(await verifyAudit(database.db)).toMatchObject({
      broken: null,
      first: 5_002,
      checked: 4,
      unsealed: 0,
    });
  });
});

describe('recounts', () => {
  it('are rung for until every change is counted, once for each process that may share them', async () => {
    const { pool } = database.db;
    await run('ring recounts again', new Date());
    await pool.query("INSERT INTO version_changes (ids, counted) VALUES ('', true)");
    await run('ring recounts again', new Date());
    expect(rung).toEqual([]);
    await pool.query("INSERT INTO version_changes (ids, counted) VALUES ('', false)");
    await run('ring recounts again', new Date());
    expect(rung).toEqual([['host-recount', { share: 1 }]]);
    await pool.query("INSERT INTO recount_pieces (changes) SELECT '{2}' FROM generate_series(1, 20)");
    await run('ring recounts again', new Date());
    expect(rung.slice(1)).toEqual(
      Array.from({ length: 8 }, (_, index) => ['host-recount', { share: index + 1 }]),
    );
  });
});

describe('judging repositories', () => {
  it('is rung for if a host or a newest date waits, and for each review', async () => {
    const { db } = database;
    await run('judge repositories', new Date());
    expect(rung).toEqual([]);
    await insertHostOf('debian:12');
    await db.pool.query(
      "INSERT INTO host_refreshes (host_id, refreshes, digest) SELECT id, '[]', '' FROM hosts",
    );
    await run('judge repositories', new Date());
    await db.pool.query('UPDATE host_refreshes SET due = false');
    await run('judge repositories', new Date());
    expect(rung).toEqual([['repository-judge', { kind: 'due' }]]);
    await db.pool.query(
      `INSERT INTO repositories (key, name, origin, suite, component, architecture, base, newest_at)
       VALUES ('k', 'noble', '', '', '', '', '', now())`,
    );
    await run('judge repositories', new Date());
    await run('review repositories', new Date());
    expect(rung.slice(1)).toEqual([
      ['repository-judge', { kind: 'due' }],
      ['repository-judge', { kind: 'review' }],
    ]);
  });

  it('deletes repositories that no host has', async () => {
    const { db } = database;
    await db.pool.query(
      `INSERT INTO repositories (key, name, origin, suite, component, architecture, base)
       VALUES ('k', 'noble', '', '', '', '', '')`,
    );
    await run('drop what is over', new Date());
    expect((await db.pool.query('SELECT FROM repositories')).rowCount).toBe(0);
  });
});
