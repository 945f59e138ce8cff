import { type HostId, wholeFleet } from '@plimsoll/model';
import { databasePerFile, enrolHost, issueToken } from '@plimsoll/testing';
import {
  createHostStore,
  createParsedUploadStore,
  createUploadAllowances,
  createUploadStore,
  defaultUploadLimits,
  type NewUpload,
  newId,
  systemActor,
} from '../src/index.ts';
import { agentUpload } from './agent-upload.ts';

const limits = {
  ...defaultUploadLimits,
  pending: { uploadsPerDay: 4, bytesPerDay: 1_000_000, newEntriesPerDay: 10_000 },
  approvedByToken: { bytesPerDay: 2_000_000, newEntriesPerDay: 20_000 },
};
const taken = { kind: 'taken' };

const database = databasePerFile();

/** Hosts that enrolled with one new token. */
async function addHosts(count: number, autoApprove = false): Promise<readonly HostId[]> {
  const { secret } = await issueToken(database.db, { autoApprove });
  return Promise.all(Array.from({ length: count }, () => enrolHost(database.db, secret)));
}

/** An accepted upload of a new host. */
async function acceptOfNew(autoApprove = false): Promise<NewUpload> {
  const [hostId = newId<HostId>()] = await addHosts(1, autoApprove);
  const upload = agentUpload(hostId);
  await api().accept(upload);
  return upload;
}

const approve = (id: HostId) => createHostStore(database.db).approve(wholeFleet, id, systemActor('test'));
const api = () => createUploadStore(database.as('api'), limits);
const worker = () => createParsedUploadStore(database.as('report-worker'));
const pending = () =>
  createUploadStore(database.as('scheduler')).pending(new Date(Date.now() + 60_000), 1_000);
const stateOf = async (hostId: HostId, id: string) => (await api().find(hostId, id))?.state;

describe('the pending hosts of one registration token', () => {
  it('share exactly one allowance of uploads, which approved hosts and hosts of another token do not use', async () => {
    const hosts = await addHosts(12);
    const results = await Promise.allSettled(hosts.map((id) => api().accept(agentUpload(id))));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(8);
    for (const { code, message, retryAfterSeconds } of refused) {
      expect([code, message]).toEqual(['rate_limited', expect.stringContaining('is not approved yet')]);
      expect(retryAfterSeconds).toBeGreaterThan(20_000);
    }
    const left = hosts[results.findIndex(({ status }) => status === 'rejected')] ?? newId<HostId>();
    const allowances = createUploadAllowances(database.as('api'), limits);
    await expect(allowances.require(left, 'agent')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(allowances.require(left, 'manual')).resolves.toBeUndefined();
    await approve(left);
    await expect(allowances.require(left, 'agent')).resolves.toBeUndefined();
    expect(await api().accept(agentUpload(left))).toBe(true);
    await acceptOfNew();
  });

  it('share one allowance of bytes', async () => {
    const [a = newId<HostId>(), b = newId<HostId>()] = await addHosts(2);
    expect(await api().accept(agentUpload(a, 700_000))).toBe(true);
    await expect(api().accept(agentUpload(b, 700_000))).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('bytes'),
    });
    expect(await api().countOfHost(b)).toBe(0);
    expect(await api().accept(agentUpload(b, 200_000))).toBe(true);
  });

  it('share one allowance of new entries and get the time to wait for it', async () => {
    const [a = newId<HostId>(), b = newId<HostId>()] = await addHosts(2);
    const allowances = createUploadAllowances(database.as('report-worker'), limits);
    expect(await allowances.takeEntries(a, 'agent', 6_000)).toEqual(taken);
    const later = await allowances.takeEntries(b, 'agent', 6_000);
    expect(later.kind).toBe('later');
    const seconds = later.kind === 'later' ? later.seconds : null;
    // 2,000 above a limit of 10,000 per day.
    expect(seconds).toBeGreaterThan(17_000);
    expect(seconds).toBeLessThanOrEqual(17_280);
    // More than the limit per day: no wait is enough.
    expect(await allowances.takeEntries(b, 'agent', 10_001)).toEqual({ kind: 'later', seconds: null });
    // None of these calls took anything, not even from the host's own allowance.
    const { rows } = await database.db.pool.query(
      'SELECT FROM upload_allowances WHERE host_id = $1 AND entries_whole_at > now()',
      [b],
    );
    expect(rows).toEqual([]);
    expect(await allowances.takeEntries(b, 'agent', 3_900)).toEqual(taken);
    expect(await allowances.takeEntries(b, 'manual', 6_000)).toEqual(taken);
    await approve(b);
    expect(await allowances.takeEntries(b, 'agent', 6_000)).toEqual(taken);
  });
});

