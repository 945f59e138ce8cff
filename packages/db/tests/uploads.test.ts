import type { HostId } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import {
  createParsedUploadStore,
  createUploadStore,
  newId,
  type ParsedUploadStore,
  type UploadStore,
} from '../src/index.ts';
import { agentUpload } from './agent-upload.ts';
import { addManualHost } from './manual-host.ts';

const database = databasePerTest();

let store: UploadStore;
let parsing: ParsedUploadStore;
let hostId: HostId;
beforeEach(async () => {
  store = createUploadStore(database.db);
  parsing = createParsedUploadStore(database.db);
  hostId = await addManualHost(database.db);
});

describe('upload store', () => {
  it('numbers uploads of one host consecutively, however many arrive at once', async () => {
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.accept(agentUpload(hostId, `content ${index}`))),
    );
    expect(accepted.every(Boolean)).toBe(true);
    const rows = await store.listOfHost(hostId, { limit: 100, before: null });
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    );
    expect(await store.countOfHost(hostId)).toBe(20);
    const second = await store.listOfHost(hostId, { limit: 5, before: 16n });
    expect(second.map(({ sequence }) => Number(sequence))).toEqual([15, 14, 13, 12, 11]);
  });

  it('recognises only the content of the last upload that was not rejected', async () => {
    const first = agentUpload(hostId, 'first');
    const second = agentUpload(hostId, 'second');
    expect(await store.confirmUnchanged(first)).toBeNull();
    await store.accept(first);
    expect(await store.confirmUnchanged(first)).toBe(first.id);
    await store.accept(second);
    expect(await store.confirmUnchanged(first)).toBeNull();
    await parsing.reject(second.id, 'snapshot_invalid', [{ pointer: '/packages', detail: 'is broken' }]);
    expect(await store.confirmUnchanged(second)).toBeNull();
    expect(await store.confirmUnchanged(first)).toBe(first.id);
    expect((await store.listOfHost(hostId, { limit: 1, before: null }))[0]).toMatchObject({
      state: 'rejected',
      errorCode: 'snapshot_invalid',
      errors: [{ pointer: '/packages', detail: 'is broken' }],
      snapshotId: null,
    });
  });

  it('lists waiting uploads, oldest first, without ended ones', async () => {
    const uploads = ['a', 'b', 'c'].map((content) => agentUpload(hostId, content));
    for (const upload of uploads) await store.accept(upload);
    await parsing.reject(uploads[1]?.id ?? newId(), 'internal', []);
    const later = new Date(Date.now() + 60_000);
    expect((await store.pending(later, 10)).map(({ id }) => id)).toEqual([uploads[0]?.id, uploads[2]?.id]);
    expect(await store.pending(new Date(0), 10)).toEqual([]);
    expect(await store.backlog()).toMatchObject([{ state: 'received', uploads: 2 }]);
  });

  it('counts every attempt to parse, and begins no upload that has ended', async () => {
    const upload = agentUpload(hostId, 'content');
    await store.accept(upload);
    expect((await parsing.begin([upload.id])).map(({ attempts }) => attempts)).toEqual([1]);
    expect((await parsing.begin([upload.id])).map(({ attempts }) => attempts)).toEqual([2]);
    await parsing.reject(upload.id, 'internal', []);
    expect(await parsing.begin([upload.id])).toEqual([]);
  });

  it('supersedes uploads of an agent before its two newest waiting ones, and none of other doors', async () => {
    const uploads = ['a', 'b', 'c', 'd'].map((content) => agentUpload(hostId, content));
    const manual = { ...agentUpload(hostId, 'manual'), door: 'manual' as const };
    await store.accept(manual);
    for (const upload of uploads) await store.accept(upload);
    const [a, b, c, d] = uploads.map(({ id }) => id);
    expect(await parsing.look(a ?? newId())).toBeNull();
    const begun = await parsing.begin([manual.id, ...uploads.map(({ id }) => id)]);
    expect(begun.map(({ id }) => id).sort()).toEqual([manual.id, c, d].sort());
    const states = new Map(
      (await store.listOfHost(hostId, { limit: 10, before: null })).map((row) => [row.id, row]),
    );
    for (const id of [a, b]) {
      expect(states.get(id ?? newId())).toMatchObject({ state: 'superseded', snapshotId: null });
    }
    expect(await parsing.look(d ?? newId())).toEqual({ size: 1, attempts: 1, isOfPendingHost: false });
  });

  it('does not treat content as unchanged if its upload was superseded before it was parsed', async () => {
    const uploads = ['a', 'b', 'c'].map((content) => agentUpload(hostId, content));
    for (const upload of uploads) await store.accept(upload);
    await parsing.begin(uploads.map(({ id }) => id));
    for (const { id } of uploads.slice(1)) await parsing.reject(id, 'snapshot_invalid', []);
    for (const upload of uploads) expect(await store.confirmUnchanged(upload)).toBeNull();
  });

  it('keeps the bytes only of the newest rejected upload of a host', async () => {
    const other = await addManualHost(database.db);
    const uploads = [agentUpload(hostId, 'a'), agentUpload(hostId, 'b'), agentUpload(other, 'c')];
    for (const upload of uploads) {
      await store.accept(upload);
      await parsing.reject(upload.id, 'internal', []);
    }
    const { rows } = await database.db.pool.query<{ id: string }>(
      'SELECT id FROM uploads WHERE body IS NOT NULL AND host_id = ANY($1::uuid[]) ORDER BY id',
      [[hostId, other]],
    );
    expect(rows.map(({ id }) => id)).toEqual([uploads[1]?.id, uploads[2]?.id].sort());
  });

  it('drops ended uploads after their time, except the one that an unchanged upload refers to', async () => {
    const uploads = ['a', 'b'].map((content) => agentUpload(hostId, content));
    for (const upload of uploads) await store.accept(upload);
    await database.db.prisma.upload.updateMany({ data: { state: 'matched' } });
    const later = new Date(Date.now() + 60_000);
    expect(await store.dropEnded(new Date(0), 10)).toBe(0);
    expect(await store.dropEnded(later, 10)).toBe(1);
    expect((await store.listOfHost(hostId, { limit: 10, before: null })).map(({ id }) => id)).toEqual([
      uploads[1]?.id,
    ]);
  });
});
