import { type HostId, type PackageVersionId, wholeFleet } from '@plimsoll/model';
import { databasePerTest, enrolHost, issueToken } from '@plimsoll/testing';
import { inPgTransaction } from '../src/core/database.ts';
import {
  createHostStore,
  createInterner,
  createParsedUploadStore,
  createUnusedRowStore,
  systemActor,
  withFeedImport,
} from '../src/index.ts';
import { decodePackageSet } from '../src/ingest/package-set.ts';
import { encodeEntry, FindingListWriter, internFindingLists } from '../src/judging/counting/finding-list.ts';
import { matchNewVersions } from '../src/knowledge/match-versions.ts';
import { loadUnmatched } from '../src/knowledge/version-arrivals.ts';
import { receive } from './agent-upload.ts';
import { parsedOf } from './interned-host.ts';
import { addManualHost } from './manual-host.ts';

const database = databasePerTest();

const rowsOf = async (table: string): Promise<number> =>
  Number((await database.db.pool.query(`SELECT count(*) AS n FROM ${table}`)).rows[0].n);

/** Stores an upload of a host with these packages, up to its snapshot. */
async function report(
  host: HostId,
  names: readonly string[],
  interner = createInterner(database.db),
  release = 'debian:12',
) {
  const id = await receive(database.db, host);
  for (;;) {
    const interning = await interner.begin();
    const parsed = await parsedOf(interning, id, names, release);
    const saved = await createParsedUploadStore(database.db).save([parsed], interning.epoch);
    if (saved !== null) return parsed;
  }
}

const addHost = (): Promise<HostId> => addManualHost(database.db);

const collect = () => createUnusedRowStore(database.db).collect();

/** Ids in snapshots without a row. There must never be any. */
async function lostIds(): Promise<readonly number[]> {
  const { rows } = await database.db.pool.query<{ id: number }>(
    `SELECT u.id FROM snapshots s, unnest(s.upgrade_ids) AS u (id) WHERE NOT EXISTS (SELECT FROM upgrades x WHERE x.id = u.id)`,
  );
  const sets = await database.db.pool.query<{ ids: Buffer }>(
    'SELECT ps.ids FROM snapshots s JOIN package_sets ps ON ps.id = s.set_id',
  );
  const named = [...new Set(sets.rows.flatMap(({ ids }) => decodePackageSet(ids)))];
  const there = await database.db.pool.query<{ id: number }>(
    'SELECT id FROM package_versions WHERE id = ANY($1::int[])',
    [named],
  );
  const found = new Set(there.rows.map(({ id }) => id));
  return [...rows.map(({ id }) => id), ...named.filter((id) => !found.has(id))];
}

