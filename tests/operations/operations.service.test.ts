import { chmod, copyFile, cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type Client,
  describeWhere,
  missingCommands,
  setUpClient,
  testAdmin,
  textOf,
  waitFor,
} from '@plimsoll/testing';
import { readComposeFile } from '../compose-file.ts';
import { readOperationsPages } from './operations-pages.ts';
import { createOperator, type Ended, type Operator } from './operator.ts';
import { secretsOf, tableCounts } from './restored-state.ts';

/**
 * Runs every block for a shell of docs/operations.md and docs/operations, on a service that `npm start` started. An
 * engine of containers is not there: docker-stand-in.sh runs what its containers would run.
 */
jest.setTimeout(600_000);

const root = path.resolve(__dirname, '../..');
const pages = readOperationsPages();
const blocks = {
  composeStart: pages.block('POSTGRES_PASSWORD='),
  tls: pages.lines('openssl req -x509'),
  loadtest: pages.block('loadtest --url'),
  explain: pages.block('plimsoll explain'),
  users: pages.lines('user reset-password'),
  inventory: pages.block('inventory/ansible'),
  backup: pages.block('npx plimsoll backup'),
  restore: pages.block('npx plimsoll restore'),
  composeBackup: pages.block('backup plimsoll backup'),
  composeRestore: pages.block('backup plimsoll restore'),
  archive: pages.block('archive_mode = on'),
  goBack: pages.block('recovery.signal'),
  audit: pages.lines('plimsoll verify-audit --head'),
  feedImport: pages.lines('npx plimsoll feed import'),
};
const done = { code: 0, problems: '' };

/** A service with a host that reported, and findings. */
let operator: Operator;
let client: Client;
let hostId = '';
const others: Operator[] = [];
beforeAll(async () => {
  operator = await newOperator();
  await operator.start();
  client = await setUpClient(operator.url);
});
afterAll(async () => {
  for (const one of [operator, ...others]) await one.leave();
});

async function newOperator(): Promise<Operator> {
  const made = await createOperator();
  await symlink(path.join(root, 'apps'), path.join(made.folder, 'apps'));
  await copyFile(path.join(__dirname, 'docker-stand-in.sh'), path.join(made.folder, 'bin/docker'));
  return made;
}

async function anotherMachine(): Promise<Operator> {
  const made = await newOperator();
  others.push(made);
  return made;
}

async function succeeds(script: string, input?: string, on = operator): Promise<Ended> {
  const ended = await on.run(script, input);
  expect(ended).toMatchObject(done);
  return ended;
}

/** Copies files between the folders of two operators. */
async function bring(to: Operator, ...names: readonly string[]): Promise<void> {
  for (const name of names) await copyFile(path.join(operator.folder, name), path.join(to.folder, name));
}

/** The database is the one of `before`, its history is whole, and the secrets are the same. */
async function isWhole(on: Operator, before: Readonly<Record<string, number>>): Promise<void> {
  expect(await tableCounts(on)).toEqual(before);
  const verified = await on.run('npx plimsoll verify');
  expect(verified).toMatchObject({ code: 0 });
  expect(await on.run('npx plimsoll verify-audit')).toMatchObject({ code: 0 });
}

it('has a language for each block, and the test uses all blocks for shells', () => {
  expect(pages.languages).not.toContain('');
  expect(pages.unused()).toEqual([]);
});

it('adds invented hosts, and a real report with advisories', async () => {
  const smaller = blocks.loadtest
    .replace('https://plimsoll.example', operator.url)
    .replace('admin@example.org', testAdmin.email)
    .replace('--hosts 1000 --days 30', '--hosts 2 --days 2');
  expect(await operator.run(`password='${testAdmin.password}'\n${smaller}`)).toMatchObject({ code: 0 });
  const { id, token } = await client.enrol('web-1.example');
  hostId = id;
  const report = await fetch(`${operator.url}/api/v1/agent/snapshots`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      prefer: 'wait=30',
    },
    body: new Uint8Array(await readFile(path.join(root, 'examples/debian-12.snapshot.pb.gz'))),
  });
  expect(report.status).toBe(200);
  await copyFile(
    path.join(root, 'examples/debian-advisories.jsonl.gz'),
    path.join(operator.folder, 'all.zip'),
  );
  for (const line of blocks.feedImport) expect(await operator.run(line)).toMatchObject({ code: 0 });
});

it('explains a finding', async () => {
  const [finding] = (await client.get(`/hosts/${hostId}/packages/vulnerable`)).body as readonly {
    readonly name: string;
    readonly advisories: readonly { readonly id: string }[];
  }[];
  const about = `${hostId} ${finding?.name} ${finding?.advisories[0]?.id}`;
  const { output } = await succeeds(
    blocks.explain.replace('web-1.example openssh-server CVE-2024-6387', about),
  );
  expect(output).toContain(String(finding?.name));
});

it('helps when no one can sign in', async () => {
  const password = 'a password from the command line\n';
  const [reset = '', unlock = '', factor = '', create = '', emergency = '', ...more] = blocks.users;
  expect(more).toEqual([]);
  for (const line of [create, reset, unlock, factor, emergency]) await succeeds(line, password);
  const body = JSON.stringify({ email: 'you@example.org', password: password.trim() });
  const headers = { 'content-type': 'application/json' };
  const signIn = await fetch(`${operator.url}/api/v1/auth/login`, { method: 'POST', headers, body });
  expect(signIn.status).toBe(200);
});

