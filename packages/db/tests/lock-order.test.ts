import { gzipSync } from 'node:zlib';
import type { HostId, UploadId } from '@plimsoll/model';
import { databasePerTest, waitFor } from '@plimsoll/testing';
import {
  createParsedUploadStore,
  createRepositoryStore,
  createUploadStore,
  newId,
  type ParsedUpload,
} from '../src/index.ts';
import { agentUpload } from './agent-upload.ts';

const database = databasePerTest();

/**
 * Runs `work` while the row that `first` selects is locked. Returns how many rows of `others` can still be locked once
 * `work` waits for it. If work locks rows in order, it holds no later row at that time.
 */
async function freeWhileWaiting(first: string, others: string, work: () => Promise<unknown>) {
  const { pool } = database.db;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`${first} FOR UPDATE`);
    const working = work();
    await waitFor('the work to wait for the locked row', async () => {
      const { rowCount } = await pool.query('SELECT FROM pg_locks WHERE NOT granted');
      return rowCount !== 0;
    });
    const { rowCount } = await client.query(`${others} FOR UPDATE SKIP LOCKED`);
    await client.query('COMMIT');
    return { free: rowCount, answer: await working };
  } finally {
    client.release();
  }
}

async function insertHost(id: HostId): Promise<void> {
  await database.db.prisma.host.create({
    data: {
      id,
      onboardingMode: 'agent',
      approvalStatus: 'approved',
      displayName: id,
      hostname: 'web',
      contact: { create: { lastSeenAt: new Date(), staleAfterSeconds: 93_600 } },
      state: { create: {} },
    },
  });
}

async function acceptUpload(hostId: HostId): Promise<UploadId> {
  const upload = agentUpload(hostId, hostId);
  await createUploadStore(database.db).accept(upload);
  return upload.id;
}

async function parsed(id: UploadId): Promise<ParsedUpload> {
  const { prisma } = database.db;
  const name = 'debian:12';
  const release = await prisma.release.upsert({ where: { name }, create: { name }, update: {} });
  const digest = Buffer.alloc(16, 1);
  const set = await prisma.packageSet.upsert({
    where: { digest },
    create: { digest, n: 0, ids: Buffer.alloc(0) },
    update: {},
  });
  return {
    id,
    collectedAt: null,
    schemaVersion: 1,
    collectorVersion: '1',
    payloadGzip: gzipSync('content'),
    payloadSha256: Buffer.alloc(32),
    payloadSize: 7,
    releaseId: release.id,
    setId: set.id,
    facts: JSON.parse('{}'),
    upgradeIds: [],
    heldIds: [],
    runningKernelId: null,
    notes: [],
  };
}

it('parsed uploads lock the contacts of their hosts in the same order as judging repositories', async () => {
  const [first, second] = [newId<HostId>(), newId<HostId>()];
  // The row with the higher id comes first in the table.
  await insertHost(second);
  await insertHost(first);
  const uploads = [await parsed(await acceptUpload(second)), await parsed(await acceptUpload(first))];
  const contact = (id: HostId) => `SELECT FROM host_contacts WHERE host_id = '${id}'`;
  const { free, answer } = await freeWhileWaiting(contact(first), contact(second), () =>
    createParsedUploadStore(database.db).save(uploads, 0),
  );
  expect(free).toBe(1);
  expect(answer).toHaveLength(2);
});

it('updates of newest known dates lock repositories in the order of their ids, whatever the plan', async () => {
  // A merge join would sort by coincidence. New connections do not use it.
  await database.db.pool.query(
    `ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET enable_mergejoin = off`,
  );
  await database.db.pool.query(
    `INSERT INTO repositories (id, key, name, origin, suite, component, architecture, base, publisher_at)
     SELECT n, decode(lpad(n::text, 64, '0'), 'hex'), 'stable', '', '', '', '', '', now() - interval '1 day'
     FROM unnest(ARRAY[2, 1]) AS n`,
  );
  const row = (id: number) => `SELECT FROM repositories WHERE id = ${id}`;
  const { free, answer } = await freeWhileWaiting(row(1), row(2), () =>
    createRepositoryStore(database.db).moveNewestDates(),
  );
  expect(free).toBe(1);
  expect(answer).toBe(2);
});