describe('the hosts that one registration token approved', () => {
  const ended = `UPDATE hosts SET shares_allowance_until = now() - interval '1 second' WHERE id = $1`;

  it('share one allowance of bytes for a day, unless a user approves them', async () => {
    const [a = newId<HostId>(), b = newId<HostId>(), c = newId<HostId>()] = await addHosts(3, true);
    expect(await api().accept(agentUpload(a, 1_500_000))).toBe(true);
    const refused = { code: 'rate_limited', message: expect.stringContaining('token approved it') };
    await expect(api().accept(agentUpload(b, 1_500_000))).rejects.toMatchObject(refused);
    expect(await api().countOfHost(b)).toBe(0);
    expect(await api().accept(agentUpload(b, 400_000))).toBe(true);
    await expect(api().accept(agentUpload(c, 400_000))).rejects.toMatchObject(refused);
    // Uploads of the service's own users and hosts of other tokens are not counted together with them.
    expect(await api().accept({ ...agentUpload(c, 1_500_000), door: 'manual' })).toBe(true);
    const [other = newId<HostId>()] = await addHosts(1, true);
    expect(await api().accept(agentUpload(other, 1_500_000))).toBe(true);
    await approve(b);
    expect(await api().accept(agentUpload(b, 1_500_000))).toBe(true);
    await database.db.pool.query(ended, [c]);
    expect(await api().accept(agentUpload(c, 1_500_000))).toBe(true);
  });

  it('send any number of small uploads, unlike pending hosts, and all of them are kept', async () => {
    const hosts = await addHosts(6, true);
    for (const id of [...hosts, ...hosts]) expect(await api().accept(agentUpload(id))).toBe(true);
    const { rows } = await database.db.pool.query(
      `SELECT DISTINCT state FROM uploads WHERE host_id = ANY($1::uuid[])`,
      [hosts],
    );
    expect(rows).toEqual([{ state: 'received' }]);
  });

  it('share one allowance of new versions, but not of changes', async () => {
    const [a = newId<HostId>(), b = newId<HostId>()] = await addHosts(2, true);
    const allowances = createUploadAllowances(database.as('report-worker'), limits);
    expect(await allowances.takeEntries(a, 'agent', 12_000)).toEqual(taken);
    const later = await allowances.takeEntries(b, 'agent', 12_000);
    expect(later.kind).toBe('later');
    // 4,000 above a limit of 20,000 per day.
    expect(later.kind === 'later' ? later.seconds : null).toBeGreaterThan(17_000);
    expect(await allowances.takeEntries(b, 'agent', 20_001)).toEqual({ kind: 'later', seconds: null });
    const upload = agentUpload(b);
    await api().accept(upload);
    expect(await allowances.takeChanges(upload, 12_000)).toEqual(taken);
    expect(await allowances.takeEntries(b, 'agent', 7_900)).toEqual(taken);
    await database.db.pool.query(ended, [b]);
    expect(await allowances.takeEntries(b, 'agent', 9_000)).toEqual(taken);
    expect(await allowances.takeEntries(a, 'agent', 9_000)).toMatchObject({ kind: 'later' });
  });

  it('wait for the allowance at most as long as they share it, and are not rung meanwhile', async () => {
    const { id, hostId } = await acceptOfNew(true);
    await worker().postpone(id, null);
    const rung = async () => (await pending()).some((one) => one.id === id);
    expect([await worker().look(id), await rung()]).toEqual([null, false]);
    await database.db.pool.query(ended, [hostId]);
    expect(await worker().look(id)).toMatchObject({ size: 20, isOfPendingHost: false });
    expect(await rung()).toBe(true);
  });
});

