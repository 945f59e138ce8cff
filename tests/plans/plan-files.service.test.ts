import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  describeWhere,
  missingCommands,
  missingForPrivateHost,
  newFolder,
  privateHost,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';
import { type PlanFileName, type PlannedMachine, plannedMachines } from './planned-machine.ts';

const projectDir = path.resolve(__dirname, '../..');
/** Without what users installed elsewhere, such as another Python without apt. */
const onlyDebian = 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root ANSIBLE_NOCOLOR=1';

// Not where Ansible is missing: playbooks that were only parsed have failed on hosts.
for (const machine of plannedMachines) {
  const missing = [...missingForPrivateHost(), ...missingCommands(...machine.needs)];
  describeWhere(missing, `the files of a plan, run on a machine with ${machine.manager}`, () =>
    testFiles(machine),
  );
}

function testFiles(machine: PlannedMachine): void {
  const folder = newFolder('plan');
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
      readFileSync(path.join(projectDir, 'apps/agent/dist', machine.collector)),
    );
    const { stdout } = await host.run(machine.prepare, `${onlyDebian}\nsh /host/collector.sh`);
    const id = await reportingHost(client, stdout);
    await writeFrom('/inventory/ansible', 'inventory.json');
    for (const versions of ['pinned', 'newest'])
      for (const [format, suffix] of [
        ['ansible', 'yml'],
        ['shell', 'sh'],
      ])
        await writeFrom(`/plans?format=${format}`, `${versions}.${suffix}`, { hosts: [id], versions });
    const nameless = stdout.replace(/^ machine_id\t.*$/m, ' machine_id\t');
    const hostile = await reportingHost(client, nameless);
    for (const [format, suffix] of [
      ['ansible', 'yml'],
      ['shell', 'sh'],
    ])
      await writeFrom(`/plans?format=${format}`, `hostile.${suffix}`, { hosts: [hostile] });
    writeFileSync(path.join(folder, 'inventory'), '#!/bin/sh\ncat /host/inventory.json\n', { mode: 0o755 });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

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

  /** Runs files on the machine, one after the other, and shows its packages after each; `--check` is Ansible's. */
  async function run(files: readonly (PlanFileName | `--check ${PlanFileName}`)[], prepare = '') {
    const commands = files.map((file) => {
      const [name = '', option = ''] = file.split(' ').reverse();
      const command = name.endsWith('.sh')
        ? `sh /host/${name}`
        : `ansible-playbook --inventory /host/inventory --connection local ${option} /host/${name}`;
      return `${command} 2>&1; echo "ended with $?"; ${machine.list}`;
    });
    const { stdout, stderr } = await host.run(
      `${machine.prepare}\n${prepare}`,
      `${onlyDebian}\n${commands.join('\n')}`,
    );
    const said = stdout + stderr;
    const runs = stdout.split(/(?<=ended with \d+)\n/).slice(0, -1);
    const packages = stdout.split(/ended with \d+\n/).slice(1);
    return runs.map((text, n) => ({
      said,
      end: Number(/ended with (\d+)$/.exec(text)?.[1]),
      changed: Number(/changed=(\d+)/.exec(text)?.[1]),
      packages: (packages[n] ?? '').split('\n').filter((line) => line.startsWith('installed plimsoll-')),
    }));
  }

  const [older, newer] = machine.versions;
  const held = `installed plimsoll-held ${older}`;
  const before = [`installed plimsoll-demo ${older}`, held];
  const after = [`installed plimsoll-demo ${newer}`, held];
  const said = expect.anything();

  it.each(['pinned', 'newest'] as const)(
    'the playbook with %s versions changes nothing with --check, then what was planned, then nothing more',
    async (versions) => {
      const file = `${versions}.yml` as const;
      expect(await run([`--check ${file}`, file, file])).toEqual([
        { said, end: 0, changed: 1, packages: before },
        { said, end: 0, changed: 1, packages: after },
        { said, end: 0, changed: 0, packages: after },
      ]);
    },
  );

  it.each(['pinned.sh', 'newest.sh'] as const)(
    'the script %s does what was planned, then nothing more',
    async (file) => {
      const done = { said, end: 0, changed: Number.NaN, packages: after };
      expect(await run([file, file])).toEqual([done, done]);
    },
  );

  it('stops on a machine with another machine id, and changes nothing', async () => {
    const other = 'echo fedcba9876543210fedcba9876543210 >/etc/machine-id';
    const runs = await run(['pinned.yml', 'pinned.sh'], other);
    expect(runs.map(({ end, packages }) => [end, packages])).toEqual([
      [2, before],
      [3, before],
    ]);
    expect(runs[0]?.said).toContain('This is not the machine that was planned.');
  });

  it('changes nothing by the plan of another host that only has the name of the machine', async () => {
    const runs = await run(['hostile.sh', 'hostile.yml']);
    expect(runs.map(({ end, packages }) => [end, packages])).toEqual([
      [3, before],
      [4, before], // A playbook without plays is none.
    ]);
    expect(runs[0]?.said).toContain('one of its hosts that are not covered (1)');
  });

  it('installs a package that was removed since only where Ansible cannot leave it out', async () => {
    const runs = await run(
      machine.removedSince.map(([file]) => file),
      machine.remove,
    );
    expect(runs.map(({ end, packages }) => [end, packages])).toEqual(
      machine.removedSince.map(([, status, outcome]) => [status, outcome === 'installed' ? after : [held]]),
    );
  });

  it('fails if the version that was planned is no longer offered, and changes nothing', async () => {
    const runs = await run(['pinned.yml', 'pinned.sh'], machine.replace);
    expect(runs.map(({ end, packages }) => [end > 0, packages])).toEqual([
      [true, before],
      [true, before],
    ]);
  });
}

/** Adds the machine by its report, as an admin does by hand. Resolves when the report is matched. */
async function reportingHost(client: Client, report: string): Promise<string> {
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

/** Throws if playbooks cannot be run. */
function requireAnsible(): void {
  const command = `${onlyDebian}; ansible-playbook --version && python3 -c 'import apt, dnf'`;
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    `Playbooks are run for real, which needs Debian's packages ansible-core, python3-apt and dnf: ${stderr}`,
  );
}
