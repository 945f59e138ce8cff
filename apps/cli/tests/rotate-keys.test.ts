import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { createSshHostStore, createSshKeyStore, newId, systemActor } from '@plimsoll/db';
import type { SshKeyPairId } from '@plimsoll/model';
import {
  createKeyFiles,
  createKeyRing,
  generateSealingKey,
  type KeyFilePaths,
  loadRing,
  readSealingPublicKey,
  replaceRing,
  type SealingPublicKey,
  seal,
} from '@plimsoll/secrets';
import { folderPerFile, waitFor } from '@plimsoll/testing';
import {
  prepareRotation,
  type Rotation,
  type RotationOptions,
  rotateKeys,
} from '../src/secrets/rotate-keys.ts';
import { withRotationLock } from '../src/secrets/rotation-lock.ts';
import { sealedDatabasePerFile } from './sealed-database.ts';

const database = sealedDatabasePerFile();
const root = folderPerFile();
let folder = '';
let files: KeyFilePaths;
let old: SealingPublicKey;

beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'rotation-'));
  await freshFiles('first');
});

afterEach(() => database.clear());

async function freshFiles(name: string): Promise<void> {
  files = { keysFile: path.join(folder, name, 'keys'), publicKeyFile: path.join(folder, name, 'public') };
  await createKeyFiles(files);
  old = await readSealingPublicKey(files.publicKeyFile);
}

function rotate(changes: Partial<RotationOptions> = {}): Promise<Rotation> {
  return rotateKeys({
    files,
    boxes: createSshKeyStore(database.db),
    keepOld: false,
    lapse: async () => undefined,
    proceed: () => undefined,
    ...changes,
  });
}

async function addHosts(count: number): Promise<ReadonlyMap<string, Buffer>> {
  const added = new Map<string, Buffer>();
  for (let n = 0; n < count; n += 1) {
    const { id, seed } = await database.addHost(old);
    added.set(id, seed);
  }
  return new Map([...added].sort());
}

const ring = async () => (await loadRing(files.keysFile)).keys;
const ringIds = async () => (await ring()).map(({ publicKey }) => publicKey.keyId);
const published = async () => (await readSealingPublicKey(files.publicKeyFile)).keyId;

it('seals all records to a new key, publishes it and drops the old one', async () => {
  // More than a page.
  const seeds = await addHosts(450);
  const rotation = await rotate();
  expect(rotation).toEqual({
    keyId: await published(),
    origin: 'made',
    resealed: 450,
    dropped: [old.keyId],
    kept: [],
    unopened: [],
  });
  expect(rotation.keyId).not.toBe(old.keyId);
  expect(await ringIds()).toEqual([rotation.keyId]);
  expect(await database.sealedTo()).toEqual([rotation.keyId]);
  expect(await database.openAll(await ring())).toEqual(seeds);
});

it('works without sealed records, and repeatedly', async () => {
  const ids = [old.keyId];
  for (let n = 0; n < 3; n += 1) ids.push((await rotate()).keyId);
  expect(new Set(ids).size).toBe(4);
  expect(await ringIds()).toEqual([await published()]);
});

it('loses nothing wherever it is interrupted, and the next run completes it', async () => {
  let steps = 0;
  for (let ended = false; !ended; steps += 1) {
    await database.clear();
    await freshFiles(`steps-${steps}`);
    const seeds = await addHosts(3);
    let left = steps;
    const end = await rotate({
      proceed: () => {
        if (left === 0) throw new Error('killed');
        left -= 1;
      },
    }).then(
      () => 'completed',
      (error: Error) => error.message,
    );
    expect(['completed', 'killed']).toContain(end);
    ended = end === 'completed';
    expect(await database.openAll(await ring())).toEqual(seeds);
    await expect(createKeyFiles(files)).resolves.toMatchObject({ ringMade: false, publicKeyMade: false });

    const { keyId } = await rotate();
    expect(await ringIds()).toEqual([keyId]);
    expect(await published()).toBe(keyId);
    expect(keyId).not.toBe(old.keyId);
    expect(await database.openAll(await ring())).toEqual(seeds);
  }
  // Two files, three records, the ring again.
  expect(steps).toBe(7);
});

it('leaves records readable for a worker that reads its ring file throughout', async () => {
  const seeds = await addHosts(20);
  const worker = createKeyRing(files.keysFile);
  const store = createSshKeyStore(database.db);
  const state = { rotating: true, opened: 0 };
  const records = () => store.sealed({ notUnder: '', after: null, limit: 100 });
  const opening = (async () => {
    while (state.rotating) {
      for (const { id, sealed } of await records()) {
        // One that was read some time ago may have been sealed again since.
        const opened = await worker.open(sealed, id).catch(async () => {
          const now = (await records()).find((one) => one.id === id);
          return worker.open(now?.sealed ?? sealed, id);
        });
        expect(opened).toEqual(seeds.get(id));
        state.opened += 1;
      }
    }
  })();
  await rotate({ lapse: () => waitFor('100 keys to be opened', () => state.opened > 100) });
  state.rotating = false;
  await opening;
});

it('seals records again that an API has still sealed to the old key', async () => {
  await addHosts(2);
  let late = 3;
  const rotation = await rotate({
    lapse: async () => {
      if (late-- > 0) await database.addHost(old);
    },
  });
  expect(rotation.resealed).toBe(5);
  expect(await database.sealedTo()).toEqual([rotation.keyId]);
});

