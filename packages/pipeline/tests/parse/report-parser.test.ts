import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  createHostStore,
  createInterner,
  createKnownUploadStore,
  createParsedUploadStore,
  createSetInterner,
  createSnapshotStore,
  createUploadAllowances,
  createUploadStore,
  defaultUploadLimits,
  newId,
  systemActor,
} from '@plimsoll/db';
import type { HostId, PayloadKind, Snapshot, UploadDoor, UploadId } from '@plimsoll/model';
import { createLogger } from '@plimsoll/process';
import { decodeSnapshot, encodeSnapshot, parseReport } from '@plimsoll/reports';
import { databasePerFile } from '@plimsoll/testing';
import { storeKnownUpload } from '../../src/intake/index.ts';
import { createReportParser } from '../../src/parse/report-parser.ts';

/** A recorded report with a collection time in the past. */
function recorded(name: 'debian-12' | 'almalinux-8'): Buffer {
  const file = path.resolve(__dirname, `../../../../packages/reports/testdata/reports/${name}.txt`);
  return Buffer.from(
    readFileSync(file, 'utf8').replace(/^ collected_at\t\d+$/m, ' collected_at\t1750000000'),
  );
}

const log = createLogger({ app: 'test', level: 'silent' });

const database = databasePerFile();
let rung: UploadId[];
beforeEach(() => {
  rung = [];
});

/** The message an agent without a protobuf library sends: field 15, its length in varint, the text. */
function wrapped(report: Uint8Array): Uint8Array {
  const head = [(15 << 3) | 2];
  let rest = report.length;
  for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, rest]), report]);
}

function snapshotOf(report: Uint8Array): Snapshot {
  const parsed = parseReport(report, { receivedAt: new Date() });
  if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
  return parsed.snapshot;
}

async function addHost(): Promise<HostId> {
  const { db } = database;
  const hostId = newId<HostId>();
  await createHostStore(db).create(
    {
      id: hostId,
      onboardingMode: 'manual',
      displayName: 'web-1',
      hostname: 'web-1',
      staleAfterSeconds: 3600,
    },
    systemActor('test'),
  );
  return hostId;
}

/** Stores an upload by a door and parses it; returns its state. */
async function parse(
  door: UploadDoor,
  payloadKind: PayloadKind,
  payload: Uint8Array,
  limits = defaultUploadLimits,
  host: HostId | null = null,
  beforeSaving: () => Promise<void> = async () => undefined,
) {
  const hostId = host ?? (await addHost());
  const { db } = database;
  const id = newId<UploadId>();
  const uploads = createUploadStore(db, limits);
  const contentHash = createHash('sha256').update(payload).digest();
  const contact = {
    id,
    hostId,
    door,
    payloadKind,
    size: payload.length,
    contentHash,
    bootedAt: null,
    listsAt: null,
    repositories: null,
    collectedAt: null,
  };
  await uploads.accept({ ...contact, body: gzipSync(payload) });
  const store = createParsedUploadStore(database.as('report-worker'));
  const parser = createReportParser({
    uploads: {
      ...store,
      async save(...item) {
        await beforeSaving();
        return store.save(...item);
      },
    },
    interner: createInterner(database.as('report-worker')),
    allowances: createUploadAllowances(database.as('report-worker'), limits),
    bell: {
      ring: () => undefined,
      ringAll: (_job, payloads) =>
        void rung.push(...payloads.flatMap((p) => ('uploadId' in p ? [p.uploadId] : []))),
    },
    log,
  });
  await parser['report-parse'](
    { uploadId: id },
    { signal: new AbortController().signal, attempt: 1, lastAttempt: false, starts: 1 },
  );
  return {
    id,
    upload: await uploads.find(hostId, id),
    snapshot: await createSnapshotStore(db).latest(hostId),
  };
}

