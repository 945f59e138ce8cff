import { wholeFleet } from '@plimsoll/model';
import {
  createHostStore,
  createParsedUploadStore,
  createUploadStore,
  type PullToRun,
  systemActor,
} from '../src/index.ts';
import { openPullVisits, type PullVisits, pin } from './pull-visits.ts';
import { addSshHost, samplePair } from './ssh-host.ts';

let database: PullVisits['database'];
let jobs: PullVisits['jobs'];
let runs: PullVisits['runs'];
let hosts: PullVisits['hosts'];
let begin: PullVisits['begin'];
let harvestOf: PullVisits['harvestOf'];
beforeEach(async () => {
  ({ database, jobs, runs, hosts, begin, harvestOf } = await openPullVisits());
});
afterEach(() => database.drop());

const statusOf = async (run: PullToRun) => {
  const job = await jobs.find(run.jobId);
  return [job?.status, job?.errorCode];
};

describe('a visit', () => {
  it('is begun by one worker, with everything it needs', async () => {
    const pair = samplePair();
    const host = await addSshHost(database.db, {
      keyPair: { kind: 'own', pair },
      hostKeyFingerprint: 'SHA256:given',
      port: 2222,
    });
    const job = await jobs.request(host, systemActor('test'));
    const begun = await Promise.all(Array.from({ length: 8 }, () => runs.begin(job?.id ?? '', 20)));
    const [run, ...others] = begun.filter((each) => each !== null);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      hostId: host,
      hostname: 'web.example.org',
      user: 'plimsoll',
      port: 2222,
      starts: 1,
      hostKeyType: null,
      hostKeyFingerprint: 'SHA256:given',
      collectorPin: null,
      keyPairs: [pair],
    });
    expect(await jobs.find(job?.id ?? '')).toMatchObject({ status: 'running', startedAt: expect.any(Date) });
  });

  it('passes to another worker when its lease has run out, and then writes nothing', async () => {
    const host = await addSshHost(database.db);
    const lost = await begin(host, 0);
    const taken = await runs.begin(lost.jobId, 20);
    expect(taken?.starts).toBe(2);
    expect(await runs.renew([lost], 20)).toEqual(new Set());
    await runs.fail(lost, { code: 'internal', message: 'late', otherHostKey: null });
    await runs.putBack(lost, { interrupted: false });
    await runs.noteCollectorPin(lost, pin);
    await runs.harvest(lost, await harvestOf(lost));
    expect(await statusOf(lost)).toEqual(['running', null]);
    const target = await hosts.find(host);
    expect([target?.failures, target?.collectorPin]).toEqual([0, null]);
    expect(await runs.renew([taken ?? lost], 20)).toEqual(new Set([lost.jobId]));
  });

  it('that is put back can be begun again; an interruption does not count as a start', async () => {
    const host = await addSshHost(database.db);
    const run = await begin(host);
    await runs.putBack(run, { interrupted: true });
    expect(await statusOf(run)).toEqual(['queued', null]);
    expect((await runs.begin(run.jobId, 20))?.starts).toBe(1);
  });
});

