import { gunzipSync, gzipSync } from 'node:zlib';
import type { HostId } from '@plimsoll/model';
import { databasePerTest, enrolHost, issueToken, onDatabase } from '@plimsoll/testing';
import { inPgTransaction } from '../src/core/database.ts';
import {
  createInterner,
  createKnownUploadStore,
  createParsedUploadStore,
  createSetInterner,
  createSnapshotStore,
  createUploadStore,
  defaultUploadLimits,
  freeChanges,
  type KnownUpload,
  NotInterned,
  type UploadLimits,
} from '../src/index.ts';
import { moveEpoch } from '../src/ingest/interning.ts';

import { decodePackageSet } from '../src/ingest/package-set.ts';
import { agentUpload, receive } from './agent-upload.ts';
import { packageIdentity, parsedOf } from './interned-host.ts';
import { addManualHost } from './manual-host.ts';

const database = databasePerTest();

const addHost = (): Promise<HostId> => addManualHost(database.db);
const storeWith = (limits: Partial<UploadLimits> = {}) =>
  createKnownUploadStore(database.db, { ...defaultUploadLimits, ...limits });

/** An upload of a host with these packages, which are interned. */
async function knownUpload(hostId: HostId, names: readonly string[]): Promise<KnownUpload> {
  const interning = await createInterner(database.db).begin();
  const body = gzipSync(names.join(' '));
  const upload = { ...agentUpload(hostId), body, size: names.join(' ').length };
  const { payloadGzip: _, ...parsed } = await parsedOf(interning, upload.id, names);
  const { rows } = await database.db.pool.query<{ ids: Buffer }>(
    'SELECT ids FROM package_sets WHERE id = $1',
    [parsed.setId],
  );
  const packageIds = rows.flatMap(({ ids }) => decodePackageSet(ids));
  return { upload, parsed, packageIds, epoch: interning.epoch };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `package-${index}`);

async function statesOf(hostId: HostId): Promise<readonly string[]> {
  const page = { limit: 10, before: null };
  return (await createUploadStore(database.db).listOfHost(hostId, page)).map(({ state }) => state);
}

