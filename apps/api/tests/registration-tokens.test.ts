import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { apiPerFile } from './api-under-test.ts';
import { type EnrolmentRequests, enrolmentRequests } from './enrolment-requests.ts';

const api = apiPerFile();
let issue: EnrolmentRequests['issue'];
let hostOf: EnrolmentRequests['hostOf'];

beforeAll(async () => {
  ({ issue, hostOf } = enrolmentRequests(api));
});

describe('a registration token', () => {
  it('is for one use in 24 hours by default, and its secret is shown once', async () => {
    const issued = await api.admin.post('/api/v1/registration-tokens', { json: { name: 'web' } });
    expect(issued.body).toMatchObject({
      name: 'web',
      auto_approve: false,
      max_uses: 1,
      uses: 0,
      host_id: null,
      revoked_at: null,
    });
    expect(issued.body.token).toMatch(/^plr_[\w-]{43}$/);
    const hours = (Date.parse(issued.body.expires_at) - Date.parse(issued.body.created_at)) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    const listed = await api.admin.get('/api/v1/registration-tokens');
    expect(listed.body[0].id).toBe(issued.body.id);
    expect(listed.text).not.toContain(issued.body.token);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: ' ' }],
    ['a name with NUL', { name: 'a\0b' }],
    ['no use', { name: 'x', max_uses: 0 }],
    ['half a use', { name: 'x', max_uses: 1.5 }],
    ['hours as text', { name: 'x', expires_in_hours: '24' }],
    ['an invalid host id', { name: 'x', host_id: 'x' }],
    ['an unknown field', { name: 'x', autoApprove: true }],
  ])('is not issued with %s', async (_, json) => {
    expect((await api.admin.post('/api/v1/registration-tokens', { json })).body.code).toBe(
      'validation_failed',
    );
  });

  it('is not issued for a host that does not exist', async () => {
    const json = { name: 'x', host_id: '019a0000-0000-7000-8000-000000000000' };
    expect((await api.admin.post('/api/v1/registration-tokens', { json })).body.code).toBe('not_found');
  });

  it('has a command that fetches the agent and passes the token in the environment', async () => {
    const { install_command: command, token: secret } = await issue({ auto_approve: true });
    expect(command).not.toContain('\n');
    // Installing is for an operator's host: here the same line only enrols into its own folder.
    const enrolling = command.replace(` install '`, ` enroll '`);
    if (enrolling === command || /"\$f" install/.test(enrolling))
      throw new Error(`would install: ${command}`);
    const state = await mkdtemp(path.join(tmpdir(), 'plimsoll-enrolment-'));
    try {
      await promisify(execFile)('sh', ['-c', enrolling], { env: { ...process.env, PLIMSOLL_STATE: state } });
      const hostId = (await readFile(path.join(state, 'host-id'), 'utf8')).trim();
      expect(await hostOf(hostId)).toMatchObject({ approval_status: 'approved', hostname: hostname() });
      expect((await readFile(path.join(state, 'token'), 'utf8')).trim()).toMatch(/^plh_[\w-]{43}$/);
    } finally {
      await rm(state, { recursive: true });
    }
    expect(command).toContain(`PLIMSOLL_TOKEN='${secret}' sh "$f" install '${api.url}'`);
    expect(command.split(secret)).toHaveLength(2);
  });

  /**
   * Runs an install command as on a host, with an agent that only reports that it was run, and with these tools only.
   */
  async function runOnHost(command: string, script: string, tools: readonly string[]) {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-command-'));
    await writeFile(path.join(folder, 'script'), script);
    await writeFile(path.join(folder, 'fetch'), `#!/bin/sh\ncat ${folder}/script >"$f"\n`, { mode: 0o755 });
    for (const tool of ['cat', 'mktemp', 'rm', 'sh', 'sha256sum']) {
      await symlink(`/usr/bin/${tool}`, path.join(folder, tool));
    }
    for (const tool of tools) await symlink(path.join(folder, 'fetch'), path.join(folder, tool));
    try {
      const exported = command.replace('f=$(mktemp)', 'export f=$(mktemp)');
      const env = { PATH: folder, TMPDIR: folder };
      return await promisify(execFile)('/bin/sh', ['-c', exported], { env }).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        ({ code, stderr }) => ({ code, said: String(stderr) }),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it.each([['curl'], ['wget']])('has a command that works with %s only', async (tool) => {
    const { install_command: command } = await issue();
    const script = 'echo "run: $*"';
    const sha256 = createHash('sha256').update(script).digest('hex');
    const ran = await runOnHost(command.replace(/[0-9a-f]{64}/, sha256), script, [tool]);
    expect(ran).toEqual({ code: 0, said: `run: install ${api.url}\n` });
  });

  it('has a command that says what to do without curl and wget', async () => {
    const { install_command: command } = await issue();
    const ran = await runOnHost(command, 'echo run', []);
    expect(ran).toEqual({
      code: 1,
      said: expect.stringContaining('neither curl nor wget is installed here'),
    });
  });

  it('has a command that runs only the script that is served', async () => {
    const { install_command: command } = await issue();
    const served = await api.get('/api/v1/agent/script');
    expect(command).toContain(createHash('sha256').update(served.text).digest('hex'));
    const ran = await runOnHost(command, `${served.text}\necho changed on its way`, ['curl']);
    expect(ran).toEqual({ code: 1, said: expect.stringMatching(/^plimsoll: the script was not run/) });
  });

  it('has a command that stores no more than 2 MB of what the server sends', async () => {
    const { install_command: command } = await issue();
    const ran = await runOnHost(command, ' '.repeat(3_000_000), ['curl']);
    expect(ran).toEqual({ code: 153, said: expect.not.stringContaining('the script was not run') });
  });

  it.each([
    ['127.0.0.1:8080', ['loopback_url']],
    ['localhost', ['loopback_url']],
    ['[::1]:8080', ['loopback_url']],
    ['plimsoll.example', ['plain_http_url']],
    ['192.0.2.7:8080', ['plain_http_url']],
  ])('warns of what %s means for hosts', async (host, codes) => {
    const answer = await api.admin.post('/api/v1/registration-tokens', {
      json: { name: 'x' },
      headers: { Host: host },
    });
    expect(answer.body.warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
    expect(answer.body.install_command).not.toContain('--allow-plain-http');
  });

  it('lets the agent use plain http only if the operator allows it, and warns nevertheless', async () => {
    const answer = await api.admin.post('/api/v1/registration-tokens', {
      json: { name: 'x', allow_plain_http: true },
      headers: { Host: 'plimsoll.example' },
    });
    expect(answer.body.install_command).toContain("install --allow-plain-http 'http://plimsoll.example'");
    expect(answer.body.warnings).toEqual([
      { code: 'plain_http_url', detail: expect.stringContaining('made for it all the same') },
    ]);
  });
});