describe('the report parser', () => {
  it('rejects a compressed file in the report of a pulled host, without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const head = recorded('debian-12').subarray(0, 2_000);
    for (const payload of [bomb, Buffer.concat([head.subarray(0, head.lastIndexOf(10) + 1), bomb])]) {
      const { upload, snapshot } = await parse('ssh', 'report', payload);
      expect([upload?.state, upload?.errorCode, snapshot]).toEqual(['rejected', 'report_invalid', null]);
    }
  });

  it('rejects reports that change everything again and again', async () => {
    const host = await addHost();
    const snapshot = snapshotOf(recorded('debian-12'));
    const [first] = snapshot.packages;
    if (first === undefined) throw new Error('the report has no package');
    const packages = Array.from({ length: 200 }, (_, n) => ({ ...first, name: `flip-${n}` }));
    const limits = { ...defaultUploadLimits, newEntriesPerDay: 1_000 };
    const states: (string | undefined)[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const own = { ...snapshot, packages: turn % 2 === 0 ? packages : [first], upgrades: [] };
      const { upload } = await parse('agent', 'protobuf', encodeSnapshot(own), limits, host);
      states.push(upload?.state);
    }
    // 200 new ones, and then 201 changes at a time.
    expect(states).toEqual(['parsed', 'parsed', 'parsed', 'parsed', 'rejected', 'parsed']);
  });

  it('rejects a release that no host had, from a host that reported thirty others', async () => {
    const host = await addHost();
    const snapshot = snapshotOf(recorded('debian-12'));
    const reportOn = (osVersionId: string, on: HostId | null, limits = defaultUploadLimits) => {
      const platform = { ...snapshot.platform, osId: 'made-up', osVersionId, osCodename: '' };
      const packages = snapshot.packages.slice(0, 1);
      return parse(
        'agent',
        'protobuf',
        encodeSnapshot({ ...snapshot, platform, packages, upgrades: [] }),
        limits,
        on,
      );
    };
    const many = { ...defaultUploadLimits, burst: 100 };
    for (let version = 1; version <= 30; version++)
      expect((await reportOn(String(version), host, many)).upload?.state).toBe('parsed');
    const stored = async () =>
      Number((await database.db.pool.query('SELECT count(*) AS n FROM releases')).rows[0].n);
    const before = await stored();
    const { upload } = await reportOn('31', host, many);
    expect(upload).toMatchObject({
      state: 'rejected',
      errorCode: 'rate_limited',
      errors: [{ pointer: '/platform/os_version_id', detail: expect.stringContaining('too many different') }],
    });
    expect(await stored()).toBe(before);
    // Another host brings it, and then it is not new; a version that is a date makes no release.
    expect((await reportOn('31', null)).upload?.state).toBe('parsed');
    expect((await reportOn('31', host, many)).upload?.state).toBe('parsed');
    await reportOn('20260101', null);
    await reportOn('20260102', null);
    expect(await stored()).toBe(before + 2);
    // A new release counts as a hundred new entries.
    const few = { ...defaultUploadLimits, newEntriesPerDay: 99 };
    expect((await reportOn('32', null, few)).upload?.errorCode).toBe('rate_limited');
    expect(await stored()).toBe(before + 2);
  });

  it('rejects a release that no host had, once thousands are stored', async () => {
    const { pool } = database.db;
    await pool.query(`INSERT INTO releases (name) SELECT 'many:' || n FROM generate_series(1, 2000) AS n`);
    const whole = snapshotOf(recorded('debian-12'));
    const snapshot = { ...whole, packages: whole.packages.slice(0, 1), upgrades: [] };
    const platform = { ...snapshot.platform, osId: 'made-up', osVersionId: 'last', osCodename: '' };
    const { upload } = await parse('agent', 'protobuf', encodeSnapshot({ ...snapshot, platform }));
    const known = await parse('agent', 'protobuf', encodeSnapshot(snapshot));
    await pool.query(`DELETE FROM releases WHERE name LIKE 'many:%'`);
    expect([upload?.errorCode, known.upload?.state]).toEqual(['rate_limited', 'parsed']);
  });

  it('takes the changes of a report off the allowance once, though rows are collected while it is interned', async () => {
    const host = await addHost();
    const snapshot = snapshotOf(recorded('debian-12'));
    const [first] = snapshot.packages;
    if (first === undefined) throw new Error('the report has no package');
    const packages = Array.from({ length: 200 }, (_, n) => ({ ...first, name: `again-${n}` }));
    const limits = { ...defaultUploadLimits, newEntriesPerDay: 450 };
    const whole = encodeSnapshot({ ...snapshot, packages, upgrades: [] });
    await parse('agent', 'protobuf', whole, limits, host);
    let epochs = 0;
    const moveOnce = async () => {
      if (epochs++ === 0) await database.db.pool.query('UPDATE interning_epoch SET epoch = epoch + 1');
    };
    const small = encodeSnapshot({ ...snapshot, packages: [first], upgrades: [] });
    const { upload } = await parse('agent', 'protobuf', small, limits, host, moveOnce);
    // 200 new ones and 201 changes; another 201 would be too many.
    expect([epochs, upload?.state]).toEqual([2, 'parsed']);
  });

  it('rejects an upload that brings more than its host may, and makes no row of it', async () => {
    const rows = async () =>
      (
        await database.db.pool.query(
          `SELECT (SELECT count(*) FROM package_versions) AS versions, (SELECT count(*) FROM upgrades) AS upgrades,
                  (SELECT count(*) FROM package_sets) AS sets`,
        )
      ).rows[0];
    const before = await rows();
    const few = { ...defaultUploadLimits, newEntriesPerDay: 3 };
    const { upload, snapshot } = await parse('manual', 'report', recorded('debian-12'), few);
    expect(upload).toMatchObject({
      state: 'rejected',
      errorCode: 'rate_limited',
      errors: [{ pointer: '/packages', detail: expect.stringContaining('that are new') }],
    });
    expect(snapshot).toBeNull();
    expect(await rows()).toEqual(before);
    const enough = await parse('manual', 'report', recorded('debian-12'));
    expect(enough.upload?.state).toBe('parsed');
    // None of its entries are new now.
    const again = await parse('manual', 'report', recorded('debian-12'), few);
    expect(again.upload?.state).toBe('parsed');
  });

  it('keeps what it set right as notes of the upload, the whole list before its entries', async () => {
    const { packages, ...rest } = snapshotOf(recorded('debian-12'));
    const [first] = packages;
    if (first === undefined) throw new Error('the recorded host has no package');
    const offer = {
      name: first.name,
      architecture: first.architecture,
      installedVersion: '',
      candidateVersion: first.version,
      repository: 'x'.repeat(5000),
      isSecurity: false,
      held: false,
      phased: false,
      sourceName: '',
      sourceVersion: '',
      suite: '',
      origin: '',
      advisoryIds: [],
    };
    const upgrades = Array.from({ length: 30 }, (_, n) => ({ ...offer, name: `new-${n}` }));
    const message = encodeSnapshot({ ...rest, packages, upgrades: [offer, ...upgrades] });
    const { upload } = await parse('agent', 'protobuf', message);
    expect(upload?.state).toBe('parsed');
    expect(upload?.notes).toHaveLength(20);
    expect(upload?.notes?.[0]).toEqual({
      pointer: '/upgradable',
      detail: `1 entries offer the version that is installed and were left out: ${first.name} ${first.version}`,
    });
    expect(upload?.notes?.[1]?.pointer).toMatch(/^\/upgradable\/\d+\/repository$/);
  });

  it.each(['manual', 'agent'] as const)(
    'rejects a broken text of the %s door with its line',
    async (door) => {
      const broken = Buffer.from(
        recorded('debian-12').toString().replace('\n@dpkg\n', '\n@dpkg\nwhat is this\n'),
      );
      const line = broken.toString().split('\n').indexOf('what is this') + 1;
      const { upload, snapshot } = await parse(door, 'report', door === 'agent' ? wrapped(broken) : broken);
      expect(upload).toMatchObject({ state: 'rejected', errorCode: 'report_invalid', snapshotId: null });
      expect(upload?.errors?.map(({ pointer }) => pointer)).toContain(`line ${line}`);
      expect([snapshot, rung]).toEqual([null, []]);
    },
  );

  it('never takes a text for a message, nor a message for a text', async () => {
    expect((await parse('manual', 'report', wrapped(recorded('debian-12')))).upload?.errorCode).toBe(
      'report_invalid',
    );
    expect((await parse('agent', 'report', recorded('debian-12'))).upload?.errorCode).toBe(
      'invalid_protobuf',
    );
  });
});