describe('an upload in which everything is known', () => {
  it('is stored with its snapshot, and its body once', async () => {
    const host = await addHost();
    const known = await knownUpload(host, ['bash', 'libc6']);
    expect(await storeWith().accept(known)).not.toBeNull();
    const stored = await createSnapshotStore(database.db).latest(host);
    expect(stored).toMatchObject({ id: known.upload.id, sequence: 1n, source: 'agent' });
    expect(gunzipSync(stored?.payloadGzip ?? '').toString()).toBe('bash libc6');
    const { rows } = await database.db.pool.query('SELECT state, body, size FROM uploads');
    expect(rows).toEqual([{ state: 'parsed', body: null, size: known.upload.size }]);
    expect(await createUploadStore(database.db).pending(new Date(Date.now() + 60_000), 10)).toEqual([
      { id: known.upload.id, state: 'parsed' },
    ]);
  });

  it('keeps until when the content before it was confirmed, and the age of the package lists', async () => {
    const host = await addHost();
    const listsAt = new Date('2026-11-01T00:00:00Z');
    const first = await knownUpload(host, ['bash']);
    await storeWith().accept({ ...first, upload: { ...first.upload, listsAt } });
    await createUploadStore(database.db).confirmUnchanged({ ...first.upload, listsAt });
    const { rows: contacts } = await database.db.pool.query<{ at: Date }>(
      'SELECT last_confirmed_at AS at FROM host_contacts WHERE host_id = $1',
      [host],
    );
    const second = await knownUpload(host, ['bash', 'libc6']);
    await storeWith().accept({ ...second, upload: { ...second.upload, listsAt: null } });
    const { rows } = await database.db.pool.query(
      'SELECT prior_confirmed_at, lists_at FROM snapshots WHERE host_id = $1 ORDER BY sequence',
      [host],
    );
    expect(rows).toEqual([
      { prior_confirmed_at: null, lists_at: listsAt },
      { prior_confirmed_at: contacts[0]?.at, lists_at: listsAt },
    ]);
  });

  it('keeps its own body among uploads of other hosts at the same time', async () => {
    const hosts = [await addHost(), await addHost(), await addHost()];
    const store = storeWith();
    const known = await Promise.all(hosts.map((host, index) => knownUpload(host, numbered(index + 1))));
    // All are rung for once.
    const ids = known.map(({ upload }) => upload.id);
    expect(await Promise.all(known.map((one) => store.accept(one)))).toEqual([ids, [], []]);
    for (const [index, host] of hosts.entries()) {
      const stored = await createSnapshotStore(database.db).latest(host);
      expect(gunzipSync(stored?.payloadGzip ?? '').toString()).toBe(numbered(index + 1).join(' '));
    }
  });

  it('stays the newest if an older upload of its host is parsed after it', async () => {
    const host = await addHost();
    const { db } = database;
    const late = await receive(db, host);
    const newer = await knownUpload(host, ['bash']);
    const collectedAt = new Date('2026-11-20T12:00:00Z');
    await storeWith().accept({ ...newer, parsed: { ...newer.parsed, collectedAt } });
    const interning = await createInterner(db).begin();
    const parsed = { ...(await parsedOf(interning, late, ['libc6'])), collectedAt: new Date(0) };
    expect(await createParsedUploadStore(db).save([parsed], interning.epoch)).toEqual([late]);
    const { rows } = await db.pool.query('SELECT collected_at FROM host_contacts WHERE host_id = $1', [host]);
    expect(rows).toEqual([{ collected_at: collectedAt }]);
    // The confirmation of the newer one says nothing of the content before the late one.
    const confirmed = await db.pool.query('SELECT prior_confirmed_at FROM snapshots WHERE id = $1', [late]);
    expect(confirmed.rows).toEqual([{ prior_confirmed_at: null }]);
  });

  it('has its own number beside another of its host at the same time', async () => {
    const host = await addHost();
    const store = storeWith();
    const [one, other] = [await knownUpload(host, ['bash']), await knownUpload(host, ['bash', 'libc6'])];
    expect(await Promise.all([store.accept(one), store.accept(other)])).toEqual([
      [one.upload.id],
      [other.upload.id],
    ]);
    const stored = await createSnapshotStore(database.db).listOfHost(host, { limit: 5, before: null });
    expect(stored.map(({ sequence }) => sequence)).toEqual([2n, 1n]);
    expect(new Set(stored.map(({ id }) => id))).toEqual(new Set([one.upload.id, other.upload.id]));
  });
});

