import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { AgentHost } from './agent-host.ts';
import { AgentServer } from './agent-server.ts';

const register = '/api/v1/agent/register';
let server: AgentServer;
let host: AgentHost;

beforeEach(async () => {
  server = await AgentServer.start();
  host = new AgentHost();
});
afterEach(async () => {
  await server.stop();
  host.remove();
});

function bodies(): readonly unknown[] {
  return server.to(register).map(({ body }) => JSON.parse(body.toString('utf8')) as unknown);
}

it('identifies the host, and stores its token where only its user can read it', async () => {
  const result = await host.agent(['enroll', `${server.origin}/`], { PLIMSOLL_TOKEN: 'plr_token' });
  expect(result).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining('pending') });
  const machineId = readFileSync('/etc/machine-id', 'utf8').trim();
  expect(bodies()).toEqual([
    {
      registration_token: 'plr_token',
      hostname: hostname(),
      machine_id: machineId,
      metadata: {
        ip_address: expect.any(String),
        os_name: expect.stringMatching(/^[a-z]+$/),
        os_version: expect.any(String),
        architecture: 'amd64',
      },
    },
  ]);
  expect(host.kept('token')).toBe('plh_first-Token_0123456789');
  expect(host.kept('server')).toBe(server.origin);
  expect(statSync(path.join(host.state, 'token')).mode & 0o777).toBe(0o600);
  expect(statSync(host.state).mode & 0o777).toBe(0o700);
});

it('takes the registration token from standard input', async () => {
  for (const input of ['plr_typed\n', 'plr_typed']) {
    await host.agent(['enroll', '--again', server.origin], {}, input);
  }
  expect(bodies()).toMatchObject([{ registration_token: 'plr_typed' }, { registration_token: 'plr_typed' }]);
});

it('refuses to enrol without a token or without an address', async () => {
  expect(await host.agent(['enroll', server.origin])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('registration token is missing'),
  });
  expect(await host.agent(['enroll'], { PLIMSOLL_TOKEN: 'plr_token' })).toMatchObject({ status: 1 });
  expect(server.requests).toEqual([]);
});

it('puts no token into the command line of any program', async () => {
  const log = path.join(host.folder, 'commands');
  const tools = ['curl', 'sed', 'tr', 'cat', 'mv', 'cut', 'head', 'tail', 'gzip'];
  const logged = (name: string) =>
    `echo "${name} $*" >>${log}\nexec "$(PATH=/usr/bin:/bin command -v ${name})" "$@"`;
  host.addTools(Object.fromEntries(tools.map((name) => [name, logged(name)])));
  await host.enroll(server.origin);
  expect((await host.agent(['run'])).status).toBe(0);
  expect(server.to('/api/v1/agent/snapshots')[0]?.headers.authorization).toBe(
    'Bearer plh_first-Token_0123456789',
  );
  const commands = readFileSync(log, 'utf8');
  expect(commands).toContain('curl ');
  expect(commands).not.toMatch(/plr_|plh_/);
});

it('writes unusual names as valid JSON', async () => {
  host.addTools({ uname: String.raw`printf 'a"b\\c\td\351\n'` });
  await host.enroll(server.origin);
  expect(bodies()).toMatchObject([{ hostname: 'a"b\\c?d?' }]);
});

it('stores the key of an enrolment before sending it, so that a lost answer creates no second host', async () => {
  server.behave(register, 'cut');
  const lost = await host.agent(['enroll', server.origin], { PLIMSOLL_TOKEN: 'plr_token' });
  expect(lost).toMatchObject({ status: 1, stderr: expect.stringContaining('no answer') });
  expect(host.kept('token')).toBeNull();
  server.behave(register, {
    status: 201,
    body: { host_id: 'h', host_access_token: 'plh_x', approval_status: 'approved' },
  });
  await host.enroll(server.origin);
  const keys = server.to(register).map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(6);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

it('uses a new key for a new enrolment', async () => {
  await host.enroll(server.origin);
  await host.agent(['enroll', '--again', server.origin], { PLIMSOLL_TOKEN: 'plr_other' });
  const keys = server.to(register).map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(2);
});

it('reports that the token was refused, and does not retry', async () => {
  server.behave(register, { status: 401, body: { code: 'invalid_registration_token' } });
  const result = await host.agent(['enroll', server.origin], { PLIMSOLL_TOKEN: 'plr_old' });
  expect(result).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/unknown, used up, expired or revoked/),
  });
  expect(server.requests).toHaveLength(1);
});

it('enrols an enrolled host only with --again', async () => {
  await host.enroll(server.origin);
  const again = await host.agent(['enroll', server.origin], { PLIMSOLL_TOKEN: 'plr_token' });
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('--again') });
  expect(server.requests).toHaveLength(1);
});

it('shows the server’s reason for a refusal, in printable characters', async () => {
  server.behave(register, { status: 422, body: { detail: 'hostname: too long \u001b[31m' } });
  const { status, stderr } = await host.agent(['enroll', server.origin], { PLIMSOLL_TOKEN: 'plr_token' });
  expect(status).toBe(1);
  expect(stderr).toContain('the server answered 422: {"detail":"hostname: too long');
  expect(stderr).not.toContain('\u001b');
});

it('does not accept the answer of another server as an enrolment', async () => {
  server.behave(register, { status: 201, body: { welcome: true } });
  expect(await host.agent(['enroll', server.origin], { PLIMSOLL_TOKEN: 'plr_token' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the answer is not from a Plimsoll server'),
  });
  expect(host.kept('token')).toBeNull();
});

it.each([
  'http://example.org',
  'http://127.0.0.1.example.org/',
  'http://localhost.example.org',
  'http://0.0.0.0:1',
])('sends nothing unencrypted to %s', async (address) => {
  const result = await host.agent(['enroll', address], { PLIMSOLL_TOKEN: 'plr_token' });
  expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining('is not encrypted') });
});

it.each([
  'ftp://example.org',
  'example.org',
  'https://user@example.org',
  'https://example.org/?a',
  'https://a b',
  'https://',
])('rejects %s as the address of a server', async (address) => {
  const result = await host.agent(['enroll', address], { PLIMSOLL_TOKEN: 'plr_token' });
  expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining('address') });
});

it('connects unencrypted if requested, and warns each time', async () => {
  // Not a name of the loopback address, but it resolves to the server.
  const origin = server.origin.replace('127.0.0.1', '0.0.0.0');
  const enrolment = await host.agent(['enroll', '--allow-plain-http', origin], {
    PLIMSOLL_TOKEN: 'plr_token',
  });
  expect(enrolment).toMatchObject({ status: 0, stderr: expect.stringContaining('IS NOT ENCRYPTED') });
  expect(await host.agent(['run'])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('IS NOT ENCRYPTED'),
  });
});

it('ignores curl’s own configuration', async () => {
  appendFileSync(path.join(host.folder, '.curlrc'), 'header = "X-From-Curlrc: yes"\ninsecure\n');
  await host.enroll(server.origin);
  expect(server.requests[0]?.headers['x-from-curlrc']).toBeUndefined();
});