describe('rows that nothing refers to', () => {
  it('are deleted a few rounds after their host, except rows that another host shares', async () => {
    const [attacker, other] = [await addHost(), await addHost()];
    await report(other, ['bash', 'libc6']);
    const before = [await rowsOf('package_versions'), await rowsOf('package_sets'), await rowsOf('upgrades')];
    await report(attacker, ['bash', ...Array.from({ length: 5_000 }, (_, n) => `noise-${n}`)]);
    expect(await rowsOf('package_versions')).toBe(5_002);
    expect(await collect()).toEqual({ condemned: 0, deleted: 0 });
    await createHostStore(database.db).delete(wholeFleet, attacker, systemActor('test'));
    const store = createUnusedRowStore(database.db);
    expect(await store.isDue(new Date(Date.now() - 60_000))).toBe(true);
    for (let look = 0; look < 4; look++) await collect();
    expect([
      await rowsOf('package_versions'),
      await rowsOf('package_sets'),
      await rowsOf('upgrades'),
    ]).toEqual(before);
    expect(await store.isDue(new Date(Date.now() + 60_000))).toBe(false);
    expect(await lostIds()).toEqual([]);
    expect(await rowsOf('version_arrivals')).toBe(1);
  });

  it('are deleted with the releases that only they belong to, but not while an import runs', async () => {
    const { db } = database;
    const [attacker, other] = [await addHost(), await addHost()];
    await report(other, ['bash']);
    for (const release of ['made-up:1', 'made-up:2'])
      await report(attacker, ['bash'], createInterner(db), release);
    expect(await rowsOf('releases')).toBe(3);
    await createHostStore(db).delete(wholeFleet, attacker, systemActor('test'));
    await withFeedImport({ db, interner: createInterner(db) }, async () => {
      for (let look = 0; look < 6; look++) await collect();
      expect(await rowsOf('releases')).toBe(3);
    });
    await collect();
    expect([await rowsOf('releases'), await rowsOf('upgrades')]).toEqual([1, 1]);
  });

  it('of releases are kept if a host reports one again after it was condemned', async () => {
    const [gone, host] = [await addHost(), await addHost()];
    const interner = createInterner(database.db);
    await report(gone, ['bash'], interner, 'made-up:1');
    await createHostStore(database.db).delete(wholeFleet, gone, systemActor('test'));
    const condemned = async () => (await database.db.pool.query('SELECT condemned FROM releases')).rows;
    for (let look = 0; look < 3; look++) await collect();
    expect(await condemned()).toEqual([{ condemned: true }]);
    await report(host, ['bash'], interner, 'made-up:1');
    expect(await condemned()).toEqual([{ condemned: false }]);
    await collect();
    expect(await rowsOf('releases')).toBe(1);
  });

  it('are deleted after a pending host, like those of any other', async () => {
    const other = await addHost();
    await report(other, ['bash']);
    const before = [await rowsOf('package_versions'), await rowsOf('package_sets'), await rowsOf('upgrades')];
    const pending = await enrolHost(database.db, (await issueToken(database.db)).secret);
    await report(pending, ['bash', ...Array.from({ length: 500 }, (_, n) => `noise-${n}`)]);
    // One more waits for the approval.
    await createParsedUploadStore(database.db).postpone(await receive(database.db, pending), null);
    expect(await rowsOf('package_versions')).toBe(501);
    await createHostStore(database.db).delete(wholeFleet, pending, systemActor('test'));
    for (let look = 0; look < 4; look++) await collect();
    expect([
      await rowsOf('package_versions'),
      await rowsOf('package_sets'),
      await rowsOf('upgrades'),
    ]).toEqual(before);
    const { rows } = await database.db.pool.query('SELECT FROM uploads WHERE host_id = $1', [pending]);
    expect(rows).toEqual([]);
  });

  it('cannot be stored by a worker that looked them up before they were condemned', async () => {
    const host = await addHost();
    const gone = await addHost();
    await report(gone, ['bash', 'ghost']);
    await createHostStore(database.db).delete(wholeFleet, gone, systemActor('test'));
    await collect();
    // The set is condemned, but still contains the packages.
    const interner = createInterner(database.db);
    const id = await receive(database.db, host);
    const interning = await interner.begin();
    const parsed = await parsedOf(interning, id, ['bash', 'ghost']);
    for (let look = 0; look < 4; look++) await collect();
    const store = createParsedUploadStore(database.db);
    expect(await store.save([parsed], interning.epoch)).toBeNull();
    const again = await interner.begin();
    expect(again.epoch).toBeGreaterThan(interning.epoch);
    const interned = await parsedOf(again, id, ['bash', 'ghost']);
    expect(await store.save([interned], again.epoch)).toEqual([id]);
    for (let look = 0; look < 4; look++) await collect();
    expect(await lostIds()).toEqual([]);
  });

  it('are kept if they are interned again after they were condemned', async () => {
    const [gone, host] = [await addHost(), await addHost()];
    const first = await report(gone, ['bash', 'ghost']);
    await createHostStore(database.db).delete(wholeFleet, gone, systemActor('test'));
    await collect();
    const second = await report(host, ['bash', 'ghost']);
    expect(second.setId).toBe(first.setId);
    expect(second.upgradeIds).toEqual(first.upgradeIds);
    for (let look = 0; look < 4; look++) await collect();
    expect(await rowsOf('package_sets')).toBe(1);
    expect(await lostIds()).toEqual([]);
  });

  it('are matched if a host has them, although a round that began before condemned them', async () => {
    const host = await addHost();
    const interning = await createInterner(database.db).begin();
    const parsed = await parsedOf(interning, await receive(database.db, host), ['bash']);
    await database.db.pool.query('UPDATE package_versions SET condemned = true');
    expect(await createParsedUploadStore(database.db).save([parsed], interning.epoch)).not.toBeNull();
    const { rows } = await database.db.pool.query<{ id: PackageVersionId }>(
      'SELECT id FROM package_versions',
    );
    await matchNewVersions(database.db, async () => rows.map(({ id }) => id));
    expect(await loadUnmatched(database.db.pool)).toEqual([]);
  });

  it('count as changes of a host only if it had a snapshot before', async () => {
    const host = await addHost();
    const store = createParsedUploadStore(database.db);
    const interning = await createInterner(database.db).begin();
    const next = await parsedOf(interning, await receive(database.db, host), ['bash', 'zsh', 'vim']);
    expect(await store.changesTo(host, next.setId)).toBe(0);
    await report(host, ['bash', 'dash']);
    expect(await store.changesTo(host, next.setId)).toBe(3);
    await report(host, ['bash', 'zsh', 'vim']);
    expect(await store.changesTo(host, next.setId)).toBe(0);
  });

  it('of finding lists are those that no host has, and one that is stored again is kept', async () => {
    const host = await addHost();
    const { pool } = database.db;
    const listOf = (id: number) => {
      const writer = new FindingListWriter(1);
      const mark = { state: 'installable', waived: false } as const;
      const entry = encodeEntry({ versionId: id as PackageVersionId, mark, exceptions: [] });
      writer.entry(entry, Number.POSITIVE_INFINITY);
      return writer.written();
    };
    const give = (id: number) =>
      inPgTransaction(pool, async (tx) => {
        const [list] = await internFindingLists(tx, [listOf(id)]);
        await tx.query('UPDATE host_state SET finding_list_id = $2 WHERE host_id = $1', [host, list]);
        return list;
      });
    const first = await give(1);
    expect(await give(1)).toBe(first);
    await give(2);
    expect(await collect()).toEqual({ condemned: 1, deleted: 0 });
    // Condemned, but needed again before it is deleted.
    expect(await give(1)).toBe(first);
    expect(await collect()).toEqual({ condemned: 1, deleted: 0 });
    expect(await collect()).toEqual({ condemned: 0, deleted: 1 });
    expect(await rowsOf('finding_lists')).toBe(1);
    expect(await give(2)).not.toBe(first);
  });

  it('do not include rows that package changes or running kernels refer to', async () => {
    const [gone, host] = [await addHost(), await addHost()];
    await report(gone, ['old-kernel', 'replaced', 'noise']);
    const { rows } = await database.db.pool.query<{ id: number; name: string }>(
      'SELECT id, name FROM package_versions',
    );
    const idOf = (name: string) => rows.find((row) => row.name === name)?.id;
    await report(host, ['bash']);
    await database.db.pool.query('UPDATE snapshots SET running_kernel_id = $2 WHERE host_id = $1', [
      host,
      idOf('old-kernel'),
    ]);
    await database.db.pool.query(
      `INSERT INTO package_changes (host_id, sequence, at, names, architectures, from_ids, to_ids)
       VALUES ($1, 1, now(), '{replaced}', '{amd64}', ARRAY[$2::int], '{0}')`,
      [host, idOf('replaced')],
    );
    await createHostStore(database.db).delete(wholeFleet, gone, systemActor('test'));
    for (let look = 0; look < 4; look++) await collect();
    const left = await database.db.pool.query('SELECT name FROM package_versions ORDER BY name');
    expect(left.rows.map(({ name }) => name)).toEqual(['bash', 'old-kernel', 'replaced']);
  });

  it('are never deleted while hosts that report use them, even if other hosts are deleted and rows are collected', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `package-${n}`);
    let looks = 0;
    // Runs a round in each turn of another host, concurrently with reporting hosts.
    const look = async () => {
      if ((await collect()) !== null) looks += 1;
    };
    const lane = async (lane: number) => {
      // Workers that keep their caches, as real processes do.
      const interner = createInterner(database.db);
      for (let turn = 0; turn < 12; turn++) {
        const host = await addHost();
        const own = names.filter((_, index) => (index + turn * lane) % 3 !== 0);
        await Promise.all([report(host, own, interner), turn % 4 === lane ? look() : null]);
        if (turn % 2 === 0) await createHostStore(database.db).delete(wholeFleet, host, systemActor('test'));
      }
    };
    await Promise.all([0, 1, 2, 3].map(lane));
    expect(looks).toBeGreaterThan(3);
    expect(await rowsOf('snapshots')).toBe(24);
    expect(await lostIds()).toEqual([]);
  });
});
