import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { describeWhere } from '@plimsoll/testing';
import { type ClientRun, clientOptions, runClient } from './run-client.ts';
import { hello, helloReport, missingForAccounts, missingForSshd, type Site, setUpSite } from './site.ts';

const refusal = `plimsoll-pin ${hello.sha256}`;

describeWhere(missingForSshd, 'clients that are not the worker', () => {
  let site: Site;
  let to: string;
  let inner: Server;
  let innerPort: number;
  let visits = 0;

  beforeAll(async () => {
    site = await setUpSite(
      { logLevel: 'DEBUG1', settings: ['AllowTcpForwarding yes', 'X11Forwarding yes'] },
      '/bin/bash',
    );
    to = `${site.login.user}@127.0.0.1`;
    await writeFile(path.join(site.login.home, 'secret'), 'a secret\n').catch(() => undefined);
    inner = createServer((socket) => {
      visits += 1;
      socket.end();
    });
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
    const address = inner.address();
    innerPort = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(async () => {
    inner?.close();
    await site?.stop();
  });
  beforeEach(() => site.allow(hello));

  const ssh = (args: readonly string[], input: string | null = '') =>
    runClient('ssh', [...clientOptions(site), ...args], { input });
  const expectRefused = ({ status, stdout, hung }: ClientRun) => {
    expect(hung).toBe(false);
    expect(status).not.toBe(0);
    expect(stdout).not.toMatch(/secret|uid=/);
  };

  it('the owner of the script may run it directly', async () => {
    const run = await runClient('ssh', [...clientOptions(site), '-T', to], { input: hello.script });
    expect(run).toMatchObject({ status: 0, stdout: helloReport(site.login.user) });
  });

  it('refuses shells, commands and file transfers without waiting for input', async () => {
    const attempts: readonly (readonly string[])[] = [
      ['-T', to],
      [to, 'id; cat secret'],
      [to, 'rsync --server --sender -vlogDtpr . .'],
      [to, 'scp -f secret'],
      ['-s', to, 'sftp'],
      [to, "git-upload-pack 'secret'"],
    ];
    for (const run of await Promise.all(attempts.map((attempt) => ssh(attempt, null)))) {
      expectRefused(run);
      expect(run.stdout).toContain(refusal);
    }
  });

  it('gets no terminal', async () => {
    const run = await ssh(['-tt', to]);
    expectRefused(run);
    expect(run.stderr).toMatch(/PTY allocation request failed/);
  });

  it('sftp ends', async () => {
    expectRefused(await runClient('sftp', [...clientOptions(site), to], { input: null }));
  });

  it.each([[[]], [['-O']]])('scp %j copies nothing, in either direction', async (mode) => {
    const file = path.join(site.login.home, 'secret');
    expectRefused(
      await runClient('scp', [...mode, ...clientOptions(site), `${to}:${file}`, '/dev/null'], {
        input: null,
      }),
    );
    expectRefused(
      await runClient('scp', [...mode, ...clientOptions(site), __filename, `${to}:copied`], { input: null }),
    );
  });

  it('forwards no connection into the network of the host', async () => {
    const run = await ssh(['-W', `127.0.0.1:${innerPort}`, to]);
    expectRefused(run);
    expect(run.stderr).toMatch(/prohibited/);
    expect(visits).toBe(0);
  });

  it('opens no port on the host', async () => {
    const run = await ssh(
      ['-N', '-o', 'ExitOnForwardFailure=yes', '-R', `0:127.0.0.1:${innerPort}`, to],
      null,
    );
    expectRefused(run);
    expect(run.stderr).toMatch(/forwarding failed/);
  });

  it('leaves no option but the command, as sshd itself reports', async () => {
    const { stderr } = await ssh(['-v', '-A', '-X', to, 'id']);
    expect(stderr).toMatch(/key options: command\s*$/m);
    await site.allow(null);
    const plain = await ssh(['-v', to, 'true']);
    expect(plain.stderr).toMatch(/key options: agent-forwarding port-forwarding pty user-rc x11-forwarding/);
  });

  it('the plain key allows everything the account may do, which the line prevents', async () => {
    await site.allow(null);
    expect(await ssh([to, 'echo $((40 + 2))'])).toMatchObject({ status: 0, stdout: '42\n' });
  });
});

describeWhere(missingForAccounts, 'an sshd that lets clients set variables', () => {
  const stealing = '() { touch stolen; }';
  const variables = [
    ...['exec', 'env', '/usr/bin/env', 'timeout', 'head', 'sha256sum', 'printf', 'eval', '['].map(
      (name) => `BASH_FUNC_${name}%%=${stealing}`,
    ),
    ...['ENV=stolen.sh', 'BASH_ENV=stolen.sh', 'PATH=/tmp', 'IFS=abcdefgh', 'LD_PRELOAD=stolen.so'],
    ...['PS4=$(touch stolen)', 'SHELLOPTS=xtrace', 'SSH_ORIGINAL_COMMAND=touch stolen'],
  ];
  let site: Site;
  beforeAll(async () => {
    site = await setUpSite({ settings: ['AcceptEnv *'] }, '/bin/dash');
    await site.allow(hello);
  });
  afterAll(() => site?.stop());

  it('runs only the collector if the login shell obeys none of them', async () => {
    const { user, home } = site.login;
    await writeFile(path.join(home, 'stolen.sh'), 'touch stolen', { mode: 0o755 });
    const set = variables.map((variable) => `"${variable}"`).join(' ');
    const ssh = (input: string | Uint8Array) =>
      runClient('ssh', [...clientOptions(site), '-o', `SetEnv ${set}`, '-T', `${user}@127.0.0.1`, 'x'], {
        input,
      });
    expect(await ssh('touch stolen')).toMatchObject({ status: 78, stdout: `${refusal}\n` });
    expect(await ssh(hello.script)).toMatchObject({ status: 0, stdout: helloReport(user) });
    expect(await readdir(home)).toEqual(['stolen.sh']);
  });
});