describe('nothing is stored in one step', () => {
  const expectNothing = async (host: HostId, known: KnownUpload, store = storeWith()) => {
    expect(await store.accept(known)).toBeNull();
    expect(await createUploadStore(database.db).find(host, known.upload.id)).toBeNull();
    const { rows } = await database.db.pool.query<{ sequence: string }>(
      'SELECT sequence FROM host_contacts WHERE host_id = $1 AND last_upload_id = $2',
      [host, known.upload.id],
    );
    expect(rows).toEqual([]);
  };

  it('of a pending host', async () => {
    const { secret } = await issueToken(database.db);
    const host = await enrolHost(database.db, secret);
    await expectNothing(host, await knownUpload(host, ['bash']));
  });

  it('of hosts that one token approved today, above the bytes that they share', async () => {
    const { secret } = await issueToken(database.db, { autoApprove: true });
    const [first, second] = [await enrolHost(database.db, secret), await enrolHost(database.db, secret)];
    const other = await addHost();
    const uploads = await Promise.all([first, second, other].map((host) => knownUpload(host, ['bash'])));
    const bytes = uploads[0]?.upload.body.length ?? 0;
    const approvedByToken = { bytesPerDay: Math.ceil(bytes * 2.5), newEntriesPerDay: 1 };
    const store = storeWith({ approvedByToken });
    expect(await Promise.all(uploads.map((known) => store.accept(known)))).not.toContain(null);
    await expectNothing(first, await knownUpload(first, ['libc6']), store);
    expect(await store.accept(await knownUpload(other, ['libc6']))).not.toBeNull();
    const { rows } = await database.db.pool.query<{ share: number }>(
      'SELECT extract(epoch FROM bytes_whole_at - now())::float8 / 86400 AS share FROM shared_allowances',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.share).toBeCloseTo(2 / 2.5, 1);
  });

  it('above the allowance of its host, while other hosts are not affected', async () => {
    const [host, other] = [await addHost(), await addHost()];
    const store = storeWith({ burst: 1 });
    expect(await store.accept(await knownUpload(host, ['bash']))).not.toBeNull();
    const [second, fine] = [await knownUpload(host, ['libc6']), await knownUpload(other, ['libc6'])];
    expect(await Promise.all([store.accept(second), store.accept(fine)])).toEqual([null, [fine.upload.id]]);
    expect(await statesOf(host)).toEqual(['parsed']);
  });

  it('above the bytes that its host may send in a day', async () => {
    const host = await addHost();
    const first = await knownUpload(host, ['bash']);
    const bytesPerDay = Math.ceil(first.upload.body.length * 1.5);
    const store = storeWith({ bytesPerDay });
    expect(await store.accept(first)).not.toBeNull();
    await expectNothing(host, await knownUpload(host, ['libc6']), store);
  });

  it('with so many changes that they are charged', async () => {
    const host = await addHost();
    const names = numbered(freeChanges + 1);
    expect(await storeWith().accept(await knownUpload(host, ['bash', ...names]))).not.toBeNull();
    await expectNothing(host, await knownUpload(host, ['bash']));
    expect(await storeWith().accept(await knownUpload(host, ['bash', ...names.slice(1)]))).not.toBeNull();
  });

  it('that was interned before rows were condemned', async () => {
    const host = await addHost();
    const known = await knownUpload(host, ['bash']);
    await inPgTransaction(database.db.pool, moveEpoch);
    await expectNothing(host, known);
  });

  it('if the connection breaks before the commit', async () => {
    const host = await addHost();
    const known = await knownUpload(host, ['bash']);
    await onDatabase(database.url, async (blocker) => {
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM host_contacts WHERE host_id = $1 FOR UPDATE', [host]);
      const accepted = storeWith().accept(known);
      const ended = accepted.then(
        () => 'accepted',
        () => 'failed',
      );
      for (;;) {
        const { rowCount } = await blocker.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
           AND datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if ((rowCount ?? 0) > 0) break;
      }
      expect(await ended).toBe('failed');
      await blocker.query('ROLLBACK');
    });
    await expectNothing(host, { ...known, epoch: -1 });
    expect(await storeWith().accept(known)).not.toBeNull();
  });
});

describe('the interner that stores sets only', () => {
  it('finds what is stored, and throws for an unknown release', async () => {
    const known = await knownUpload(await addHost(), ['bash']);
    const interning = await createSetInterner(database.db).begin();
    const facts = { feedId: null, endsAt: null, rules: 1 };
    const never = async (): Promise<void> => {
      throw new NotInterned('a new entry');
    };
    const release = await interning.release({ name: 'debian:12' as never, ...facts }, never);
    expect(await interning.packageVersions(release, [packageIdentity('bash')], never)).toEqual(
      known.packageIds,
    );
    await expect(interning.packageVersions(release, [packageIdentity('new')], never)).rejects.toThrow(
      NotInterned,
    );
    await expect(interning.release({ name: 'debian:99' as never, ...facts }, never)).rejects.toThrow(
      NotInterned,
    );
  });

  it('gives one number to equal sets that are stored at the same time', async () => {
    const known = await knownUpload(await addHost(), numbered(3));
    const [one, other] = [createSetInterner(database.db), createSetInterner(database.db)];
    const [first, second] = [await one.begin(), await other.begin()];
    const set = known.packageIds.slice(0, 2);
    const numbers = await Promise.all([first.packageSet(set), second.packageSet(set), first.packageSet(set)]);
    expect(new Set(numbers).size).toBe(1);
    expect(numbers[0]).not.toBe(known.parsed.setId);
  });
});