describe('an upload in which everything is known', () => {
  const known = async (onFailure: (error: unknown) => void) => {
    const bytes = encodeSnapshot(snapshotOf(recorded('debian-12')));
    await parse('manual', 'protobuf', bytes);
    rung = [];
    const db = database.as('api');
    const hostId = await addHost();
    const decoded = decodeSnapshot(bytes, { receivedAt: new Date() });
    if (decoded.kind !== 'snapshot') throw new Error('the snapshot cannot be decoded');
    return storeKnownUpload(
      {
        hostId,
        facts: {
          payloadKind: 'protobuf',
          contentHash: createHash('sha256').update(bytes).digest(),
          bootedAt: null,
          listsAt: null,
          repositories: null,
          collectedAt: null,
        },
        body: { bytes },
        bytes,
        snapshot: decoded.snapshot,
        notes: [],
        receivedAt: new Date(),
      },
      {
        interner: createSetInterner(db),
        knownUploads: createKnownUploadStore(db, defaultUploadLimits),
        bell: {
          ring: (_job, payload) => void rung.push(...('uploadId' in payload ? [payload.uploadId] : [])),
        },
        onFailure,
      },
    );
  };

  it('is stored at once, and rings for matching', async () => {
    const id = await known((error) => {
      throw error;
    });
    expect(id).not.toBeNull();
    expect(rung).toEqual([id]);
  });

  it('is left to the report-worker if storing it fails, with the error for the log', async () => {
    await database.db.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON snapshots FOR EACH ROW WHEN (NEW.source = 'agent') EXECUTE FUNCTION refuse()`);
    const errors: unknown[] = [];
    const id = await known((error) => errors.push(error));
    await database.db.pool.query('DROP FUNCTION refuse CASCADE');
    expect(id).toBeNull();
    expect(errors).toEqual([expect.objectContaining({ message: 'poison' })]);
    expect(rung).toEqual([]);
  });
});