it('gives Ansible an inventory', async () => {
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const key = await client.send('POST', '/api-keys', {
    name: 'ansible',
    role: 'viewer',
    expires_at: expires,
  });
  await writeFile(path.join(operator.folder, '.plimsoll-key'), textOf(key.body, 'key'));
  const { output } = await succeeds(blocks.inventory.replace('https://plimsoll.example.org', operator.url));
  expect(output).toContain(hostId);
});

it('verifies the audit log, also against an earlier head and an export', async () => {
  const [plain = '', withHead = '', withExport = '', ...more] = blocks.audit;
  expect(more).toEqual([]);
  const { output } = await succeeds(plain);
  const [head = ''] = /\d+:[0-9a-f]{64}/.exec(output) ?? [];
  await succeeds(withHead.replace('1234:9f86…', head));
  const exported = path.join(operator.folder, 'audit.jsonl');
  await waitFor('the export', async () =>
    (await readFile(exported, 'utf8')).includes(`"position":${parseInt(head, 10)},`),
  );
  await succeeds(withExport);
});

it('comes back from a backup on another machine, with the secrets', async () => {
  const before = await tableCounts(operator);
  await succeeds(blocks.backup);
  const other = await anotherMachine();
  await cp(path.join(operator.folder, 'backups'), path.join(other.folder, 'backups'), { recursive: true });
  const { output } = await succeeds(blocks.restore, undefined, other);
  expect(output).toContain('Restored, and proved.');
  await other.start();
  await isWhole(other, before);
  expect(await secretsOf(other)).toBe(await secretsOf(operator));
  await other.stop();
});

it('comes back in Compose, with the keys in their volumes', async () => {
  for (const name of ['sealing-keys', 'sealing-public-key'])
    await mkdir(path.join(operator.folder, 'volumes', name), { recursive: true });
  const keysIn = (folder: string) => path.join(folder, 'volumes/sealing-keys/keys');
  await copyFile(path.join(operator.folder, 'data/secrets/ssh.sealing_keys'), keysIn(operator.folder));
  const before = await tableCounts(operator);
  await succeeds(blocks.composeBackup.replace('> plimsoll.tar', '> plimsoll.tar 2>told'));
  const other = await anotherMachine();
  await bring(other, 'plimsoll.tar');
  expect(await other.run(blocks.composeRestore)).toMatchObject({ code: 0 });
  expect(await readFile(keysIn(other.folder), 'utf8')).toBe(await readFile(keysIn(operator.folder), 'utf8'));
  await other.start();
  await isWhole(other, before);
  await other.stop();
});

it('goes back to a point in time with a copy of the stopped folder and archived WAL', async () => {
  const wal = path.join(operator.folder, 'wal');
  await mkdir(wal);
  await chmod(wal, 0o777);
  const here = (block: string) => block.replaceAll('/srv/wal', wal);
  await operator.stop();
  await succeeds(here(blocks.archive));
  await operator.start();
  await client.enrol('before.example');
  await setTimeout(1_100);
  const at = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
  await client.enrol('after.example');
  await operator.stop();
  await rename(path.join(operator.folder, 'data'), path.join(operator.folder, 'data-lost'));
  await succeeds(here(blocks.goBack).replace('2026-11-30 06:15:00+00', at));
  await operator.start();
  const { body } = await client.get('/hosts?limit=100');
  const names = JSON.stringify(body);
  expect(names).toContain('before.example');
  expect(names).not.toContain('after.example');
});

it('starts in Compose with secrets of its own, with services that docker-compose.yml has', async () => {
  const other = await anotherMachine();
  await succeeds(blocks.composeStart, undefined, other);
  const env = await readFile(path.join(other.folder, '.env'), 'utf8');
  expect(env).toMatch(/^POSTGRES_PASSWORD=[0-9a-f]{48}\nAPI_JWT_SECRET_KEY=[0-9a-f]{64}\n$/);
  const names = Object.keys(readComposeFile().services);
  const scaled = /--scale ([a-z-]+)=/.exec(blocks.composeStart)?.[1] ?? '';
  expect(names).toContain(scaled);
  expect(names).toContain('backup');
});

describeWhere(missingCommands('openssl', 'curl', 'hostname'), 'https with an authority of its own', () => {
  it('serves the certificate', async () => {
    const other = await anotherMachine();
    const start = blocks.tls.at(-1) ?? '';
    expect(await other.run(blocks.tls.slice(0, -1).join('\n'))).toMatchObject({ code: 0 });
    const { port } = new URL(other.url);
    const ask = `curl --silent --fail --cacert ca.pem --resolve "$(hostname -f):${port}:127.0.0.1" "https://$(hostname -f):${port}/readyz"`;
    const script = `${start} >start.log 2>&1 &
      service=$!
      until answer=$(${ask}); do kill -0 $service; sleep 0.1; done
      kill $service
      wait $service || true
      printf '%s' "$answer"`;
    const { output } = await other.run(script);
    expect({ output, hostname: hostname() }).toMatchObject({ output: expect.stringContaining('"ready"') });
  });
});