describe('the changes of an upload', () => {
  it('are charged once, however often a worker tries', async () => {
    const upload = await acceptOfNew();
    const allowances = createUploadAllowances(database.as('report-worker'), limits);
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await allowances.takeChanges(upload, 9_000)).toEqual(taken);
    const next = agentUpload(upload.hostId);
    await api().accept(next);
    expect(await allowances.takeChanges(next, 9_000)).toMatchObject({ kind: 'later' });
    // Changes that were not taken are not marked as charged.
    expect(await allowances.takeChanges(next, 9_000)).toMatchObject({ kind: 'later' });
  });
});

describe('the uploads of a pending host', () => {
  it('are superseded unparsed as soon as a newer one is stored', async () => {
    const first = await acceptOfNew();
    const { hostId } = first;
    const second = agentUpload(hostId);
    await api().accept(second);
    expect([await stateOf(hostId, first.id), await stateOf(hostId, second.id)]).toEqual([
      'superseded',
      'received',
    ]);
    const { rows } = await database.db.pool.query(
      'SELECT body IS NULL AS empty FROM uploads WHERE host_id = $1 ORDER BY sequence',
      [hostId],
    );
    expect(rows).toEqual([{ empty: true }, { empty: false }]);
  });

  it('wait while they are postponed, at most until the host is approved', async () => {
    const upload = await acceptOfNew();
    const { hostId } = upload;
    expect(await worker().look(upload.id)).toMatchObject({ size: 20, isOfPendingHost: true });
    const rung = async () => (await pending()).some(({ id }) => id === upload.id);
    const counted = async () =>
      (await api().backlog()).find(({ state }) => state === 'received')?.uploads ?? 0;
    const before = await counted();
    expect(await rung()).toBe(true);
    for (const seconds of [3_600, null]) {
      await worker().begin([upload.id]);
      await worker().postpone(upload.id, seconds);
      expect(await worker().look(upload.id)).toBeNull();
      expect([await rung(), await counted()]).toEqual([false, before - 1]);
      expect(await stateOf(hostId, upload.id)).toBe('received');
    }
    await worker().postpone(upload.id, -1);
    expect(await rung()).toBe(true);
    await worker().postpone(upload.id, null);
    await approve(hostId);
    expect(await worker().look(upload.id)).toMatchObject({ size: 20, isOfPendingHost: false });
    expect([await rung(), await counted()]).toEqual([true, before]);
    // The number of attempts is unchanged, because waiting is not a failure.
    expect(await worker().begin([upload.id])).toMatchObject([{ id: upload.id, attempts: 1 }]);
  });

  it('are listed after the uploads of all approved hosts', async () => {
    const waiting = await acceptOfNew();
    const approved = await acceptOfNew(true);
    const order = (await pending()).map(({ id }) => id);
    expect(order.indexOf(approved.id)).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(waiting.id)).toBeGreaterThan(order.indexOf(approved.id));
  });

  it('are rung again for matching', async () => {
    const upload = await acceptOfNew();
    await worker().postpone(upload.id, null);
    await database.db.pool.query(`UPDATE uploads SET state = 'parsed' WHERE id = $1`, [upload.id]);
    expect(await pending()).toContainEqual({ id: upload.id, state: 'parsed' });
  });

  it('do not confirm the content of their host before they are parsed', async () => {
    const upload = await acceptOfNew();
    const contact = { where: { hostId: upload.hostId } };
    const confirmedAt = async () =>
      (await database.db.prisma.hostContact.findUniqueOrThrow(contact)).lastConfirmedAt;
    expect(await api().confirmUnchanged(upload)).toBe(upload.id);
    expect(await confirmedAt()).toBeNull();
    await database.db.pool.query(`UPDATE uploads SET state = 'parsed' WHERE id = $1`, [upload.id]);
    expect(await api().confirmUnchanged(upload)).toBe(upload.id);
    expect(await confirmedAt()).not.toBeNull();
  });
});
