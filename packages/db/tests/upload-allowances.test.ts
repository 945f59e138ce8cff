import type { HostId, UploadDoor } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { createUploadAllowances, createUploadStore, defaultUploadLimits, newId } from '../src/index.ts';
import { agentUpload } from './agent-upload.ts';
import { addManualHost } from './manual-host.ts';

const limits = { ...defaultUploadLimits, burst: 3, everySeconds: 3_600 };

const taken = { kind: 'taken' };
const tooMany = { kind: 'too_many' };

const database = databasePerFile();

const addHost = (): Promise<HostId> => addManualHost(database.db);

const uploadOf = (hostId: HostId, door: UploadDoor = 'agent', bytes = 20) => ({
  ...agentUpload(hostId, bytes),
  door,
});

/** Moves a host's allowances into the past, as if time had passed. */
async function pass(hostId: HostId, seconds: number): Promise<void> {
  await database.db.pool.query(
    `UPDATE upload_allowances SET uploads_whole_at = uploads_whole_at - make_interval(secs => $2),
            bytes_whole_at = bytes_whole_at - make_interval(secs => $2),
            entries_whole_at = entries_whole_at - make_interval(secs => $2)
     WHERE host_id = $1`,
    [hostId, seconds],
  );
}

describe('an allowance of uploads', () => {
  it('accepts exactly the burst, however many uploads arrive at once in any number of processes', async () => {
    const hostId = await addHost();
    const stores = [1, 2, 3].map(() => createUploadStore(database.db, limits));
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => stores[index % 3]?.accept(uploadOf(hostId))),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(27);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['rate_limited']));
    const waits = refused.map(({ retryAfterSeconds }) => retryAfterSeconds);
    expect(Math.min(...waits)).toBeGreaterThan(3_500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_600 * 1.25 + 6);
    // Hosts that wait at the same time do not retry at the same time.
    expect(new Set(waits).size).toBeGreaterThan(10);
    expect(await createUploadStore(database.db).countOfHost(hostId)).toBe(3);
  });

  it('refuses nothing because of times that a clock wrote while it was a year ahead', async () => {
    const hostId = await addHost();
    const store = createUploadStore(database.db, limits);
    const allowances = createUploadAllowances(database.db, limits);
    for (let sent = 0; sent < 3; sent++) await store.accept(uploadOf(hostId));
    await allowances.takeEntries(hostId, 'agent', 20_000);
    await expect(allowances.require(hostId, 'agent')).rejects.toMatchObject({ code: 'rate_limited' });
    await pass(hostId, -365 * 86_400);
    await allowances.require(hostId, 'agent');
    expect(await allowances.takeEntries(hostId, 'agent', 20_000)).toEqual(taken);
    for (let sent = 0; sent < 3; sent++) await store.accept(uploadOf(hostId));
    await expect(allowances.require(hostId, 'agent')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('is refilled by time, one by one, and never above the burst', async () => {
    const hostId = await addHost();
    const store = createUploadStore(database.db, limits);
    const acceptUntilRefused = async () => {
      for (let accepted = 0; ; accepted++) {
        const isTaken = await store.accept(uploadOf(hostId)).catch(() => false);
        if (!isTaken) return accepted;
      }
    };
    expect(await acceptUntilRefused()).toBe(3);
    await pass(hostId, 3_700);
    expect(await acceptUntilRefused()).toBe(1);
    await pass(hostId, 1_000_000);
    expect(await acceptUntilRefused()).toBe(3);
  });

  it('is separate for each door and each host', async () => {
    const [hostId, other] = [await addHost(), await addHost()];
    const store = createUploadStore(database.db, limits);
    for (let n = 0; n < 3; n++) await store.accept(uploadOf(hostId));
    await expect(store.accept(uploadOf(hostId))).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await store.accept(uploadOf(hostId, 'ssh'))).toBe(true);
    expect(await store.accept(uploadOf(hostId, 'manual'))).toBe(true);
    expect(await store.accept(uploadOf(other))).toBe(true);
    const allowances = createUploadAllowances(database.db, limits);
    await expect(allowances.require(hostId, 'agent')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(allowances.require(hostId, 'manual')).resolves.toBeUndefined();
    await expect(allowances.require(other, 'agent')).resolves.toBeUndefined();
  });

  it('is charged a tenth of an upload for unchanged content, and a whole one for a faulty upload', async () => {
    const hostId = await addHost();
    const store = createUploadStore(database.db, limits);
    const allowances = createUploadAllowances(database.db, limits);
    const upload = uploadOf(hostId);
    await store.accept(upload);
    let unchanged = 0;
    for (; unchanged < 100; unchanged++) {
      const isLeft = await allowances.require(hostId, 'agent').then(
        () => true,
        () => false,
      );
      if (!isLeft) break;
      expect(await store.confirmUnchanged(upload)).toBe(upload.id);
    }
    // The last upload may also be accepted a second before the allowance is full again.
    expect([10, 11]).toContain(unchanged);
    const faulty = await addHost();
    for (let n = 0; n < 3; n++) await allowances.takeFaulty(faulty, 'agent');
    await expect(allowances.require(faulty, 'agent')).rejects.toMatchObject({ code: 'rate_limited' });
    for (let n = 0; n < 100; n++) await allowances.takeFaulty(faulty, 'agent');
    await pass(faulty, 2 * 3_600);
    await expect(allowances.require(faulty, 'agent')).resolves.toBeUndefined();
  });

  it('limits the bytes of a day, and refills over the day', async () => {
    const hostId = await addHost();
    const store = createUploadStore(database.db, { ...limits, burst: 1_000, bytesPerDay: 1_000_000 });
    expect(await store.accept(uploadOf(hostId, 'agent', 600_000))).toBe(true);
    await expect(store.accept(uploadOf(hostId, 'agent', 600_000))).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('bytes'),
    });
    expect(await store.accept(uploadOf(hostId, 'agent', 300_000))).toBe(true);
    await pass(hostId, 12 * 3_600);
    expect(await store.accept(uploadOf(hostId, 'agent', 550_000))).toBe(true);
  });

  it('limits the new entries of a day, and takes all entries of an upload or none', async () => {
    const hostId = await addHost();
    const allowances = createUploadAllowances(database.db, { ...limits, newEntriesPerDay: 10_000 });
    expect(await allowances.takeEntries(hostId, 'agent', 10_001)).toEqual(tooMany);
    expect(await allowances.takeEntries(hostId, 'agent', 6_000)).toEqual(taken);
    expect(await allowances.takeEntries(hostId, 'agent', 6_000)).toEqual(tooMany);
    expect(await allowances.takeEntries(hostId, 'agent', 3_900)).toEqual(taken);
    expect(await allowances.takeEntries(hostId, 'ssh', 6_000)).toEqual(taken);
    await pass(hostId, 24 * 3_600);
    expect(await allowances.takeEntries(hostId, 'agent', 9_000)).toEqual(taken);
  });
});

