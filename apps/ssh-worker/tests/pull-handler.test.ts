import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import {
  createAuditStore,
  createHostStore,
  createPullRunStore,
  createSshHostStore,
  systemActor,
} from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import { generateSealingKey, replaceRing, seal } from '@plimsoll/secrets';
import { generateKeyPair, openSshPublicKey } from '@plimsoll/ssh';
import {
  createSshdHostKey,
  describeWhere,
  folderPerFile,
  sshdPath,
  startSshd,
  type TestSshd,
  waitFor,
} from '@plimsoll/testing';
import { collectorOf, type HostPair, sampleCollector, WorkerUnderTest } from './pulled-host.ts';

const gunzip = promisify(zlib.gunzip);
const newest = sampleCollector('newest');
const older = sampleCollector('older');
const foreign = sampleCollector('foreign');

const withSshd = (name: string, group: () => void) =>
  describeWhere(sshdPath() === null ? ['sshd'] : [], name, group);

let worker: WorkerUnderTest;
let sshd: TestSshd;
let pair: HostPair;
const folder = folderPerFile();
beforeAll(async () => {
  if (sshdPath() !== null) sshd = await startSshd();
});
afterAll(async () => {
  await sshd?.stop();
});
beforeEach(async () => {
  worker = await WorkerUnderTest.start();
  pair = await worker.makePair();
  await worker.keep(older);
  await worker.keep(newest);
});
afterEach(() => worker.stop());

async function uploadedTexts(): Promise<readonly string[]> {
  const uploads = await worker.db.prisma.upload.findMany({ orderBy: { sequence: 'asc' } });
  return Promise.all(uploads.map(async ({ body }) => (await gunzip(body ?? '')).toString()));
}

/** A collector that runs until `open` is called or the tests end: it may outlive its session. */
function gatedCollector() {
  const gate = path.join(folder, `gate-${Math.random().toString(36).slice(2)}`);
  const begun = `${gate}.begun`;
  const collector = sampleCollector(
    'gated',
    `: >${begun}; while [ -e ${begun} ] && [ ! -e ${gate} ]; do sleep 0.1; done`,
  );
  return { collector, gate, begun, open: () => writeFile(gate, '') };
}

withSshd('a pull', () => {
  it("stores the collector's output as an upload, and pins the host's key", async () => {
    await sshd.setAuthorizedKeys(`${pair.lineFor(newest)}\n`);
    const host = await worker.addHost(pair, { port: sshd.port });
    const job = await worker.pull(host);
    expect([job.status, job.errorCode]).toEqual(['running', null]); // until the upload has been matched
    expect(await uploadedTexts()).toEqual(['plimsoll-report 1 apt 1.0.0\nnewest\n']);
    const [upload] = await worker.db.prisma.upload.findMany();
    expect(upload).toMatchObject({ door: 'ssh', payloadKind: 'report', state: 'received' });
    expect(worker.rung).toEqual([upload?.id]);
    expect(await worker.target(host)).toMatchObject({
      hostKeyType: 'ssh-ed25519',
      hostKeyFingerprint: sshd.hostKeys[0]?.fingerprint,
      collectorPin: newest.sha256,
    });
    expect((await createHostStore(worker.db).find(wholeFleet, host))?.ipAddress).toBe('127.0.0.1');
  });

  it('works with the plain key too, and then sends the newest collector, whatever was pinned before', async () => {
    const host = await worker.addHost(pair, { port: sshd.port });
    await worker.db.prisma.sshTarget.update({
      where: { hostId: host },
      data: { collectorPin: new Uint8Array(older.sha256) },
    });
    await sshd.setAuthorizedKeys(`${pair.plainLine}\n`);
    await worker.pull(host);
    expect((await worker.target(host))?.collectorPin).toBeNull();
    await worker.db.prisma.pullJob.updateMany({ data: { status: 'succeeded' } });
    await worker.pull(host);
    expect((await uploadedTexts()).at(-1)).toContain('newest');
  });

  it('learns which collector a host pins, and sends that one', async () => {
    await sshd.setAuthorizedKeys(`${pair.lineFor(older)}\n`);
    const host = await worker.addHost(pair, { port: sshd.port });
    await worker.pull(host);
    expect(await uploadedTexts()).toEqual([expect.stringContaining('older')]);
    expect((await worker.target(host))?.collectorPin).toEqual(older.sha256);
    // The owner installs the new line.
    await sshd.setAuthorizedKeys(`${pair.lineFor(newest)}\n`);
    await worker.db.prisma.pullJob.updateMany({ data: { status: 'succeeded' } });
    await worker.pull(host);
    expect((await uploadedTexts()).at(-1)).toContain('newest');
    expect((await worker.target(host))?.collectorPin).toEqual(newest.sha256);
  });

  it('is refused if a host pins an unknown collector', async () => {
    await sshd.setAuthorizedKeys(`${pair.lineFor(foreign)}\n`);
    const host = await worker.addHost(pair, { port: sshd.port });
    const job = await worker.pull(host);
    expect([job.status, job.errorCode]).toEqual(['failed', 'collector_refused']);
    expect(job.errorMessage).toContain(foreign.sha256.toString('hex'));
    expect((await worker.target(host))?.collectorPin).toEqual(foreign.sha256);
    expect(await uploadedTexts()).toEqual([]);
  });

  it('uses the earlier key until the new one is accepted', async () => {
    await sshd.setAuthorizedKeys(`${pair.lineFor(newest)}\n`);
    const host = await worker.addHost(pair, { port: sshd.port });
    const next = await worker.makePair();
    const ada = { kind: 'user' as const, id: null, name: 'ada', ipAddress: null, requestId: null };
    await createSshHostStore(worker.db).rotateKey(host, next, ada);
    await worker.pull(host);
    expect(await uploadedTexts()).toHaveLength(1);
    expect(await worker.db.prisma.sshKeyPair.count()).toBe(2);
    await sshd.setAuthorizedKeys(`${next.lineFor(newest)}\n`);
    await worker.db.prisma.pullJob.updateMany({ data: { status: 'succeeded' } });
    await worker.pull(host);
    expect((await worker.db.prisma.sshKeyPair.findMany()).map(({ id }) => id)).toEqual([next.id]);
  });

  it('continues if its key is sealed again meanwhile', async () => {
    await sshd.setAuthorizedKeys(`${pair.plainLine}\n`);
    const host = await worker.addHost(pair, { port: sshd.port });
    await worker.pull(host);
    const key = generateSealingKey();
    await replaceRing(worker.keyFiles.keysFile, [key]);
    const fresh = generateKeyPair();
    await worker.db.prisma.sshKeyPair.update({
      where: { id: pair.id },
      data: {
        publicKey: new Uint8Array(fresh.publicKey),
        sealed: new Uint8Array(seal(key.publicKey, fresh.seed, pair.id)),
        sealedTo: key.publicKey.keyId,
      },
    });
    await sshd.setAuthorizedKeys(`${openSshPublicKey(fresh.publicKey, 'fresh')}\n`);
    await worker.db.prisma.pullJob.updateMany({ data: { status: 'succeeded' } });
    expect((await worker.pull(host)).status).toBe('running');
  });
});

