import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '@plimsoll/db';
import { systemErrorCode } from '@plimsoll/model';
import { createKeyRing } from '@plimsoll/secrets';
import { createTestDatabase, setUpClient, startService, waitFor } from '@plimsoll/testing';
import { withAdmin } from './api-under-test.ts';
import { privateParts, textFormsOf } from './secret-forms.ts';
import { newHost, sshFleetOf } from './ssh-fleet.ts';

/** The private half of every pair in a database, decrypted as only the ssh-worker can. */
async function seedsOf({ pool }: Database, keysFile: string): Promise<readonly Buffer[]> {
  const ring = createKeyRing(keysFile);
  const { rows } = await pool.query<{ id: string; sealed: Buffer }>('SELECT id, sealed FROM ssh_key_pairs');
  return Promise.all(rows.map(({ id, sealed }) => ring.open(sealed, id)));
}

/** All rows of all tables, including the queue's, as text with bytes in hexadecimal. */
async function dumpOf({ pool }: Database): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(name, ...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

it('a private key is in no answer, log line or queue, and in the database only sealed', async () => {
  const api = await withAdmin();
  try {
    const fleet = sshFleetOf(api);
    const said: unknown[] = [];
    for (const unique_key_pair of [false, true]) {
      const created = await fleet.create({ unique_key_pair });
      const at = `/api/v1/hosts/${created.body.host.id}`;
      const rotated = await api.admin.post(`${at}/ssh/rotate-key`);
      said.push(created.body, created.headers, rotated.body, rotated.headers);
      said.push((await fleet.pullNow(created.body.host.id)).body, (await api.admin.get(at)).body);
    }
    said.push((await api.admin.get('/api/v1/audit-events')).body);
    const waiting = async () => (await api.context.queue.counts(5_000))['ssh-pull'].waiting;
    await waitFor('both pulls to be queued', async () => (await waiting()) === 2);
    const seeds = await seedsOf(api.database.db, api.sealingKeys.keysFile);
    expect(seeds).toHaveLength(4);
    const dump = await dumpOf(api.database.db);
    expect(dump).toContain(newHost.hostname);
    const everything = [dump, JSON.stringify(said), JSON.stringify(api.log.lines)].join('\n');
    const found = seeds.flatMap(textFormsOf).filter((form) => everything.includes(form));
    expect(found).toEqual([]);
  } finally {
    await api.stop();
  }
});

describe('the memory of an API process that made key pairs', () => {
  const projectDir = path.resolve(__dirname, '../../..');
  const jwtSecret = 'a secret that the process has to have in its memory';

  it('does not keep a private key in any form', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-heap-'));
    const database = await createTestDatabase();
    const service = await startService({
      projectDir,
      databaseUrl: database.url,
      queue: { kind: 'postgres' },
      apps: ['api'],
      env: {
        NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
        PLIMSOLL_API_JWT_SECRET_KEY: jwtSecret,
      },
    });
    try {
      const client = await setUpClient(service.url);
      for (const unique_key_pair of [false, true, true, true]) {
        const { status } = await client.send('POST', '/hosts/ssh', { ...newHost, unique_key_pair });
        expect(status).toBe(201);
      }
      const seeds = await seedsOf(database.db, service.sealingKeys.keysFile);
      expect(seeds).toHaveLength(4);
      const [api] = service.processes('api');
      api?.kill('SIGUSR2');
      const heap = await heapIn(folder, service.url);
      expect(heap.includes(jwtSecret)).toBe(true);
      expect(seeds.flatMap(textFormsOf).filter((form) => heap.includes(form))).toEqual([]);
      const memory = `/proc/${api?.pid}/mem`;
      // Only Linux lets a parent read the memory itself.
      if (!existsSync(memory)) return;
      expect(countIn(memory, [Buffer.from(jwtSecret)])).toBeGreaterThan(0);
      expect(countIn(memory, seeds.flatMap(privateParts))).toBe(0);
    } finally {
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    }
  });

  /** All text of the heap snapshot that is being written into a folder, as bytes, which are searched faster. */
  async function heapIn(folder: string, url: string): Promise<Buffer> {
    const names = async () => (await readdir(folder)).filter((name) => name.endsWith('.heapsnapshot'));
    await waitFor('the snapshot', async () => (await names()).length === 1);
    // The snapshot is written in one go: once the process answers again, it is complete.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const [name = ''] = await names();
    const { strings }: { strings: string[] } = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    return Buffer.from(strings.join('\n'));
  }
});

/** How often any of the byte sequences occurs in the writable memory of a process. */
function countIn(memory: string, needles: readonly Buffer[]): number {
  const maps = readFileSync(path.join(path.dirname(memory), 'maps'), 'utf8');
  const file = openSync(memory, 'r');
  try {
    const counts = [...maps.matchAll(/^([\da-f]+)-([\da-f]+) rw/gm)].map(([, from = '', to = '']) => {
      const bytes = readMemory(file, BigInt(`0x${from}`), Number(BigInt(`0x${to}`) - BigInt(`0x${from}`)));
      return needles.filter((needle) => bytes.includes(needle)).length;
    });
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    closeSync(file);
  }
}

/** The readable part of a range of memory; some pages are missing. */
function readMemory(file: number, from: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const pieceBytes = 1024 * 1024;
  for (let at = 0; at < length; at += pieceBytes) {
    try {
      readSync(file, bytes, at, Math.min(pieceBytes, length - at), from + BigInt(at));
    } catch (error) {
      if (systemErrorCode(error) !== 'EIO') throw error;
    }
  }
  return bytes;
}