describe('a pull that fetched a report', () => {
  it('succeeds when its upload has been matched, and not before', async () => {
    const host = await addSshHost(database.db);
    const run = await begin(host);
    const harvest = await harvestOf(run);
    await runs.harvest(run, harvest);
    expect(await statusOf(run)).toEqual(['running', null]);
    expect(await runs.begin(run.jobId, 20)).toBeNull();
    expect(await jobs.waiting(new Date(Date.now() + 60_000), 10)).toEqual([]);
    await database.db.prisma.upload.update({ where: { id: harvest.uploadId }, data: { state: 'matched' } });
    // Unchanged content: the job is tied to an upload that has already ended.
    await runs.harvest({ ...run }, harvest);
    expect(await statusOf(run)).toEqual(['running', null]);
    const second = await begin(await addSshHost(database.db));
    await database.db.prisma.upload.update({
      where: { id: harvest.uploadId },
      data: { hostId: second.hostId, sequence: 99 },
    });
    await runs.harvest(second, { ...harvest, keyPairId: second.keyPairs[0]?.id ?? harvest.keyPairId });
    expect(await jobs.find(second.jobId)).toMatchObject({
      status: 'succeeded',
      snapshotId: harvest.uploadId,
    });
    expect((await createHostStore(database.db).find(wholeFleet, second.hostId))?.ipAddress).toBe('192.0.2.9');
  });

  it('fails as report_invalid when the report is rejected, with a message for operators', async () => {
    const host = await addSshHost(database.db);
    const run = await begin(host);
    const harvest = await harvestOf(run);
    await runs.harvest(run, harvest);
    await createParsedUploadStore(database.db).reject(harvest.uploadId, 'report_invalid', [
      { pointer: 'line 3', detail: 'is no heading' },
    ]);
    expect(await jobs.find(run.jobId)).toMatchObject({
      status: 'failed',
      errorCode: 'report_invalid',
      errorMessage: expect.stringContaining('line 3: is no heading'),
      snapshotId: null,
    });
    expect((await hosts.find(host))?.failures).toBe(1);
  });

  it('ends in either order of the tie and the end of the upload', async () => {
    const uploads = createUploadStore(database.db);
    const parsed = createParsedUploadStore(database.db);
    const visits = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const run = await begin(await addSshHost(database.db));
        return { run, harvest: await harvestOf(run) };
      }),
    );
    await Promise.all(
      visits.flatMap(({ run, harvest }) => [
        runs.harvest(run, harvest),
        parsed.reject(harvest.uploadId, 'report_invalid', []),
      ]),
    );
    for (const { run } of visits) expect(await statusOf(run)).toEqual(['failed', 'report_invalid']);
    expect(await uploads.backlog()).toEqual([]);
  });

  it('resets the count of failures and clears the report of another host key', async () => {
    const host = await addSshHost(database.db);
    const failed = await begin(host);
    const other = { type: 'ssh-rsa', fingerprint: 'SHA256:other' };
    await runs.fail(failed, { code: 'host_key_mismatch', message: 'changed', otherHostKey: other });
    expect((await hosts.find(host))?.otherHostKey).toMatchObject(other);
    const run = await begin(host);
    const harvest = await harvestOf(run);
    await database.db.prisma.upload.update({ where: { id: harvest.uploadId }, data: { state: 'matched' } });
    await runs.harvest(run, harvest);
    expect(await hosts.find(host)).toMatchObject({ failures: 0, otherHostKey: null, collectorPin: pin });
    const { firstPulledAt, nextPullAt } = await database.db.prisma.sshTarget.findUniqueOrThrow({
      where: { hostId: host },
    });
    expect(firstPulledAt).not.toBeNull();
    expect(nextPullAt.getTime()).toBeLessThanOrEqual(Date.now() + 60 * 60_000);
  });

  it('is repeated if the upload that it confirmed has been dropped in the meantime', async () => {
    const run = await begin(await addSshHost(database.db), 0);
    const harvest = await harvestOf(run);
    await database.db.prisma.upload.delete({ where: { id: harvest.uploadId } });
    await runs.harvest(run, harvest);
    expect(await jobs.waiting(new Date(Date.now() + 60_000), 10)).toEqual([run.jobId]);
    expect((await runs.begin(run.jobId, 20))?.starts).toBe(2);
  });

  it('of a deleted host leaves nothing', async () => {
    const host = await addSshHost(database.db);
    const run = await begin(host);
    const harvest = await harvestOf(run);
    await createHostStore(database.db).delete(wholeFleet, host, systemActor('test'));
    await runs.harvest(run, harvest);
    await runs.fail(run, { code: 'internal', message: 'x', otherHostKey: { type: 't', fingerprint: 'f' } });
    expect(await runs.renew([run], 20)).toEqual(new Set());
    const { prisma } = database.db;
    const rows = await Promise.all([
      prisma.pullJob.count(),
      prisma.sshTarget.count(),
      prisma.sshKeyPair.count(),
      prisma.upload.count(),
      prisma.auditEvent.count({ where: { action: { startsWith: 'ssh.' } } }),
    ]);
    expect(rows).toEqual([0, 0, 0, 0, 0]);
  });
});
