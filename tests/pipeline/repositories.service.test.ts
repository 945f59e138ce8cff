import path from 'node:path';
import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import {
  type Client,
  createTestDatabase,
  type EnrolledHost,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';
import { debianMachine } from './debian-machine.ts';

const projectDir = path.resolve(__dirname, '../..');
const dayMs = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);
const source = 'deb.debian.org_debian-security_dists_bookworm-security';

/** A machine whose copy of bookworm-security was published this many days ago. */
function machine(name: string, publishedDaysAgo: number): Snapshot {
  const { platform } = debianMachine();
  return debianMachine({
    platform: { ...platform, hostname: name, machineId: name },
    repositories: [
      {
        id: `${source}_main_binary-amd64`,
        url: 'http://deb.debian.org/debian-security',
        enabled: true,
        suite: 'bookworm-security',
        origin: 'Debian',
      },
    ],
    observed: {
      bootId: 'x',
      bootedAt: null,
      refreshed: [
        {
          repositoryId: source,
          at: new Date(),
          publishedAt: ago(publishedDaysAgo),
          validUntil: null,
          error: '',
        },
      ],
    },
  });
}

describe('outdated repositories, through every process', () => {
  let database: TestDatabase;
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startService({ projectDir, databaseUrl: database.url, queue: { kind: 'postgres' } });
    client = await setUpClient(service.url);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  async function upload(host: EnrolledHost, name: string, publishedDaysAgo: number): Promise<string> {
    const { status, body } = await client.upload(host.token, encodeSnapshot(machine(name, publishedDaysAgo)));
    expect(status).toBe(202);
    return (body as { status: string }).status;
  }

  const becomes = (host: EnrolledHost, state: string) =>
    waitFor(`the host to be ${state}`, async () => {
      const { body } = await client.get(`/hosts/${host.id}`);
      return (body as { repositories_state: string }).repositories_state === state;
    });

  it('are detected when three others have a newer copy, and current again with an unchanged upload', async () => {
    const names = ['behind', 'one', 'two', 'three'];
    const hosts = new Map<string, EnrolledHost>();
    for (const name of names) hosts.set(name, await client.enrol(name));
    for (const [name, host] of hosts) await upload(host, name, name === 'behind' ? 20 : 1);
    const behind = hosts.get('behind');
    if (behind === undefined) throw new Error('the host is missing');
    await becomes(behind, 'outdated');
    const { body } = await client.get(`/hosts/${behind.id}/repositories`);
    expect(body).toMatchObject([
      {
        id: source,
        component: 'main',
        reason: 'This copy of bookworm-security is 19 days older than on 3 other hosts.',
      },
    ]);
    expect(await upload(behind, 'behind', 1)).toBe('unchanged');
    await becomes(behind, 'current');
  });
});
