import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  describeWhere,
  missingForPrivateHost,
  newFolder,
  privateHost,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';

const projectDir = path.resolve(__dirname, '../..');
const machine = readFileSync(path.join(__dirname, 'apt-machine.sh'), 'utf8');
/** Without what users installed elsewhere, such as another Python without apt. */
const onlyDebian = 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root ANSIBLE_NOCOLOR=1';

// Not where Ansible is missing: playbooks that were only parsed have failed on hosts.
describeWhere(missingForPrivateHost(), 'the playbook of a plan, run by Ansible on a machine with apt', () => {
  const folder = newFolder('playbook');
  const host = privateHost(folder);
  let database: TestDatabase;
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    requireAnsible();
    database = await createTestDatabase();
    service = await startService({ projectDir, databaseUrl: database.url, queue: { kind: 'postgres' } });
    client = await setUpClient(service.url);
    writeFileSync(
      path.join(folder, 'collector.sh'),
      readFileSync(path.join(projectDir, 'apps/agent/dist/collector-apt.sh')),
    );
    const { stdout } = await host.run(machine, `${onlyDebian}\nsh /host/collector.sh`);
    const id = await reportingHost(stdout);
    await writeFrom('/inventory/ansible', 'inventory.json');
    for (const versions of ['pinned', 'newest'])
      await writeFrom('/plans?format=ansible', `${versions}.yml`, { hosts: [id], versions });
    writeFileSync(path.join(folder, 'inventory'), '#!/bin/sh\ncat /host/inventory.json\n', { mode: 0o755 });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Adds the machine by its report, as an admin does by hand. Resolves when the report is matched. */
  async function reportingHost(report: string): Promise<string> {
    const json = { display_name: 'demo', hostname: 'demo.example' };
    const { body } = await client.send('POST', '/hosts/manual', json);
    const { id } = body as { readonly id: string };
    const answer = await client.sendText(`/hosts/${id}/report`, report);
    expect([answer.body, answer.status]).toEqual([expect.anything(), 202]);
    await waitFor('the report is matched', async () => {
      const found = (await client.get(`/hosts/${id}`)).body as { readonly available_updates: number };
      return found.available_updates > 0;
    });
    return id;
  }

  /** Stores what the service answers, as a user saves it. */
  async function writeFrom(from: string, name: string, json: object | null = null): Promise<void> {
    const answer = await fetch(`${service.url}/api/v1${from}`, {
      method: json === null ? 'GET' : 'POST',
      headers: { authorization: client.authorization, 'content-type': 'application/json' },
      ...(json !== null && { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.anything()]);
    writeFileSync(path.join(folder, name), text);
  }

  /** Runs playbooks on the machine, one after the other, and then shows its packages. */
  async function play(runs: readonly string[], prepare = '') {
    const { stdout, stderr } = await host.run(
      `${machine}\n${prepare}`,
      `${onlyDebian}
       for run in ${runs.map((run) => `'${run}'`).join(' ')}; do
         ansible-playbook --inventory /host/inventory --connection local $run 2>&1
         echo "ended with $?"
       done
       dpkg-query --show --showformat '\${db:Status-Status} \${Package} \${Version}\\n' 'plimsoll-*'`,
    );
    const ends = [...stdout.matchAll(/ended with (\d+)/g)].map(([, status]) => Number(status));
    const changed = [...stdout.matchAll(/changed=(\d+)/g)].map(([, number]) => Number(number));
    const packages = stdout.split('\n').filter((line) => line.startsWith('installed '));
    return { ends, changed, packages, said: stdout + stderr };
  }

  const before = ['installed plimsoll-demo 1.0-1', 'installed plimsoll-held 1.0-1'];
  const after = ['installed plimsoll-demo 1.0-2', 'installed plimsoll-held 1.0-1'];

  it.each(['pinned', 'newest'])(
    'with %s versions: changes nothing with --check, then what was planned, then nothing more',
    async (versions) => {
      const checked = await play([`--check /host/${versions}.yml`]);
      expect([checked.said, checked.ends, checked.changed]).toEqual([expect.anything(), [0], [1]]);
      expect(checked.packages).toEqual(before);
      const done = await play([`/host/${versions}.yml`, `/host/${versions}.yml`]);
      expect([done.said, done.ends, done.changed]).toEqual([expect.anything(), [0, 0], [1, 0]]);
      expect(done.packages).toEqual(after);
    },
  );

  it('stops on a machine with another machine id, and changes nothing', async () => {
    const other = 'echo fedcba9876543210fedcba9876543210 >/etc/machine-id';
    const { ends, packages, said } = await play(['/host/pinned.yml'], other);
    expect(said).toContain('This is not the machine that was planned.');
    expect([ends, packages]).toEqual([[2], before]);
  });

  it('does not install a package that was removed since', async () => {
    const { ends, packages } = await play(
      ['/host/pinned.yml', '/host/newest.yml'],
      'dpkg --purge plimsoll-demo',
    );
    expect([ends, packages]).toEqual([[0, 0], ['installed plimsoll-held 1.0-1']]);
  });

  it('fails if the version that was planned is no longer offered, and changes nothing', async () => {
    const gone = `sed -i 's/^Version: 1.0-2$/Version: 1.0-3/' /srv/repository/Packages`;
    const { ends, packages } = await play(['/host/pinned.yml'], gone);
    expect([ends, packages]).toEqual([[2], before]);
  });
});

/** Throws if playbooks cannot be run. */
function requireAnsible(): void {
  const command = `${onlyDebian}; ansible-playbook --version && python3 -c 'import apt'`;
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    `Playbooks are run for real, which needs Debian's packages ansible-core and python3-apt: ${stderr}`,
  );
}
