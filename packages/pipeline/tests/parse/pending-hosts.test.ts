import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  createHostStore,
  createInterner,
  createParsedUploadStore,
  createUploadAllowances,
  createUploadStore,
  defaultUploadLimits,
  newId,
  systemActor,
} from '@plimsoll/db';
import { type HostId, type Snapshot, type UploadId, wholeFleet } from '@plimsoll/model';
import { createLogger } from '@plimsoll/process';
import { encodeSnapshot, parseReport } from '@plimsoll/reports';
import { databasePerFile, enrolHost, issueToken } from '@plimsoll/testing';
import { createReportParser, type ParseJob } from '../../src/index.ts';

const limits = {
  ...defaultUploadLimits,
  pending: { ...defaultUploadLimits.pending, newEntriesPerDay: 1_500 },
  approvedByToken: { ...defaultUploadLimits.approvedByToken, newEntriesPerDay: 1_500 },
};
const log = createLogger({ app: 'test', level: 'silent' });
const sha256 = (text: string | Uint8Array) => new Uint8Array(createHash('sha256').update(text).digest());

const database = databasePerFile();
let token: string;
let rung: [string, UploadId][];
beforeEach(async () => {
  rung = [];
  ({ secret: token } = await issueToken(database.db));
});

const model: Snapshot = (() => {
  const file = path.resolve(__dirname, '../../../reports/testdata/reports/debian-12.txt');
  const parsed = parseReport(readFileSync(file), { receivedAt: new Date() });
  if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
  return parsed.snapshot;
})();

/** Stores a report with `count` packages that are new to the service. */
async function send(hostId: HostId, count: number, platform = model.platform): Promise<UploadId> {
  const [first] = model.packages;
  if (first === undefined) throw new Error('the report has no package');
  const tag = randomBytes(4).toString('hex');
  const packages = Array.from({ length: count }, (_, n) => ({ ...first, name: `p-${tag}-${n}` }));
  const payload = encodeSnapshot({ ...model, platform, packages, upgrades: [] });
  const id = newId<UploadId>();
  await createUploadStore(database.as('api'), limits).accept({
    id,
    hostId,
    door: 'agent',
    payloadKind: 'protobuf',
    body: gzipSync(payload),
    size: payload.length,
    contentHash: sha256(payload),
    bootedAt: null,
    listsAt: null,
    repositories: null,
    collectedAt: null,
  });
  return id;
}

async function work(job: ParseJob, uploadId: UploadId): Promise<void> {
  const db = database.as('report-worker');
  const parser = createReportParser({
    uploads: createParsedUploadStore(db),
    interner: createInterner(db),
    allowances: createUploadAllowances(db, limits),
    bell: {
      ring: (name, payload) => void ('uploadId' in payload && rung.push([name, payload.uploadId])),
      ringAll: (name, payloads) =>
        void rung.push(
          ...payloads.flatMap((p): [string, UploadId][] => ('uploadId' in p ? [[name, p.uploadId]] : [])),
        ),
    },
    log,
  });
  await parser[job](
    { uploadId },
    { signal: new AbortController().signal, attempt: 1, lastAttempt: false, starts: 1 },
  );
}

const stateOf = async (hostId: HostId, id: UploadId) =>
  (await createUploadStore(database.db).find(hostId, id))?.state;
const versions = async (): Promise<number> =>
  (await database.db.pool.query('SELECT count(*)::int AS n FROM package_versions')).rows[0].n;

it('hands an upload of a pending host over to the queue of those, and parses it there', async () => {
  const host = await enrolHost(database.db, token);
  const id = await send(host, 100);
  await work('report-parse', id);
  expect([await stateOf(host, id), rung]).toEqual(['received', [['report-parse-pending', id]]]);
  rung = [];
  await work('report-parse-pending', id);
  expect([await stateOf(host, id), rung]).toEqual(['parsed', [['advisory-match', id]]]);
});

it('lets an upload wait where pending hosts of its token used up what they share, until it is approved', async () => {
  const [first, second] = [await enrolHost(database.db, token), await enrolHost(database.db, token)];
  const parsed = await send(first, 1_000);
  await work('report-parse-pending', parsed);
  expect(await stateOf(first, parsed)).toBe('parsed');
  const waiting = await send(second, 1_000);
  const before = await versions();
  await work('report-parse-pending', waiting);
  // It is not rejected, not retried at once, and none of its rows are stored.
  expect([await stateOf(second, waiting), await versions()]).toEqual(['received', before]);
  rung = [];
  await work('report-parse', waiting);
  expect([await stateOf(second, waiting), rung]).toEqual(['received', []]);
  await createHostStore(database.db).approve(wholeFleet, second, systemActor('test'));
  // It was queued as pending before its host was approved.
  await work('report-parse-pending', waiting);
  expect(rung).toEqual([['report-parse', waiting]]);
  await work('report-parse', waiting);
  expect([await stateOf(second, waiting), await versions()]).toEqual(['parsed', before + 1_000]);
});

it('parses what brings little although the shared allowance is used up', async () => {
  const [first, second] = [await enrolHost(database.db, token), await enrolHost(database.db, token)];
  await work('report-parse-pending', await send(first, 1_450));
  const small = await send(second, 20);
  await work('report-parse-pending', small);
  expect(await stateOf(second, small)).toBe('parsed');
});

it('lets an upload wait where hosts that its token approved used up what they share', async () => {
  ({ secret: token } = await issueToken(database.db, { autoApprove: true }));
  const [first, second] = [await enrolHost(database.db, token), await enrolHost(database.db, token)];
  const parsed = await send(first, 1_000);
  await work('report-parse', parsed);
  expect(await stateOf(first, parsed)).toBe('parsed');
  const waiting = await send(second, 1_000);
  const before = await versions();
  await work('report-parse', waiting);
  expect([await stateOf(second, waiting), await versions()]).toEqual(['received', before]);
  const small = await send(second, 400);
  await work('report-parse', small);
  expect(await stateOf(second, small)).toBe('parsed');
  await createHostStore(database.db).approve(wholeFleet, second, systemActor('test'));
  const later = await send(second, 1_000);
  await work('report-parse', later);
  expect(await stateOf(second, later)).toBe('parsed');
});

it('lets pending hosts fill half of the places for releases only', async () => {
  const { pool } = database.db;
  const host = await enrolHost(database.db, token);
  await pool.query(`INSERT INTO releases (name) SELECT 'many:' || n FROM generate_series(1, 1000) AS n`);
  const platform = { ...model.platform, osId: 'made-up', osVersionId: '1', osCodename: '' };
  const refused = await send(host, 1, platform);
  await work('report-parse-pending', refused);
  expect(await stateOf(host, refused)).toBe('rejected');
  await createHostStore(database.db).approve(wholeFleet, host, systemActor('test'));
  const parsed = await send(host, 1, platform);
  await work('report-parse', parsed);
  expect(await stateOf(host, parsed)).toBe('parsed');
  await pool.query(`DELETE FROM releases WHERE name LIKE 'many:%'`);
});
