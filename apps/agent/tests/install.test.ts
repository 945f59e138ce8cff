import { describeWhere, missingCommands } from '@plimsoll/testing';
import { understood } from './agent-server.ts';
import { installSite, missingForInstall, quick, withCron, withSystemd } from './install-site.ts';
import { readReport } from './report-text.ts';

describeWhere(missingForInstall, 'the installed agent', () => {
  const site = installSite('install');

  it('is enrolled, has its own user, and is started by systemd', async () => {
    const { stdout } = await site.host.run(
      `${withSystemd}; ${quick}; ${site.install()}`,
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
    const { stdout, stderr } = await site.host.run(
      `${withSystemd}; ${quick}; ${site.install()}`,
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
    const { stdout, stderr, status } = await site.host.run(
      withCron,
      `${quick}; ${site.install()} || exit; plimsoll-agent status && stat -c %U /var/lib/plimsoll-agent/* | sort -u`,
    );
    expect(status).toBe(0);
    expect(stdout).toContain('last report sent: ');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('plimsoll-agent');
    expect(readReport(site.server.reports()[0] ?? '').sections.get('dpkg')?.exit).toBe(0);
    expect(site.server.to('/api/v1/agent/snapshots')[0]?.headers).toMatchObject({ prefer: 'wait=30' });
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
    site.server.behave('/api/v1/agent/status', { status: 200, body: { ...understood, ...seen } });
    const noSleep = 'printf "#!/bin/sh\\n" >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep';
    const { status, stderr } = await site.host.run(
      `${withCron}\n${noSleep}`,
      `export PATH=/usr/local/bin:$PATH; ${quick}; ${site.install()}`,
    );
    expect(stderr).toMatch(words);
    expect(status).toBe(expected);
  });

  it('reports the result as unknown if the server does not return it', async () => {
    site.server.behave('/api/v1/agent/status', { status: 404 });
    const { status, stderr } = await site.host.run(withCron, `${quick}; ${site.install()}`);
    expect(stderr).toContain('its result on the server is unknown');
    expect(stderr).not.toContain('the server saw');
    expect(status).toBe(0);
  });

  it('creates an id for a host without one, the same when it enrols again', async () => {
    const { status } = await site.host.run(
      `${withCron}\nrm -f /etc/machine-id /var/lib/dbus/machine-id`,
      `${quick}; ${site.install()} && printf plr_token | plimsoll-agent enroll --again ${site.server.origin}`,
    );
    expect(status).toBe(0);
    const ids = site.server
      .to('/api/v1/agent/register')
      .map(({ body }) => (JSON.parse(body.toString('utf8')) as { machine_id: string }).machine_id);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), ids[0]]);
  });

  it('stays enrolled when it is installed over an older version', async () => {
    const again = 'sh /host/plimsoll-agent install';
    const { status } = await site.host.run(
      `${withCron}
${quick}; ${site.install()}; ${again}`,
      `${quick}; plimsoll-agent run`,
    );
    expect(status).toBe(0);
    expect(site.server.to('/api/v1/agent/register')).toHaveLength(1);
  });

  it('reports that it needs curl or wget', async () => {
    const { status, stderr } = await site.host.run(
      `${withCron}
rm /usr/bin/curl /usr/bin/wget`,
      `${quick}; ${site.install()}`,
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('curl or GNU wget is needed')]);
  });

  it('installs nothing without root, or if it is not run from a file', async () => {
    const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups';
    const unprivileged = await site.host.run(
      withCron,
      `${asNobody} sh /host/plimsoll-agent install ${site.server.origin}`,
    );
    expect(unprivileged).toMatchObject({ status: 1, stderr: expect.stringContaining('needs root') });
    const piped = await site.host.run(withCron, `sh -s install ${site.server.origin} </host/plimsoll-agent`);
    expect(piped).toMatchObject({ status: 1, stderr: expect.stringContaining('save this script') });
    expect(site.server.requests).toEqual([]);
  });
});