describe('refused uploads', () => {
  it('share one row until an upload is accepted, and change nothing else of the host', async () => {
    const hostId = await addHost();
    const store = createUploadStore(database.db, { ...limits, burst: 100 });
    const upload = uploadOf(hostId);
    await store.accept(upload);
    const refused = { hostId, door: 'agent', detail: 'The host has sent too many uploads.' } as const;
    await Promise.all([3, 4, 5].map((count) => store.noteRefusals({ ...refused, count })));
    const list = () => store.listOfHost(hostId, { limit: 10, before: null });
    expect(await list()).toMatchObject([
      {
        state: 'rejected',
        errorCode: 'rate_limited',
        refusals: 12,
        errors: [{ pointer: '', detail: 'The host has sent too many uploads.' }],
        snapshotId: null,
      },
      { id: upload.id, state: 'received', refusals: 0 },
    ]);
    expect(await store.confirmUnchanged(upload)).toBe(upload.id);
    await store.accept(uploadOf(hostId));
    await store.noteRefusals({ ...refused, count: 1 });
    expect((await list()).map(({ refusals }) => refusals)).toEqual([1, 0, 12, 0]);
  });

  it('of a deleted host are not stored', async () => {
    const store = createUploadStore(database.db, limits);
    await store.noteRefusals({ hostId: newId<HostId>(), door: 'agent', count: 1, detail: 'gone' });
    const { rows } = await database.db.pool.query(
      'SELECT FROM uploads u WHERE NOT EXISTS (SELECT FROM hosts h WHERE h.id = u.host_id)',
    );
    expect(rows).toEqual([]);
  });
});
