import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { gaps, overallActions } from '@plimsoll/model';
import {
  type Client,
  createTestDatabase,
  signInClient,
  startService,
  type TestDatabase,
  type TestService,
  testAdmin,
  testUrlOf,
  waitFor,
} from '@plimsoll/testing';
import { everyStory } from '../src/stories/every-story.ts';
import type { Story } from '../src/stories/story.ts';

const projectDir = path.resolve(__dirname, '../../..');
const run = promisify(execFile);

jest.setTimeout(600_000);

/** The properties of a host that stories promise. */
interface Host {
  readonly id: string;
  readonly display_name: string;
  readonly overall_action: string;
  readonly gaps: readonly string[];
}

describe('npm run seed, on a whole service', () => {
  let database: TestDatabase;
  let service: TestService;
  let client: Client;
  let stories: readonly Story[];
  let said = '';

  const seed = (...args: readonly string[]) =>
    run(
      process.execPath,
      [
        'tools/run.mjs',
        'lab/seed/src/main.ts',
        ...args,
        '--url',
        service.url,
        '--database-url',
        testUrlOf(database.url, 'api'),
      ],
      { cwd: projectDir },
    );

  beforeAll(async () => {
    stories = await everyStory(projectDir);
    database = await createTestDatabase();
    service = await startService({ projectDir, databaseUrl: database.url, queue: { kind: 'postgres' } });
    said = (await seed(String(stories.length), '--past-hosts', '0')).stdout;
    client = await signInClient(service.url, testAdmin);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  async function hosts(query = ''): Promise<readonly Host[]> {
    return (await client.get(`/hosts?limit=200${query}`)).body as readonly Host[]; // the contract's type
  }

  it('makes each host of the stories, with the action and the gaps that its story promises', async () => {
    expect(said).toContain(
      `Hosts made: ${stories.length}, with ${stories.length} of ${stories.length} stories`,
    );
    const promised = stories
      .map(({ title, action, gaps: missing }) => [title, action, ...[...missing].sort()].join(' | '))
      .sort();
    let found: readonly string[] = [];
    // Repositories are judged after the reports are matched.
    await waitFor(
      'every host to be as promised',
      async () => {
        found = (await hosts())
          .map(({ display_name: name, overall_action: action, gaps: missing }) =>
            [name.replace(/^[^:]*: /, ''), action, ...missing].join(' | '),
          )
          .sort();
        return JSON.stringify(found) === JSON.stringify(promised);
      },
      { timeoutMs: 120_000 },
    ).catch((cause: unknown) => {
      const missing = promised.filter((line) => !found.includes(line)).join('; ');
      const unexpected = found.filter((line) => !promised.includes(line)).join('; ');
      throw new Error(`missing: ${missing}\nfound instead: ${unexpected}`, { cause });
    });
    expect(found).toEqual(promised);
  });

  it('shows every action and every gap on some approved or pending host', async () => {
    const all = await hosts();
    expect([...new Set(all.map(({ overall_action: action }) => action))].sort()).toEqual(
      [...overallActions].sort(),
    );
    expect([...new Set(all.flatMap((host) => host.gaps))].sort()).toEqual(gaps);
  });

  it('has something for every filter of the hosts and every list of the fleet', async () => {
    const filters = [
      'status=active',
      'status=new',
      'status=stale',
      'approval_status=pending',
      'onboarding_mode=ssh',
      'onboarding_mode=manual',
      'os_family=apt',
      'os_family=rpm',
      'severity=critical',
      'needs_reboot=true',
      'tag=production',
      'tag=staging',
      'tag=db',
    ];
    for (const filter of filters)
      expect([filter, (await hosts(`&${filter}`)).length]).not.toEqual([filter, 0]);
    for (const list of ['/advisories', '/repositories', '/feeds', '/registration-tokens', '/packages?q=curl'])
      expect([list, ((await client.get(list)).body as readonly unknown[]).length]).not.toEqual([list, 0]);
    const clones = (await client.get('/hosts?q=clone')).body;
    expect(clones).toMatchObject([{ machine_id_conflict_with: expect.any(String) }]);
  });

  it('adds nothing to a fleet that has hosts, unless it is told to', async () => {
    await expect(seed('1')).rejects.toMatchObject({ stderr: expect.stringContaining('--add') });
    await expect(seed('1', '--add', '--past-hosts', '0')).resolves.toMatchObject({
      stdout: expect.stringContaining('Hosts made: 1'),
    });
  });

  it('adds hosts with a past', async () => {
    const before = new Set((await hosts()).map(({ id }) => id));
    await seed('1', '--add', '--past-hosts', '3', '--past-days', '40', '--owner-url', database.url);
    const added = (await hosts()).filter(({ id }) => !before.has(id));
    expect(added).toHaveLength(4);
    const { rows } = await database.db.pool.query<{ days: number; oldest: number }>(
      `SELECT count(DISTINCT at::date)::int AS days, extract(day FROM now() - min(at))::int AS oldest FROM package_changes`,
    );
    expect(rows[0]?.days).toBeGreaterThan(2);
    expect(rows[0]?.oldest).toBeGreaterThan(20);
  });
});
