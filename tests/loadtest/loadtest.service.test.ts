import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createServiceClient,
  type LoadtestReport,
  readLedger,
  type SentUpload,
  type ServiceClient,
  signIn,
  type Verification,
  verifyLedger,
} from '@plimsoll/loadtest';
import {
  type Client,
  createTestDatabase,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  testAdmin,
} from '@plimsoll/testing';

const projectDir = path.resolve(__dirname, '../..');

jest.setTimeout(600_000);

describe('plimsoll loadtest, on a whole service', () => {
  let database: TestDatabase;
  let service: TestService;
  let user: Client;
  let client: ServiceClient;
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-loadtest-'));
    await writeFile(path.join(folder, 'password'), `${testAdmin.password}\n`);
    database = await createTestDatabase();
    service = await startService({ projectDir, databaseUrl: database.url, queue: { kind: 'postgres' } });
    user = await setUpClient(service.url);
    client = createServiceClient(service.url, 4);
  });
  afterAll(async () => {
    client.close();
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** Runs the command; returns its output and exit code. */
  async function loadtest(...args: readonly string[]): Promise<{ code: number; output: string }> {
    const cli = path.join(projectDir, 'apps/cli/bin/plimsoll.mjs');
    const account = ['--email', testAdmin.email, '--password-file', path.join(folder, 'password')];
    const child = spawn(process.execPath, [cli, 'loadtest', '--url', service.url, ...account, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [code] = await once(child, 'close');
    return { code, output };
  }

  async function verify(uploads: readonly SentUpload[], patienceMs = 60_000): Promise<Verification> {
    const session = await signIn(client, testAdmin);
    return verifyLedger(uploads, { client, session, lanes: 2, patienceMs });
  }

  async function problemsOf(uploads: readonly SentUpload[], patienceMs?: number): Promise<readonly string[]> {
    return (await verify(uploads, patienceMs)).problems.map(({ kind }) => kind).sort();
  }

  it('enrols hosts, sends rounds of reports and finds that none was lost', async () => {
    const [json, ledger] = [path.join(folder, 'result.json'), path.join(folder, 'ledger.jsonl')];
    const { code, output } = await loadtest(
      ...['--hosts', '12', '--rounds', '3', '--changed', '0.5', '--new-versions', '0.1'],
      ...['--unchanged', '5', '--json', json, '--ledger', ledger],
    );
    expect(`${code} ${output}`).toMatch(/^0 .*12 hosts enrolled/s);
    const result = JSON.parse(await readFile(json, 'utf8')) as LoadtestReport; // The command wrote it.
    const uploads = await readLedger(ledger);
    expect(result).toMatchObject({ hosts: 12, rounds: 3, refusals: {}, verification: { problems: [] } });
    expect(result.queued + result.unchanged).toBe(uploads.length);
    expect(uploads.filter(({ round }) => round === 0)).toHaveLength(12);
    // Every host changes at first, then about half of them in each round.
    expect(result.queued).toBeGreaterThan(14);
    expect(result.queued).toBeLessThan(34);
    expect(result.unchanged).toBeGreaterThan(2);
    expect((await user.get('/hosts?limit=1')).headers.get('x-total-count')).toBe('12');
    expect(await problemsOf(uploads)).toEqual([]);
  });

  it('adds no hosts to a service that has some, without being told to', async () => {
    const { code, output } = await loadtest('--hosts', '1');
    expect(code).toBe(1);
    expect(output).toContain('--add');
    expect((await user.get('/hosts?limit=1')).headers.get('x-total-count')).toBe('12');
  });

  it('finds a host that was deleted, a lost upload, and a snapshot that is not the last one sent', async () => {
    const ledger = path.join(folder, 'drift.jsonl');
    const { code } = await loadtest(
      '--hosts',
      '3',
      '--days',
      '2',
      '--seed',
      '7',
      '--add',
      '--ledger',
      ledger,
    );
    expect(code).toBe(0);
    const uploads = await readLedger(ledger);
    const [first, second, third] = [0, 1, 2].map((host) => uploads.filter((upload) => upload.host === host));
    if (first?.[0] === undefined || second?.[0] === undefined || third?.[0] === undefined)
      throw new Error('a host sent nothing');
    await user.send('DELETE', `/hosts/${first[0].hostId}`);
    expect(await problemsOf(uploads)).toEqual(['host_missing']);

    // An upload that was answered 202 and is nowhere.
    await database.db.pool.query('DELETE FROM uploads WHERE id = $1', [second[0].uploadId]);
    expect(await problemsOf(second)).toContain('upload_lost');

    const elsewhere = { ...third[0], sha256: 'f'.repeat(64) };
    expect(await problemsOf([elsewhere])).toEqual(['newest_differs']);
    const refused = { ...third[0], report: 99, status: 429, answer: 'rate_limited', uploadId: null };
    expect(await problemsOf([...third, refused])).toEqual(['not_accepted']);

    await database.db.pool.query(`UPDATE uploads SET state = 'received' WHERE id = $1`, [third[0].uploadId]);
    expect(await problemsOf(third, 0)).toContain('upload_unfinished');
    await database.db.pool.query(
      `UPDATE uploads SET state = 'rejected', error_code = 'internal' WHERE id = $1`,
      [third[0].uploadId],
    );
    expect(await problemsOf(third)).toContain('upload_rejected');
  });
});
