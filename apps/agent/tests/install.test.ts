import { rmSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readEnvelope } from '@plimsoll/reports';
import { describeWhere } from '@plimsoll/testing';
import { AgentServer } from './agent-server.ts';
import { buildScripts, newFolder } from './built-scripts.ts';
import { smallAptHost, writeTools } from './fake-tools.ts';
import { makeAuthority } from './private-authority.ts';
import { missingCommands, missingForPrivateHost, privateHost } from './private-host.ts';
import { readReport } from './report-text.ts';

jest.setTimeout(120_000);

const missing = [...missingForPrivateHost(), ...missingCommands('runuser', 'useradd', 'curl', 'wget')];

describeWhere(missing, 'the agent installed', () => {
  const folder = newFolder('install');
  const host = privateHost(folder);
  let server: AgentServer;

  beforeAll(() => {
    buildScripts(folder);
    writeTools(`${folder}/tools`, {
      ...smallAptHost,
      systemctl: 'echo "$*" >>/tmp/systemctl',
    });
  });
  beforeEach(async () => {
    server = await AgentServer.start();
  });
  afterEach(() => server.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const quick = 'export PATH=/host/tools:$PATH';
  const withSystemd = 'mkdir -p /run/systemd/system';
  const withCron = 'rm -rf /run/systemd; mkdir -p /etc/cron.d';
  const install = () => `printf plr_token | sh /host/plimsoll-agent install ${server.origin}`;

  function reports(): readonly string[] {
    return server.to('/api/v1/agent/snapshots').map(({ headers, body }) => {
      const envelope = readEnvelope(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
      if (envelope.kind !== 'envelope') throw new Error(envelope.detail);
      return Buffer.from(envelope.report).toString('latin1');
    });
  }

  it('is enrolled, owned by a user of its own, and started by systemd', async () => {
    const { stdout } = await host.run(
      `${withSystemd}; ${quick}; ${install()}`,
      `stat -c '%U %a' /var/lib/plimsoll-agent /var/lib/plimsoll-agent/token /usr/local/sbin/plimsoll-agent
       id -u plimsoll-agent | grep -qx 0 || echo unprivileged
       cat /tmp/systemctl
       ls /etc/systemd/system/plimsoll-agent.* /etc/cron.d/plimsoll-agent 2>&1`,
    );
    expect(stdout).toBe(
      [
        'plimsoll-agent 700',
        'plimsoll-agent 600',
        'root 755',
        'unprivileged',
        'daemon-reload',
        'enable --now plimsoll-agent.timer',
        "ls: cannot access '/etc/cron.d/plimsoll-agent': No such file or directory",
        '/etc/systemd/system/plimsoll-agent.service',
        '/etc/systemd/system/plimsoll-agent.timer',
        '',
      ].join('\n'),
    );
  });

  it('has units that systemd understands, and next to no rights', async () => {
    if (missingCommands('systemd-analyze').length > 0) {
      process.stderr.write('NOT TESTED: the systemd units. This machine lacks systemd-analyze.\n');
      return;
    }
    const units = '/etc/systemd/system/plimsoll-agent.service /etc/systemd/system/plimsoll-agent.timer';
    const { stdout, stderr } = await host.run(
      `${withSystemd}; ${quick}; ${install()}`,
      `systemd-analyze verify --man=no ${units} 2>&1 | grep plimsoll; systemd-analyze security --no-pager --offline=true --threshold=25 ${units.split(' ')[0]} | tail -n 1; cat ${units.split(' ')[0]}`,
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\S+ Overall exposure level for plimsoll-agent.service: [0-2]\.\d/);
    expect(stdout).toContain('CapabilityBoundingSet=CAP_SYS_PTRACE\n');
    expect(stdout).toContain('NoNewPrivileges=yes\n');
  });

  it('sends as its user what root lets it run, and shows its status to root', async () => {
    const { stdout, status } = await host.run(
      `${withCron}; ${quick}; ${install()}`,
      `${quick}; plimsoll-agent run && plimsoll-agent status && stat -c %U /var/lib/plimsoll-agent/* | sort -u`,
    );
    expect(status).toBe(0);
    expect(stdout).toContain('last report sent: ');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('plimsoll-agent');
    expect(readReport(reports()[0] ?? '').sections.get('dpkg')?.exit).toBe(0);
  });

  it('is started by cron where there is no systemd, each host at minutes of its own', async () => {
    const { stdout } = await host.run(
      `${withCron}; ${quick}; ${install()}`,
      'cat /etc/cron.d/plimsoll-agent',
    );
    expect(stdout).toMatch(
      /^SHELL=\/bin\/sh\n([0-9]|1[0-4])-59\/15 \* \* \* \* plimsoll-agent \/usr\/local\/sbin\/plimsoll-agent run --if-due 2>&1 \| logger -t plimsoll-agent\n$/,
    );
  });

  it('stays enrolled when it is installed over an older one', async () => {
    const again = 'sh /host/plimsoll-agent install';
    const { status } = await host.run(
      `${withCron}; ${quick}; ${install()}; ${again}`,
      `${quick}; plimsoll-agent run`,
    );
    expect(status).toBe(0);
    expect(server.to('/api/v1/agent/register')).toHaveLength(1);
  });

  it('is not started where the server refused to enrol it', async () => {
    server.behave('/api/v1/agent/register', { status: 401 });
    const { stdout, stderr, status } = await host.run(
      withCron,
      `${quick}; ${install()}; status=$?; ls /etc/cron.d/plimsoll-agent; exit $status`,
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain('expired or revoked');
    expect(stdout).toBe('');
  });

  it('leaves nothing behind when it is removed', async () => {
    const listing =
      "find /changed/etc /changed/usr /changed/var /changed/run -newer /tmp/mark ! -type d 2>/dev/null | grep -v -e '/\\(passwd\\|group\\|shadow\\|gshadow\\|subuid\\|subgid\\)-*$' -e /var/log -e /etc/.pwd.lock";
    for (const init of [withSystemd, withCron]) {
      const { stdout, status } = await host.run(
        `${init}; ${quick}; touch /tmp/mark; sleep 1.1; ${install()}; plimsoll-agent run; plimsoll-agent uninstall`,
        `${listing}; id plimsoll-agent 2>&1; ls -d /var/lib/plimsoll-agent 2>&1 | grep -c 'No such'; exit 0`,
      );
      expect(status).toBe(0);
      expect(stdout.split('\n').filter((line) => line.startsWith('/changed'))).toEqual(
        expect.not.arrayContaining([expect.stringContaining('plimsoll')]),
      );
      expect(stdout).toContain('no such user');
      expect(stdout).toContain('\n1\n');
    }
  });

  it('enrols and sends with wget where there is no curl, and without gzip where there is none', async () => {
    const { status, stderr } = await host.run(
      `${withCron}; rm /usr/bin/curl /usr/bin/gzip; ${quick}; ${install()}`,
      `${quick}; plimsoll-agent run`,
    );
    expect([status, stderr]).toEqual([0, '']);
    const [request] = server.to('/api/v1/agent/snapshots');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer plh_first-Token_0123456789',
      'content-type': 'application/x-protobuf',
      'user-agent': expect.stringContaining('Wget'),
    });
    expect(request?.headers['content-encoding']).toBeUndefined();
    expect(readReport(reports()[0] ?? '').sections.get('dpkg')?.exit).toBe(0);
  });

  it('understands with wget what the server answers', async () => {
    server.behave('/api/v1/agent/snapshots', { status: 503, headers: { 'Retry-After': '900' } });
    const later = await host.run(
      `${withCron}; rm /usr/bin/curl; ${quick}; ${install()}`,
      `${quick}; plimsoll-agent run`,
    );
    expect(later).toMatchObject({ status: 1, stderr: expect.stringContaining('900 seconds') });
    server.behave('/api/v1/agent/snapshots', { status: 422, body: { detail: 'the reason' } });
    const refused = await host.run(
      `${withCron}; rm /usr/bin/curl; ${quick}; ${install()}`,
      `${quick}; plimsoll-agent run`,
    );
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('the reason') });
    await server.stop();
    server = await AgentServer.start();
    server.behave('/api/v1/agent/snapshots', { status: 401 });
    const stopped = await host.run(
      `${withCron}; rm /usr/bin/curl; ${quick}; ${install()}`,
      `${quick}; plimsoll-agent run`,
    );
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining('stopped') });
  });

  it('checks certificates with wget, too, whatever the host’s wgetrc says', async () => {
    const authority = await makeAuthority(folder);
    const tls = await AgentServer.start(authority.server);
    const noCurl = `${withCron}; rm /usr/bin/curl; echo 'check_certificate = off' >/etc/wgetrc; chmod 644 /host/ca.pem; ${quick}`;
    const withSleep = 'printf "#!/bin/sh\\n" >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep';
    const enrol = `printf plr_token | sh /host/plimsoll-agent install ${tls.origin}`;
    const refused = await host.run(`${noCurl}; ${withSleep}`, `export PATH=/usr/local/bin:$PATH; ${enrol}`);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('certificate') });
    expect(tls.requests).toEqual([]);
    const taken = await host.run(
      noCurl,
      `${quick}; export PLIMSOLL_CA_FILE=/host/ca.pem; ${enrol} && plimsoll-agent run`,
    );
    expect(taken.status).toBe(0);
    await tls.stop();
  });

  it('lets no token stand in the command line of wget', async () => {
    const log = `printf '#!/bin/sh\\necho "$*" >>/tmp/wget-log\\nexec /usr/bin/wget "$@"\\n' >/usr/local/bin/wget; chmod 755 /usr/local/bin/wget; touch /tmp/wget-log; chmod 666 /tmp/wget-log`;
    const { stdout } = await host.run(
      `${withCron}; rm /usr/bin/curl; ${log}; ${quick}; ${install()}; plimsoll-agent run`,
      'cat /tmp/wget-log',
    );
    expect(stdout).toContain('/api/v1/agent/snapshots');
    expect(stdout).not.toMatch(/plr_|plh_/);
  });

  it('says that it needs curl or wget', async () => {
    const { status, stderr } = await host.run(
      `${withCron}; rm /usr/bin/curl /usr/bin/wget`,
      `${quick}; ${install()}`,
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('curl or GNU wget is needed')]);
  });

  it('installs nothing as another user than root, nor when it is not run from a file', async () => {
    const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups';
    const unprivileged = await host.run(
      withCron,
      `${asNobody} sh /host/plimsoll-agent install ${server.origin}`,
    );
    expect(unprivileged).toMatchObject({ status: 1, stderr: expect.stringContaining('needs root') });
    const piped = await host.run(withCron, `sh -s install ${server.origin} </host/plimsoll-agent`);
    expect(piped).toMatchObject({ status: 1, stderr: expect.stringContaining('save this script') });
    expect(server.requests).toEqual([]);
  });
});