it('keeps the old key if a process never stops sealing to it, and says what to check', async () => {
  const endless = rotate({ lapse: async () => void (await database.addHost(old)) });
  await expect(endless).rejects.toThrow(`does every API read ${files.publicKeyFile}?`);
  expect(await ringIds()).toEqual([await published(), old.keyId]);
  expect((await rotate()).dropped).toEqual([old.keyId]);
});

it('does not touch records that change or are deleted meanwhile', async () => {
  const store = createSshHostStore(database.db);
  const hosts = [await database.addHost(old), await database.addHost(old), await database.addHost(old)];
  const another = newId<SshKeyPairId>();
  let calls = 0;
  const rotation = await rotate({
    boxes: {
      sealed: createSshKeyStore(database.db).sealed,
      reseal: async (id, ...rest) => {
        calls += 1;
        if (calls === 1) {
          await database.db.pool.query('DELETE FROM hosts WHERE id = $1', [hosts[0]?.host]);
          const pair = {
            id: another,
            publicKey: Buffer.alloc(32),
            sealed: seal(old, Buffer.alloc(32, 1), another),
          };
          await store.rotateKey(hosts[1]?.host ?? '', { ...pair, sealedTo: old.keyId }, systemActor('test'));
        }
        return createSshKeyStore(database.db).reseal(id, ...rest);
      },
    },
  });
  expect(rotation.unopened).toEqual([]);
  const opened = await database.openAll(await ring());
  expect(opened.get(another)).toEqual(Buffer.alloc(32, 1));
  expect(opened.has(hosts[0]?.id ?? '')).toBe(false);
  expect(await database.sealedTo()).toEqual([rotation.keyId]);
});

describe('a box that no key opens', () => {
  it('is named, stays, and keeps the key that it names', async () => {
    const [changed, foreign, cut] = [newId<SshKeyPairId>(), newId<SshKeyPairId>(), newId<SshKeyPairId>()];
    const lost = generateSealingKey().publicKey;
    await database.addRecord(changed, seal(old, Buffer.alloc(32), 'another id'), old.keyId);
    await database.addRecord(foreign, seal(lost, Buffer.alloc(32), foreign), lost.keyId);
    await database.addRecord(cut, Buffer.alloc(5), old.keyId);
    const rotation = await rotate();
    expect(rotation.unopened.map(({ id, keyId }) => [id, keyId])).toEqual(
      [
        [changed, old.keyId],
        [foreign, lost.keyId],
        [cut, null],
      ].sort(),
    );
    expect(await ringIds()).toEqual([rotation.keyId, old.keyId]);
    expect(rotation).toMatchObject({ dropped: [], kept: [old.keyId] });
  });

  it('keeps no other key', async () => {
    const lost = generateSealingKey().publicKey;
    const foreign = newId<SshKeyPairId>();
    await database.addRecord(foreign, seal(lost, Buffer.alloc(32), foreign), lost.keyId);
    await database.addHost(old);
    const rotation = await rotate();
    expect(rotation).toMatchObject({ resealed: 1, dropped: [old.keyId], kept: [] });
    expect(rotation.unopened).toHaveLength(1);
  });
});

describe('a rotation in steps', () => {
  it('adds one key, which the next rotation uses', async () => {
    const prepared = await prepareRotation(files);
    expect(prepared.made).toBe(true);
    expect(await prepareRotation(files)).toEqual({ ...prepared, made: false });
    expect(await ringIds()).toEqual([prepared.keyId, old.keyId]);
    expect(await published()).toBe(old.keyId);
    expect(await rotate()).toMatchObject({ keyId: prepared.keyId, origin: 'prepared', dropped: [old.keyId] });
  });

  it('keeps the old key for readers of copies until the next rotation, which makes no new one', async () => {
    await addHosts(2);
    const first = await rotate({ keepOld: true });
    expect(first).toMatchObject({ resealed: 2, dropped: [], kept: [old.keyId] });
    await database.addHost(old);
    expect(await rotate()).toMatchObject({
      keyId: first.keyId,
      origin: 'resumed',
      resealed: 1,
      dropped: [old.keyId],
    });
  });
});

it('changes nothing if the two files do not match', async () => {
  const [before] = await ring();
  await replaceRing(files.keysFile, [generateSealingKey()]);
  await expect(rotate()).rejects.toMatchObject({ code: 'keys_differ' });
  await expect(prepareRotation(files)).rejects.toMatchObject({ code: 'keys_differ' });
  expect(await published()).toBe(before?.publicKey.keyId);
});

it('excludes all others of the installation', async () => {
  const { db } = database;
  const refused = 'Another rotation of the keys is under way.';
  await withRotationLock(db, async () => {
    await expect(withRotationLock(db, async () => undefined)).rejects.toThrow(refused);
  });
  await expect(withRotationLock(db, async () => 'again')).resolves.toBe('again');
});

it('changes nothing more once its lock is lost', async () => {
  await addHosts(3);
  const work = withRotationLock(database.db, (proceed) =>
    rotate({
      proceed,
      lapse: async () => {
        await database.db.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()`,
        );
        await waitFor('the lock to be lost', () => {
          try {
            proceed();
            return false;
          } catch {
            // The lock is lost.
            return true;
          }
        });
      },
    }),
  );
  await expect(work).rejects.toThrow('The database is gone.');
  expect(await ringIds()).toEqual([await published(), old.keyId]);
});
