import { rmSync } from 'node:fs';
import { describeWhere } from '@plimsoll/testing';
import { AgentServer, understood } from './agent-server.ts';
import { buildScripts, newFolder } from './built-scripts.ts';
import { smallAptHost, writeTools } from './fake-tools.ts';
import { makeAuthority } from './private-authority.ts';
import { missingCommands, missingForPrivateHost, privateHost } from './private-host.ts';
import { readReport } from './report-text.ts';

jest.setTimeout(120_000);

const missing = [...missingForPrivateHost(), ...missingCommands('runuser', 'useradd', 'curl', 'wget')];

describeWhere(missing, 'the installed agent', () => {
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
  /** A host that neither systemd nor cron nor anacron starts anything on. */
  const bare =
    'rm -rf /run/systemd /etc/cron.d; for name in cron crond anacron; do rm -f "$(command -v $name)"; done';
  const daemon = 'cp "$(command -v sleep)" /usr/sbin/cron';
  const withCron = `${bare}; mkdir /etc/cron.d; ${daemon}; cron 600 </dev/null >/dev/null 2>&1 &`;
  const install = () => `printf plr_token | sh /host/plimsoll-agent install ${server.origin}`;

  it('is enrolled, has its own user, and is started by systemd', async () => {
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
        'start plimsoll-agent.service',
        "ls: cannot access '/etc/cron.d/plimsoll-agent': No such file or directory",
        '/etc/systemd/system/plimsoll-agent.service',
        '/etc/systemd/system/plimsoll-agent.timer',
        '',
      ].join('\n'),
    );
  });

  it('has units that systemd accepts, with almost no permissions', async () => {
    if (missingCommands('systemd-analyze').length > 0) {
      process.stderr.write('NOT TESTED: the systemd units. This machine lacks systemd-analyze.\n');
      return;
    }
    const { stdout, stderr } = await host.run(
      `${withSystemd}; ${quick}; ${install()}`,
      `cd /etc/systemd/system; systemd-analyze verify --man=no ./plimsoll-agent* 2>&1 | grep plimsoll
       for unit in ./plimsoll-agent.service ./plimsoll-agent-processes.service; do
         systemd-analyze security --no-pager --offline=true --threshold=25 $unit | tail -n 1; grep '^Cap' $unit; done`,
    );
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^\S+ Overall exposure level for plimsoll-agent.service: [01]\.\d/),
      'CapabilityBoundingSet=',
      expect.stringMatching(/^\S+ Overall exposure level for plimsoll-agent-processes.service: [01]\.\d/),
      'CapabilityBoundingSet=CAP_SYS_PTRACE',
      '',
    ]);
  });

  it('sends the first report as its user during the installation, and prints the server’s result', async () => {
    const { stdout, stderr, status } = await host.run(
      withCron,
      `${quick}; ${install()} || exit; plimsoll-agent status && stat -c %U /var/lib/plimsoll-agent/* | sort -u`,
    );
    expect(status).toBe(0);
    expect(stdout).toContain('last report sent: ');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('plimsoll-agent');
    expect(readReport(server.reports()[0] ?? '').sections.get('dpkg')?.exit).toBe(0);
    expect(server.to('/api/v1/agent/snapshots')[0]?.headers).toMatchObject({ prefer: 'wait=30' });
    expect(stderr).toContain('the server saw: debian 12, 412 packages\n');
    expect(stderr).toContain("available updates, by this host's package lists: 3\n");
    expect(stderr).toContain('the host is approved');
  });

  it.each([
    ['a host that waits for approval', { approval_status: 'pending' }, /THE HOST WAITS FOR APPROVAL/, 0],
    [
      'old package lists',
      { updates_state: 'stale' },
      /available updates: 3, by package lists of this host that are older than 7 days/,
      0,
    ],
    [
      'no package lists',
      { updates_state: 'unknown', available_updates: null },
      /available updates: unknown: this host has no usable package lists/,
      0,
    ],
    ['a report that is not read yet', { upload_state: 'received' }, /has not read it yet/, 0],
    [
      'a report that the server rejected',
      { upload_state: 'rejected', upload_error: 'report_invalid' },
      /did not understand the report: report_invalid[\s\S]*WARNING: the host is enrolled/,
      1,
    ],
  ])('reports %s', async (_, seen, words, expected) => {
    server.behave('/api/v1/agent/status', { status: 200, body: { ...understood, ...seen } });
    const noSleep = 'printf "#!/bin/sh\\n" >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep';
    const { status, stderr } = await host.run(
      `${withCron}\n${noSleep}`,
      `export PATH=/usr/local/bin:$PATH; ${quick}; ${install()}`,
    );
    expect(stderr).toMatch(words);
    expect(status).toBe(expected);
  });

  it('reports the result as unknown if the server does not return it', async () => {
    server.behave('/api/v1/agent/status', { status: 404 });
    const { status, stderr } = await host.run(withCron, `${quick}; ${install()}`);
    expect(stderr).toContain('its result on the server is unknown');
    expect(stderr).not.toContain('the server saw');
    expect(status).toBe(0);
  });

  it.each([
    ['cron that does not run', `${bare}; ${daemon}`, /NO FURTHER REPORT IS SENT UNTIL CRON IS STARTED/, true],
    [
      'the crond of busybox, which reads no /etc/cron.d',
      `${bare}; mkdir /etc/cron.d; ln -s "$(command -v busybox)" /usr/sbin/crond; crond -f -c /nowhere >/dev/null 2>&1 &`,
      /NO FURTHER REPORT IS SENT AUTOMATICALLY[\s\S]*run --if-due[\s\S]*run --forever/,
      false,
    ],
    [
      'a folder of cron without cron',
      `${bare}; mkdir /etc/cron.d`,
      /NO FURTHER REPORT IS SENT AUTOMATICALLY/,
      false,
    ],
    ['no /proc to look into', `${bare}; ${daemon}; umount -l /proc`, /it is unknown whether cron runs/, true],
  ])('does not promise further reports with %s', async (_, prepare, words, hasTable) => {
    const { status, stdout, stderr } = await host.run(
      prepare,
      `${quick}; ${install()} || exit; [ ! -e /etc/cron.d/plimsoll-agent ] || echo table`,
    );
    expect([status, stdout]).toEqual([0, hasTable ? 'table\n' : '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/cron sends/);
    expect(server.reports()).toHaveLength(1);
  });

  it('is started once a day by anacron if that is the only scheduler, and warns', async () => {
    const anacron = 'printf "#!/bin/sh\\n" >/usr/sbin/anacron; chmod 755 /usr/sbin/anacron';
    const { stdout, stderr } = await host.run(
      `${bare}; ${anacron}`,
      `${quick}; ${install()} || exit; stat -c %a /etc/cron.daily/plimsoll-agent; sh -n /etc/cron.daily/plimsoll-agent`,
    );
    expect(stdout).toBe('755\n');
    expect(stderr).toContain('one report a day, and only on days when something starts anacron');
  });

  it('ignores a systemd or cron that runs outside its chroot', async () => {
    const copyRoot =
      'for each in /*; do if [ -L $each ]; then cp -P $each /inner; elif [ -d $each ] && [ $each != /inner ]; then mkdir /inner$each; mount --rbind $each /inner$each; fi; done';
    const outside = `${withCron}\nmkdir -p /run/systemd/system /inner; ${copyRoot}`;
    const { stderr } = await host.run(
      outside,
      `chroot /inner sh -c '${quick}; ${install().replaceAll("'", "'\\''")}'`,
    );
    expect(stderr).toContain('NO FURTHER REPORT IS SENT UNTIL CRON IS STARTED');
  });

  it('with --forever, continues after a failed run', async () => {
    const turns =
      'printf "#!/bin/sh\\necho turn >>/tmp/turns; [ \\$(wc -l </tmp/turns) -lt 3 ] || kill \\$PPID\\n"';
    const { stdout } = await host.run(
      `${bare}; ${quick}; ${install()}; mkdir /quick; ${turns} >/quick/sleep; chmod 755 /quick/sleep; touch /tmp/turns; chmod 666 /tmp/turns; rm /usr/bin/curl /usr/bin/wget`,
      `PATH=/quick:$PATH plimsoll-agent run --forever 2>&1; cat /tmp/turns`,
    );
    expect(stdout.match(/curl or GNU wget is needed/g)).toHaveLength(3);
  });

  it('with --forever, ends when it is uninstalled', async () => {
    const { status, stdout, stderr } = await host.run(
      `${bare}; ${quick}; ${install()}`,
      `plimsoll-agent run --forever >/dev/null 2>&1 & until pgrep -u plimsoll-agent sleep >/dev/null; do :; done
plimsoll-agent uninstall && ! pgrep -u plimsoll-agent; ! id plimsoll-agent 2>&1`,
    );
    expect(status).toBe(0);
    expect(stderr).toContain('uninstalled; the server keeps');
    expect(stdout).toMatch(/no such user/);
  });

  it('creates an id for a host without one, the same when it enrols again', async () => {
    const { status } = await host.run(
      `${withCron}\nrm -f /etc/machine-id /var/lib/dbus/machine-id`,
      `${quick}; ${install()} && printf plr_token | plimsoll-agent enroll --again ${server.origin}`,
    );
    expect(status).toBe(0);
    const ids = server
      .to('/api/v1/agent/register')
      .map(({ body }) => (JSON.parse(body.toString('utf8')) as { machine_id: string }).machine_id);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), ids[0]]);
  });

  it('is started by cron without systemd, at random minutes of each host', async () => {
    const { stdout } = await host.run(
      `${withCron}
${quick}; ${install()}`,
      'cat /etc/cron.d/plimsoll-agent',
    );
    expect(stdout).toMatch(
      /^SHELL=\/bin\/sh\n([0-9]|1[0-4])-59\/15 \* \* \* \* root \/usr\/local\/sbin\/plimsoll-agent run --if-due 2>&1 \| logger -t plimsoll-agent\n$/,
    );
  });

  it('stays enrolled when it is installed over an older version', async () => {
    const again = 'sh /host/plimsoll-agent install';
    const { status } = await host.run(
      `${withCron}
${quick}; ${install()}; ${again}`,
      `${quick}; plimsoll-agent run`,
    );
    expect(status).toBe(0);
    expect(server.to('/api/v1/agent/register')).toHaveLength(1);
  });

  const traces =
    'ls -d /usr/local/sbin/plimsoll-agent* /var/lib/plimsoll-agent /etc/cron.d/plimsoll-agent 2>/dev/null; id plimsoll-agent 2>&1';

  it('leaves nothing behind if the server refused the enrolment', async () => {
    server.behave('/api/v1/agent/register', { status: 401 });
    const { stdout, stderr, status } = await host.run(
      withCron,
      `${quick}; ${install()}; status=$?; ${traces}; exit $status`,
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain('expired or revoked');
    expect(stderr).toContain('all changes of this installation were undone');
    expect(stdout).toMatch(/^id: .*no such user.*\n$/);
  });

  it.each([
    ['plain http to another machine', 'http://192.0.2.1:8080', /is not encrypted.*Use https/],
    ['an unknown option', '--insecure https://192.0.2.1', /unknown option --insecure/],
    [
      'a file that it cannot read',
      '--cacert /nowhere/ca.pem https://192.0.2.1',
      /cannot read \/nowhere\/ca.pem/,
    ],
    ['no address', '', /address of the server is missing/],
  ])('changes nothing for %s', async (_, args, words) => {
    const { stdout, stderr, status } = await host.run(
      withCron,
      `${quick}; printf plr_token | sh /host/plimsoll-agent install ${args}; status=$?; ${traces}; exit $status`,
    );
    expect(status).not.toBe(0);
    expect(stderr).toMatch(words);
    expect(stdout).toMatch(/^id: .*no such user.*\n$/);
  });

  it('undoes its changes if it is interrupted during the enrolment', async () => {
    server.behave('/api/v1/agent/register', { status: 503 });
    const interrupted = `echo plr_token >/tmp/token; setsid sh /host/plimsoll-agent install ${server.origin} </tmp/token & installing=$!
      until id plimsoll-agent >/dev/null 2>&1 && [ -s /tmp/slept ]; do :; done
      kill -TERM -$installing; wait $installing`;
    const sleeping =
      'printf "#!/bin/sh\\necho 1 >>/tmp/slept; exec /usr/bin/sleep 600\\n" >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep; touch /tmp/slept; chmod 666 /tmp/slept';
    const { stdout } = await host.run(
      `${withCron}\n${sleeping}`,
      `export PATH=/usr/local/bin:$PATH; ${quick}; ${interrupted}; ${traces}; exit 0`,
    );
    expect(stdout).toMatch(/^id: .*no such user.*\n$/);
  });

  it('leaves nothing behind when it is uninstalled', async () => {
    const listing =
      "find /changed/etc /changed/usr /changed/var /changed/run -newer /tmp/mark ! -type d 2>/dev/null | grep -v -e '/\\(passwd\\|group\\|shadow\\|gshadow\\|subuid\\|subgid\\)-*$' -e /var/log -e /etc/.pwd.lock";
    for (const init of [withSystemd, withCron]) {
      const { stdout, status } = await host.run(
        `${init}\n${quick}; touch /tmp/mark; sleep 1.1; ${install()}; plimsoll-agent run; plimsoll-agent uninstall`,
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

  it('enrols and sends with wget if curl is missing, and without gzip if that is missing', async () => {
    const { status, stderr } = await host.run(
      `${withCron}
rm /usr/bin/curl /usr/bin/gzip; ${quick}; ${install()}`,
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
    expect(readReport(server.reports()[0] ?? '').sections.get('dpkg')?.exit).toBe(0);
  });

  it('reads the server’s answers with wget', async () => {
    server.behave('/api/v1/agent/snapshots', { status: 503, headers: { 'Retry-After': '900' } });
    const later = await host.run(
      `${withCron}
rm /usr/bin/curl; ${quick}; ${install()} || :`,
      `${quick}; plimsoll-agent run`,
    );
    expect(later).toMatchObject({ status: 1, stderr: expect.stringContaining('900 seconds') });
    server.behave('/api/v1/agent/snapshots', { status: 422, body: { detail: 'the reason' } });
    const refused = await host.run(
      `${withCron}
rm /usr/bin/curl; ${quick}; ${install()} || :`,
      `${quick}; plimsoll-agent run`,
    );
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('the reason') });
    await server.stop();
    server = await AgentServer.start();
    server.behave('/api/v1/agent/snapshots', { status: 401 });
    const stopped = await host.run(
      `${withCron}
rm /usr/bin/curl; ${quick}; ${install()} || :`,
      `${quick}; plimsoll-agent run`,
    );
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining('stopped') });
  });

  it('checks certificates with wget, regardless of the host’s wgetrc', async () => {
    const authority = await makeAuthority(folder);
    const tls = await AgentServer.start(authority.server);
    const noCurl = `${withCron}
rm /usr/bin/curl; echo 'check_certificate = off' >/etc/wgetrc; chmod 644 /host/ca.pem; ${quick}`;
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

  it('accepts the certificate of a private authority from a folder that only root can read', async () => {
    const authority = await makeAuthority(folder);
    const tls = await AgentServer.start(authority.server);
    const { status, stdout } = await host.run(
      `${withCron}\nmkdir -m 700 /root/tls; cp /host/ca.pem /root/tls/; chmod 600 /root/tls/ca.pem`,
      `${quick}; cd /root/tls && printf plr_token | sh /host/plimsoll-agent install --cacert ca.pem ${tls.origin} &&
       stat -c '%U %a' /var/lib/plimsoll-agent/ca.pem; ls /usr/local/sbin/`,
    );
    expect([status, stdout]).toEqual([0, 'plimsoll-agent 600\nplimsoll-agent\n']);
    await tls.stop();
  });

  it('puts no token into the command line of wget', async () => {
    const log = `printf '#!/bin/sh\\necho "$*" >>/tmp/wget-log\\nexec /usr/bin/wget "$@"\\n' >/usr/local/bin/wget; chmod 755 /usr/local/bin/wget; touch /tmp/wget-log; chmod 666 /tmp/wget-log`;
    const { stdout } = await host.run(
      `${withCron}
rm /usr/bin/curl; ${log}; ${quick}; ${install()}; plimsoll-agent run`,
      'cat /tmp/wget-log',
    );
    expect(stdout).toContain('/api/v1/agent/snapshots');
    expect(stdout).not.toMatch(/plr_|plh_/);
  });

  it('reports that it needs curl or wget', async () => {
    const { status, stderr } = await host.run(
      `${withCron}
rm /usr/bin/curl /usr/bin/wget`,
      `${quick}; ${install()}`,
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('curl or GNU wget is needed')]);
  });

  it('installs nothing without root, or if it is not run from a file', async () => {
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
