import { type HostId, wholeFleet } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { createAuditStore, createSshKeyStore, systemActor } from '../src/index.ts';
import { openPullVisits, type PullVisits } from './pull-visits.ts';
import { addSshHost, samplePair } from './ssh-host.ts';

let database: PullVisits['database'];
let runs: PullVisits['runs'];
let hosts: PullVisits['hosts'];
let begin: PullVisits['begin'];
let harvestOf: PullVisits['harvestOf'];
beforeEach(async () => {
  ({ database, runs, hosts, begin, harvestOf } = await openPullVisits());
});
afterEach(() => database.drop());

const ada = {
  kind: 'user' as const,
  id: null,
  name: 'ada@example.org',
  ipAddress: '192.0.2.1',
  requestId: null,
};
describe('host keys', () => {
  const key = { type: 'ssh-ed25519', fingerprint: 'SHA256:first' };

  it('are pinned when first seen, and by no later visit', async () => {
    const host = await addSshHost(database.db);
    await runs.pinHostKey(host, key);
    await runs.pinHostKey(host, { type: 'ssh-rsa', fingerprint: 'SHA256:second' });
    expect(await hosts.find(host)).toMatchObject({
      hostKeyType: 'ssh-ed25519',
      hostKeyFingerprint: 'SHA256:first',
      hostKeyPinnedAt: expect.any(Date),
    });
  });

  it('given as a fingerprint get their type when they are met', async () => {
    const host = await addSshHost(database.db, { hostKeyFingerprint: 'SHA256:first' });
    await runs.pinHostKey(host, { type: 'ssh-rsa', fingerprint: 'SHA256:second' });
    expect(await hosts.find(host)).toMatchObject({ hostKeyType: null, hostKeyFingerprint: 'SHA256:first' });
    await runs.pinHostKey(host, key);
    expect(await hosts.find(host)).toMatchObject({ hostKeyType: 'ssh-ed25519' });
  });

  it('that changed are reported once each, and change the pin only when accepted', async () => {
    const host = await addSshHost(database.db);
    await runs.pinHostKey(host, key);
    for (const fingerprint of ['SHA256:second', 'SHA256:second', 'SHA256:third']) {
      const otherHostKey = { type: 'ssh-rsa', fingerprint };
      await runs.fail(await begin(host), { code: 'host_key_mismatch', message: 'changed', otherHostKey });
    }
    const audit = createAuditStore(database.db);
    expect(await audit.list({ action: 'ssh.' }, { limit: 10, before: null })).toEqual([
      expect.objectContaining({
        action: 'ssh.host_key_changed',
        target: { kind: 'host', id: host, name: 'web' },
        details: { pinned: 'SHA256:first', type: 'ssh-rsa', fingerprint: 'SHA256:third' },
      }),
      expect.objectContaining({ details: expect.objectContaining({ fingerprint: 'SHA256:second' }) }),
    ]);
    expect(await hosts.find(host)).toMatchObject({ hostKeyFingerprint: 'SHA256:first' });
    expect(await hosts.acceptHostKey(host, 'SHA256:third', ada)).toBe(true);
    expect(await hosts.find(host)).toMatchObject({
      hostKeyType: 'ssh-rsa',
      hostKeyFingerprint: 'SHA256:third',
      otherHostKey: null,
    });
    expect((await audit.list({ action: 'ssh.' }, { limit: 1, before: null }))[0]).toMatchObject({
      action: 'ssh.host_key_accepted',
      actor: ada,
      details: { fingerprint: 'SHA256:third', before: 'SHA256:first' },
    });
    expect(await hosts.acceptHostKey(host, 'SHA256:unseen', ada)).toBe(true);
    expect(await hosts.find(host)).toMatchObject({ hostKeyType: null, hostKeyFingerprint: 'SHA256:unseen' });
  });
});

describe('a rotated key', () => {
  const finish = async (host: HostId, pair: number) => {
    const run = await begin(host);
    const harvest = await harvestOf(run, pair);
    await database.db.prisma.upload.update({ where: { id: harvest.uploadId }, data: { state: 'matched' } });
    await runs.harvest(run, harvest);
    return run.keyPairs.map(({ id }) => id);
  };

  it('is tried first, beside the one that worked last, until it has worked', async () => {
    const [first, second, third] = [samplePair(), samplePair(), samplePair()];
    const host = await addSshHost(database.db, { keyPair: { kind: 'own', pair: first } });
    await hosts.rotateKey(host, second, ada);
    await hosts.rotateKey(host, third, ada);
    expect(await finish(host, 1)).toEqual([third.id, first.id]);
    expect(await finish(host, 0)).toEqual([third.id, first.id]);
    expect(await finish(host, 0)).toEqual([third.id]);
    const left = await database.db.prisma.sshKeyPair.findMany({ where: { hostId: host } });
    expect(left.map(({ id }) => id)).toEqual([third.id]);
  });
});

