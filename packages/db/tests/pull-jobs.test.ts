import type { HostId, PullJobId } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import {
  createPullJobStore,
  createPullRunStore,
  newId,
  type PullJobStore,
  type PullRunStore,
  systemActor,
} from '../src/index.ts';
import { addSshHost } from './ssh-host.ts';

const minuteMs = 60_000;

const database = databasePerTest();
let jobs: PullJobStore;
let runs: PullRunStore;
beforeEach(async () => {
  jobs = createPullJobStore(database.db);
  runs = createPullRunStore(database.db);
});

const targetOf = (hostId: HostId) => database.db.prisma.sshTarget.findUniqueOrThrow({ where: { hostId } });
const setTarget = (hostId: HostId, data: Parameters<typeof database.db.prisma.sshTarget.update>[0]['data']) =>
  database.db.prisma.sshTarget.update({ where: { hostId }, data });
const minutesFromNow = (time: Date) => (time.getTime() - Date.now()) / minuteMs;

async function failPull(hostId: HostId): Promise<void> {
  const job = await jobs.request(hostId, systemActor('test'));
  const run = await runs.begin(job?.id ?? '', 20);
  if (run === null) throw new Error('the job cannot be begun');
  await runs.fail(run, { code: 'connect_timeout', message: 'Nothing answers.', otherHostKey: null });
}

describe('due hosts', () => {
  it('are claimed once by any number of schedulers, longest waiting first, and are due again after an interval', async () => {
    const hosts = await Promise.all(Array.from({ length: 30 }, () => addSshHost(database.db)));
    const claims = await Promise.all(Array.from({ length: 6 }, () => jobs.claimDue(10)));
    const claimed = claims.flatMap((claim) => claim.jobs);
    const rest = (await jobs.claimDue(100)).jobs;
    expect(new Set([...claimed, ...rest]).size).toBe(30);
    expect(claimed.length + rest.length).toBe(30);
    expect((await jobs.claimDue(10)).hosts).toBe(0);
    for (const host of hosts) {
      const [job, ...others] = await jobs.listOfHost(host);
      expect([job?.trigger, job?.status, others.length]).toEqual(['schedule', 'queued', 0]);
      const due = minutesFromNow((await targetOf(host)).nextPullAt);
      expect(due).toBeGreaterThan(56);
      expect(due).toBeLessThanOrEqual(60);
    }
  });

  it('that were claimed together are spread out', async () => {
    const hosts = await Promise.all(Array.from({ length: 20 }, () => addSshHost(database.db)));
    await jobs.claimDue(100);
    const times = await Promise.all(hosts.map(async (host) => (await targetOf(host)).nextPullAt.getTime()));
    expect(new Set(times).size).toBeGreaterThan(15);
  });

  it('are left alone while paused, and get no second job while one is open', async () => {
    const paused = await addSshHost(database.db);
    await setTarget(paused, { pullPaused: true });
    const busy = await addSshHost(database.db);
    await jobs.request(busy, systemActor('test'));
    expect(await jobs.claimDue(10)).toEqual({ hosts: 1, jobs: [] });
    expect(await jobs.listOfHost(paused)).toEqual([]);
    expect(await jobs.listOfHost(busy)).toHaveLength(1);
    expect(minutesFromNow((await targetOf(busy)).nextPullAt)).toBeGreaterThan(56);
  });

  it('keep ten jobs each', async () => {
    const host = await addSshHost(database.db);
    const other = await addSshHost(database.db);
    await jobs.request(other, systemActor('test'));
    for (let n = 0; n < 13; n++) await failPull(host);
    expect(await database.db.prisma.pullJob.count({ where: { hostId: host } })).toBe(10);
    expect(await jobs.listOfHost(other)).toHaveLength(1);
  });

  it('that were not claimed for long are spread over their delay, at most one interval', async () => {
    const late = await addSshHost(database.db);
    await setTarget(late, { nextPullAt: new Date(Date.now() - 20 * minuteMs) });
    const veryLate = await addSshHost(database.db);
    await setTarget(veryLate, { nextPullAt: new Date(Date.now() - 500 * minuteMs) });
    const ahead = await addSshHost(database.db);
    await setTarget(ahead, { nextPullAt: new Date(Date.now() + 365 * 24 * 60 * minuteMs) });
    const inTime = await addSshHost(database.db);
    expect(await jobs.spreadOverdue(120, 100)).toBe(3);
    expect(minutesFromNow((await targetOf(ahead)).nextPullAt)).toBeLessThanOrEqual(60);
    expect(minutesFromNow((await targetOf(late)).nextPullAt)).toBeLessThanOrEqual(20);
    expect(minutesFromNow((await targetOf(veryLate)).nextPullAt)).toBeLessThanOrEqual(60);
    for (const host of [late, veryLate]) {
      expect(minutesFromNow((await targetOf(host)).nextPullAt)).toBeGreaterThan(-0.1);
    }
    expect(minutesFromNow((await targetOf(inTime)).nextPullAt)).toBeLessThan(0);
  });
});

describe('the next pull after failures', () => {
  const dueAfter = async (failures: number, firstPulledAt: Date | null, createdAt = new Date()) => {
    const host = await addSshHost(database.db);
    await setTarget(host, { failures, firstPulledAt, createdAt });
    await failPull(host);
    expect((await targetOf(host)).failures).toBe(failures + 1);
    return minutesFromNow((await targetOf(host)).nextPullAt);
  };

  it.each([
    [0, 60],
    [1, 120],
    [2, 240],
    [3, 480],
    [4, 480],
    [50, 480],
  ])('comes later each time, up to eight intervals: %i before', async (failures, minutes) => {
    const due = await dueAfter(failures, new Date());
    expect(due).toBeGreaterThan(minutes * 0.84);
    expect(due).toBeLessThanOrEqual(minutes);
  });

  it('comes within five minutes in the first day of a host that was never pulled, then at its interval', async () => {
    expect(await dueAfter(40, null)).toBeLessThanOrEqual(5);
    const due = await dueAfter(400, null, new Date(Date.now() - 25 * 60 * minuteMs));
    expect(due).toBeGreaterThan(50);
    expect(due).toBeLessThanOrEqual(60);
  });
});

describe('jobs to ring for again', () => {
  const later = () => new Date(Date.now() + minuteMs);
  const waiting = () => jobs.waiting(later(), 100);

  it('are those without a running visit', async () => {
    const [queued, held, abandoned, ended] = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const host = await addSshHost(database.db);
        return (await jobs.request(host, systemActor('test')))?.id ?? newId<PullJobId>();
      }),
    );
    await runs.begin(held ?? '', 20);
    await runs.begin(abandoned ?? '', 0);
    const run = await runs.begin(ended ?? '', 20);
    if (run !== null) await runs.fail(run, { code: 'internal', message: 'x', otherHostKey: null });
    expect([...(await waiting())].sort()).toEqual([queued, abandoned].sort());
    expect(await jobs.waiting(new Date(Date.now() - minuteMs), 100)).toEqual([]);
  });
});
