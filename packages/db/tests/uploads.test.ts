import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HostId, UploadId } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import { createParsedUploadStore, createUploadStore, newId } from '../src/index.ts';

const database = databasePerTest();

/** A host in the state after enrolment. */
async function insertHost(): Promise<HostId> {
  const id = newId<HostId>();
  await database.db.prisma.host.create({
    data: {
      id,
      onboardingMode: 'agent',
      approvalStatus: 'approved',
      displayName: 'web-1',
      hostname: 'web-1',
      contact: { create: { lastSeenAt: new Date(), staleAfterSeconds: 93_600 } },
      state: { create: {} },
    },
  });
  return id;
}

function uploadOf(hostId: HostId, content: string) {
  return {
    id: newId<UploadId>(),
    hostId,
    door: 'agent' as const,
    payloadKind: 'protobuf' as const,
    size: 1,
    body: gzipSync(content),
    contentHash: createHash('sha256').update(content).digest(),
    bootedAt: null,
    listsAt: null,
    repositories: null,
    collectedAt: null,
  };
}

describe('upload store', () => {
  it('numbers uploads of one host consecutively, however many arrive at once', async () => {
    const store = createUploadStore(database.db);
    const hostId = await insertHost();
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.accept(uploadOf(hostId, `content ${index}`))),
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
    const store = createUploadStore(database.db);
    const parsing = createParsedUploadStore(database.db);
    const hostId = await insertHost();
    const first = uploadOf(hostId, 'first');
    const second = uploadOf(hostId, 'second');
    const contact = (upload: typeof first) => ({ ...upload });
    expect(await store.confirmUnchanged(contact(first))).toBeNull();
    await store.accept(first);
    expect(await store.confirmUnchanged(contact(first))).toBe(first.id);
    await store.accept(second);
    expect(await store.confirmUnchanged(contact(first))).toBeNull();
    await parsing.reject(second.id, 'snapshot_invalid', [{ pointer: '/packages', detail: 'is broken' }]);
    expect(await store.confirmUnchanged(contact(second))).toBeNull();
    expect(await store.confirmUnchanged(contact(first))).toBe(first.id);
    expect((await store.listOfHost(hostId, { limit: 1, before: null }))[0]).toMatchObject({
      state: 'rejected',
      errorCode: 'snapshot_invalid',
      errors: [{ pointer: '/packages', detail: 'is broken' }],
      snapshotId: null,
    });
  });

  it('lists waiting uploads, oldest first, without ended ones', async () => {
    const store = createUploadStore(database.db);
    const hostId = await insertHost();
    const uploads = ['a', 'b', 'c'].map((content) => uploadOf(hostId, content));
    for (const upload of uploads) await store.accept(upload);
    await createParsedUploadStore(database.db).reject(uploads[1]?.id ?? newId(), 'internal', []);
    const later = new Date(Date.now() + 60_000);
    expect((await store.pending(later, 10)).map(({ id }) => id)).toEqual([uploads[0]?.id, uploads[2]?.id]);
    expect(await store.pending(new Date(0), 10)).toEqual([]);
    expect(await store.backlog()).toMatchObject([{ state: 'received', uploads: 2 }]);
  });

  it('counts every attempt to parse, and begins no upload that has ended', async () => {
    const store = createUploadStore(database.db);
    const parsing = createParsedUploadStore(database.db);
    const hostId = await insertHost();
    const upload = uploadOf(hostId, 'content');
    await store.accept(upload);
    expect((await parsing.begin([upload.id])).map(({ attempts }) => attempts)).toEqual([1]);
    expect((await parsing.begin([upload.id])).map(({ attempts }) => attempts)).toEqual([2]);
    await parsing.reject(upload.id, 'internal', []);
    expect(await parsing.begin([upload.id])).toEqual([]);
  });

  it('supersedes uploads of an agent before its two newest waiting ones, and none of other doors', async () => {
    const store = createUploadStore(database.db);
    const parsing = createParsedUploadStore(database.db);
    const hostId = await insertHost();
    const uploads = ['a', 'b', 'c', 'd'].map((content) => uploadOf(hostId, content));
    const manual = { ...uploadOf(hostId, 'manual'), door: 'manual' as const };
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
    expect(await parsing.look(d ?? newId())).toEqual({ size: 1, isOfPendingHost: false });
  });

  it('does not treat content as unchanged if its upload was superseded before it was parsed', async () => {
    const store = createUploadStore(database.db);
    const parsing = createParsedUploadStore(database.db);
    const hostId = await insertHost();
    const uploads = ['a', 'b', 'c'].map((content) => uploadOf(hostId, content));
    for (const upload of uploads) await store.accept(upload);
    await parsing.begin(uploads.map(({ id }) => id));
    for (const { id } of uploads.slice(1)) await parsing.reject(id, 'snapshot_invalid', []);
    for (const upload of uploads) expect(await store.confirmUnchanged(upload)).toBeNull();
  });

  it('keeps the bytes only of the newest rejected upload of a host', async () => {
    const store = createUploadStore(database.db);
    const parsing = createParsedUploadStore(database.db);
    const [hostId, other] = [await insertHost(), await insertHost()];
    const uploads = [uploadOf(hostId, 'a'), uploadOf(hostId, 'b'), uploadOf(other, 'c')];
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
    const store = createUploadStore(database.db);
    const hostId = await insertHost();
    const uploads = ['a', 'b'].map((content) => uploadOf(hostId, content));
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