describe('sealed records', () => {
  it('under another key are found page by page, and replaced only if they are unchanged', async () => {
    const keys = createSshKeyStore(database.db);
    for (const sealedTo of ['old', 'old', 'old', 'new']) {
      await addSshHost(database.db, { keyPair: { kind: 'own', pair: samplePair(sealedTo) } });
    }
    const first = await keys.sealed({ notUnder: 'new', after: null, limit: 2 });
    const second = await keys.sealed({ notUnder: 'new', after: first.at(-1)?.id ?? null, limit: 2 });
    expect([first.length, second.length]).toEqual([2, 1]);
    const [record] = second;
    if (record === undefined) throw new Error('no record');
    const sealed = Buffer.from('sealed anew');
    expect(await keys.reseal(record.id, Buffer.from('other'), sealed, 'new')).toBe(false);
    expect(await keys.reseal(record.id, record.sealed, sealed, 'new')).toBe(true);
    expect(await keys.sealed({ notUnder: 'new', after: null, limit: 10 })).toHaveLength(2);
  });
});

describe('changes of the pull settings of a host', () => {
  it('take effect at the next pull, which comes after at most one interval', async () => {
    const host = await addSshHost(database.db);
    await database.db.prisma.sshTarget.update({
      where: { hostId: host },
      data: { nextPullAt: new Date(Date.now() + 8 * 3600_000) },
    });
    const frequency = { minutes: 10, staleAfterSeconds: 99_000 };
    expect(
      await hosts.update(wholeFleet, host, { user: 'root', port: 2222, frequency }, systemActor('test')),
    ).toBe(true);
    const target = await hosts.find(host);
    expect(target).toMatchObject({ user: 'root', port: 2222, frequencyMinutes: 10, pullPaused: false });
    expect(target?.nextPullAt.getTime()).toBeLessThanOrEqual(Date.now() + 10 * 60_000);
    const contact = await database.db.prisma.hostContact.findUniqueOrThrow({ where: { hostId: host } });
    expect(contact.staleAfterSeconds).toBe(99_000);
  });

  it('made to many hosts at once spread those that are brought forward over the interval', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => addSshHost(database.db)));
    const inDays = { nextPullAt: new Date(Date.now() + 5 * 24 * 3600_000) };
    await database.db.prisma.sshTarget.updateMany({ data: inDays });
    const frequency = { minutes: 60, staleAfterSeconds: 99_000 };
    await Promise.all(all.map((host) => hosts.update(wholeFleet, host, { frequency }, systemActor('test'))));
    const targets = await Promise.all(all.map((host) => hosts.find(host)));
    const minutes = targets.map((target) => ((target?.nextPullAt.getTime() ?? 0) - Date.now()) / 60_000);
    expect(Math.max(...minutes)).toBeLessThanOrEqual(60);
    expect(Math.max(...minutes) - Math.min(...minutes)).toBeGreaterThan(10);
  });

  it('lock the contact before the target, as the end of an upload does', async () => {
    const { pool } = database.db;
    const host = await addSshHost(database.db);
    const end = await pool.connect();
    await end.query('BEGIN');
    await end.query('SELECT FROM host_contacts WHERE host_id = $1 FOR UPDATE', [host]);
    const changed = hosts.update(
      wholeFleet,
      host,
      { frequency: { minutes: 10, staleAfterSeconds: 99_000 } },
      systemActor('test'),
    );
    await waitFor('the change to wait for the contact', async () => {
      const { rowCount } = await pool.query('SELECT FROM pg_locks WHERE NOT granted');
      return rowCount !== 0;
    });
    try {
      await end.query('SELECT FROM ssh_targets WHERE host_id = $1 FOR UPDATE NOWAIT', [host]);
    } finally {
      await end.query('ROLLBACK');
      end.release();
    }
    expect(await changed).toBe(true);
  });

  it('pause and resume: a resumed host is due within minutes', async () => {
    const host = await addSshHost(database.db);
    await hosts.update(wholeFleet, host, { pullPaused: true }, systemActor('test'));
    expect((await hosts.find(host))?.pullPaused).toBe(true);
    await hosts.update(wholeFleet, host, { pullPaused: false }, systemActor('test'));
    expect((await hosts.find(host))?.nextPullAt.getTime()).toBeLessThanOrEqual(Date.now() + 5 * 60_000);
  });

  it('and of the host itself are made together or not at all', async () => {
    const host = await addSshHost(database.db);
    const find = () => database.db.prisma.host.findUniqueOrThrow({ where: { id: host } });
    const before = await find();
    const tooLarge = { displayName: 'Renamed', tags: ['web'], port: 2 ** 40 };
    await expect(hosts.update(wholeFleet, host, tooLarge, systemActor('test'))).rejects.toThrow();
    expect(await find()).toEqual(before);
    expect(await hosts.update(wholeFleet, host, { ...tooLarge, port: 2222 }, systemActor('test'))).toBe(true);
    expect(await find()).toMatchObject({ displayName: 'Renamed', tags: ['web'] });
    expect(await hosts.find(host)).toMatchObject({ port: 2222 });
  });
});