withSshd('a pull that fails', () => {
  it.each([
    ['auth_failed', {}, 1],
    ['auth_failed', { user: 'nobody-of-that-name' }, 1],
    ['connect_refused', { port: 1 }, 2],
    ['address_refused', { hostname: '169.254.169.254' }, 1],
    ['dns_failed', { hostname: 'no-such-host.invalid' }, 2],
  ])('ends as %s with a sentence: %j', async (code, target, visits) => {
    await sshd.setAuthorizedKeys('');
    const host = await worker.addHost(pair, { port: sshd.port, ...target });
    const job = await worker.pull(host);
    expect([job.status, job.errorCode]).toEqual(['failed', code]);
    expect(job.errorMessage).toMatch(/^.{20,}\.$/s);
    const { starts } = await worker.db.prisma.pullJob.findUniqueOrThrow({ where: { id: job.id } });
    expect(starts).toBe(visits);
    expect((await worker.target(host))?.failures).toBe(1);
  });

  it('with a changed host key offers no key, and reports it on the host and in the audit log', async () => {
    await sshd.setAuthorizedKeys(`${pair.plainLine}\n`);
    const host = await worker.addHost(pair, { port: sshd.port });
    await worker.pull(host);
    await worker.db.prisma.pullJob.updateMany({ data: { status: 'succeeded' } });
    const impostor = await startSshd({ hostKeys: [await createSshdHostKey('ed25519')], logLevel: 'DEBUG3' });
    try {
      await impostor.setAuthorizedKeys(`${pair.plainLine}\n`);
      await createSshHostStore(worker.db).update(
        wholeFleet,
        host,
        { port: impostor.port },
        systemActor('test'),
      );
      const job = await worker.pull(host);
      expect(job.errorCode).toBe('host_key_mismatch');
      expect(impostor.log()).not.toMatch(/userauth-request/);
    } finally {
      await impostor.stop();
    }
    const fingerprint = impostor.hostKeys[0]?.fingerprint;
    expect(await worker.target(host)).toMatchObject({
      hostKeyFingerprint: sshd.hostKeys[0]?.fingerprint,
      otherHostKey: { type: 'ssh-ed25519', fingerprint },
    });
    const events = await createAuditStore(worker.db).list({ action: 'ssh.' }, { limit: 10, before: null });
    expect(events.map(({ action, details }) => [action, details['fingerprint']])).toEqual([
      ['ssh.host_key_changed', fingerprint],
    ]);
  });

  it('without the key that decrypts its own names the setting to check', async () => {
    const host = await worker.addHost(pair, { port: sshd.port });
    await replaceRing(worker.keyFiles.keysFile, [generateSealingKey()]);
    const job = await worker.pull(host);
    expect(job.errorCode).toBe('internal');
    expect(job.errorMessage).toContain('ssh.sealing_keys_file');
  });

  it('is given up after too many broken starts', async () => {
    const host = await worker.addHost(pair, { port: sshd.port });
    const id = await worker.ask(host);
    await worker.db.prisma.pullJob.update({ where: { id }, data: { starts: 6 } });
    await worker.deliver(id);
    const job = await worker.db.prisma.pullJob.findUniqueOrThrow({ where: { id } });
    expect([job.status, job.errorCode]).toEqual(['failed', 'internal']);
  });
});

withSshd('a pull under way', () => {
  it('is put back by a shutdown, which does not count as a start', async () => {
    const { collector, begun } = gatedCollector();
    await worker.keep(collector);
    await sshd.setAuthorizedKeys(`${pair.plainLine}\n`);
    const id = await worker.ask(await worker.addHost(pair, { port: sshd.port }));
    const shutdown = new AbortController();
    const delivered = worker.deliver(id, { signal: shutdown.signal });
    await waitFor('the collector to run', () => existsSync(begun));
    shutdown.abort(new Error('shutdown'));
    await expect(delivered).rejects.toThrow('shutdown');
    const job = await worker.db.prisma.pullJob.findUniqueOrThrow({ where: { id } });
    expect([job.status, job.starts, job.runId]).toEqual(['queued', 0, null]);
  });

  it('never unpacks what a hostile host sends', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(256 * 1024 * 1024));
    const report = Buffer.concat([Buffer.from('plimsoll-report 1 apt 1.0.0\n'), bomb]);
    const file = path.join(folder, 'bomb');
    // The hosts ignore the collector and answer with their own bytes.
    await sshd.setAuthorizedKeys(`command="cat ${file}" ${pair.plainLine}\n`);
    await writeFile(file, report);
    const stored = await worker.pull(await worker.addHost(pair, { port: sshd.port }));
    expect([stored.status, stored.errorMessage]).toEqual(['running', null]);
    const [upload] = await worker.db.prisma.upload.findMany();
    expect(upload).toMatchObject({ state: 'received', size: report.length });
    // What the service packed itself unpacks to exactly what the host sent.
    expect(await gunzip(upload?.body ?? '')).toEqual(report);
    await writeFile(file, bomb);
    const other = await worker.makePair();
    await sshd.setAuthorizedKeys(`command="cat ${file}" ${other.plainLine}\n`);
    const failed = await worker.pull(await worker.addHost(other, { port: sshd.port }));
    expect([failed.status, failed.errorCode]).toEqual(['failed', 'command_failed']);
    expect(await worker.db.prisma.upload.count()).toBe(1);
  });

  it('does not block another large report when it breaks off with its own in memory', async () => {
    await worker.keep(
      collectorOf("echo plimsoll-report 1 apt 1.0.0; head -c 2000000 /dev/zero | tr '\\000' x\n"),
    );
    await sshd.setAuthorizedKeys(`${pair.plainLine}\n`);
    const id = await worker.ask(await worker.addHost(pair, { port: sshd.port }));
    const rename = (from: string, to: string) =>
      worker.db.pool.query(`ALTER TABLE ssh_targets RENAME ${from} TO ${to}`);
    // The database refuses to store what the visit has learned.
    await rename('host_key_pinned_at', 'elsewhere');
    await expect(worker.deliver(id)).rejects.toThrow('host_key_pinned_at');
    await rename('elsewhere', 'host_key_pinned_at');
    await worker.deliver(id, { attempt: 2 });
    expect((await worker.db.prisma.pullJob.findUniqueOrThrow({ where: { id } })).errorCode).toBeNull();
    expect((await uploadedTexts()).map(({ length }) => length)).toEqual([2_000_028]);
  });

  it('is not started a second time, and stores nothing once another worker has it', async () => {
    const { collector, begun, open } = gatedCollector();
    await worker.keep(collector);
    await sshd.setAuthorizedKeys(`${pair.plainLine}\n`);
    const id = await worker.ask(await worker.addHost(pair, { port: sshd.port }));
    const delivered = worker.deliver(id);
    await waitFor('the collector to run', () => existsSync(begun));
    await worker.deliver(id);
    expect((await worker.db.prisma.pullJob.findUniqueOrThrow({ where: { id } })).starts).toBe(1);
    await worker.db.prisma.pullJob.update({ where: { id }, data: { leasedUntil: new Date(0) } });
    expect(await createPullRunStore(worker.db).begin(id, 60)).not.toBeNull();
    await open();
    await delivered;
    expect(await uploadedTexts()).toEqual([]);
    expect((await worker.db.prisma.pullJob.findUniqueOrThrow({ where: { id } })).status).toBe('running');
  });

  it('ends without a trace when its host is deleted', async () => {
    const { collector, begun, open } = gatedCollector();
    await worker.keep(collector);
    await sshd.setAuthorizedKeys(`${pair.plainLine}\n`);
    const host = await worker.addHost(pair, { port: sshd.port });
    const delivered = worker.deliver(await worker.ask(host));
    await waitFor('the collector to run', () => existsSync(begun));
    await createHostStore(worker.db).delete(wholeFleet, host, systemActor('test'));
    await open();
    await delivered;
    const { prisma } = worker.db;
    expect(
      await Promise.all([prisma.upload.count(), prisma.pullJob.count(), prisma.sshTarget.count()]),
    ).toEqual([0, 0, 0]);
  });
});
