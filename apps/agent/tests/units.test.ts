import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, missingCommands, newFolder } from '@plimsoll/testing';
import { AgentServer } from './agent-server.ts';
import { bootedHost, missingForBootedHost } from './booted-host.ts';
import { buildScripts } from './built-scripts.ts';
import { smallAptHost, writeTools } from './fake-tools.ts';
import { readReport, type Section, sectionOf } from './report-text.ts';
import { makeRpmHost, missingForRpmHost, prepareRpmHost } from './rpm-host.ts';

const missing = [
  ...missingForBootedHost(),
  ...missingCommands('runuser', 'useradd', 'curl', 'setpriv', 'unshare', '/usr/bin/python3'),
];

describeWhere(missing, 'the units under a running systemd', () => {
  const folder = newFolder('units');
  const host = bootedHost(folder);
  let server: AgentServer;

  beforeAll(() => {
    buildScripts(folder);
    writeTools(`${folder}/tools`, smallAptHost);
    copyFileSync(path.join(__dirname, '../testdata/unit/attack.py'), path.join(folder, 'attack.py'));
  });
  beforeEach(async () => {
    server = await AgentServer.start();
  });
  afterEach(() => server.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A root service whose library an update has replaced. */
  const outdated = `mkdir -p /opt/tests; cp "$(ldconfig -p | sed -n 's/.*libm[.]so[.]6.* => //p' | head -n 1)" /opt/tests/lib.so
    systemd-run --quiet --unit=outdated -p DefaultDependencies=no -E LD_PRELOAD=/opt/tests/lib.so sleep 600
    until grep -qs /opt/tests/lib.so /proc/$(systemctl show -P MainPID outdated)/maps; do :; done; rm /opt/tests/lib.so`;
  /** The agent's own tools are quick; the units are unchanged. */
  const quick = `mkdir -p /etc/systemd/system/plimsoll-agent.service.d
    printf '[Service]\\nEnvironment=PATH=/host/tools:/usr/sbin:/usr/bin:/sbin:/bin\\n' >/etc/systemd/system/plimsoll-agent.service.d/quick.conf`;
  const install = (options = '') =>
    `printf plr_token | PATH=/host/tools:$PATH sh /host/plimsoll-agent install ${options} ${server.origin}`;
  const newReport = 'rm -f /var/lib/plimsoll-agent/collected; systemctl start plimsoll-agent.service';

  function processesTold(): readonly Section[] {
    return server.reports().map((report) => sectionOf(readReport(report), 'deleted-files'));
  }
  const told = { lines: ['outdated.service\t/opt/tests/lib.so'], said: [], exit: 0 };

  it('report what needs a restart, and keep no result after the run', async () => {
    const { status, stdout, stderr } = await host.run(
      `${outdated}; ${quick}`,
      `${install()} || exit
       systemctl is-active plimsoll-agent-processes.service plimsoll-agent.timer; ls -d /run/plimsoll*
       ${newReport}; systemctl --failed --no-legend`,
    );
    expect(stderr).not.toMatch(/stays unknown|WARNING/);
    expect([status, stdout]).toEqual([0, 'inactive\nactive\n']);
    expect(processesTold()).toEqual([told, told]);
  });

  it('continue if the reader fails, and report the restart state as unknown', async () => {
    const fails = `mkdir -p /etc/systemd/system/plimsoll-agent-processes.service.d
      printf '[Service]\\nExecStart=\\nExecStart=/bin/false\\n' >/etc/systemd/system/plimsoll-agent-processes.service.d/fails.conf`;
    const { status } = await host.run(`${outdated}; ${quick}; ${fails}`, install());
    expect(status).toBe(0);
    expect(processesTold()).toEqual([
      {
        lines: [],
        said: [
          expect.stringMatching(/^the reader of processes has left no result/),
          expect.stringContaining('some processes could not be read'),
        ],
        exit: 1,
      },
    ]);
  });

  it('read no processes while that is disabled, even after an update', async () => {
    const state =
      'ls /etc/systemd/system | grep processes; grep -c processes /etc/systemd/system/plimsoll-agent.service; id -u plimsoll-processes >/dev/null 2>&1 && echo reader';
    const { stdout, stderr } = await host.run(
      `${outdated}; ${quick}`,
      `${install('--no-process-reading')} || exit; ${state}
       sh /host/plimsoll-agent install || exit; ${state}
       sh /host/plimsoll-agent install --process-reading || exit; ${state}; ${newReport}
       sh /host/plimsoll-agent install --no-process-reading || exit; ${state}; ${newReport}`,
    );
    const off = '0\n';
    expect(stdout).toBe(`${off}${off}plimsoll-agent-processes.service\n2\nreader\n${off}`);
    expect(
      stderr.match(/stays unknown which services need a restart: reading processes is off/g),
    ).toHaveLength(3);
    const sections = processesTold();
    expect(sections.map(({ exit }) => exit)).toEqual([1, 0, 1]);
    expect(sections[0]?.said[0]).toBe(
      'reading processes was switched off when the agent was installed (--no-process-reading)',
    );
    expect(sections[1]).toEqual(told);
  });

  it('replace the units of an older agent, and are removed by uninstalling', async () => {
    const older =
      "printf '[Service]\\nType=oneshot\\nExecStart=/bin/true\\nAmbientCapabilities=CAP_SYS_PTRACE\\n' >/etc/systemd/system/plimsoll-agent.service";
    const { stdout, status } = await host.run(
      `${older}; ${quick}; rm -r /etc/systemd/system/plimsoll-agent.service.d`,
      `${install()} || exit; grep -c SYS_PTRACE /etc/systemd/system/plimsoll-agent.service
       plimsoll-agent uninstall || exit
       ls /etc/systemd/system | grep plimsoll-agent; ls -d /run/plimsoll-agent* /etc/plimsoll-agent* /var/lib/plimsoll-agent*
       systemctl list-units --all --no-legend 'plimsoll-agent*'; getent passwd plimsoll-agent plimsoll-processes; getent group plimsoll-agent plimsoll-processes; exit 0`,
    );
    expect([status, stdout]).toEqual([0, '0\n']);
  });

  /** Expects that a report from the unit equals the one that the agent's user prints outside it. */
  async function expectTheSameOutside(prepare: string): Promise<void> {
    const { stdout } = await host.run(
      prepare,
      `printf plr_token | sh /host/plimsoll-agent install ${server.origin} && runuser -u plimsoll-agent -- plimsoll-agent report`,
    );
    const [sent] = server.reports();
    const [outside, inside] = [readReport(stdout), readReport(sent ?? '')];
    expect([...inside.sections.keys()]).toEqual([...outside.sections.keys()]);
    for (const [name, section] of outside.sections) {
      if (name !== 'observed' && name !== 'deleted-files')
        expect([name, sectionOf(inside, name)]).toEqual([name, section]);
    }
    expect(sectionOf(inside, 'deleted-files').exit).toBe(0);
  }

  it('remove nothing from a report of apt', async () => {
    await expectTheSameOutside('true');
  });

  describeWhere(missingForRpmHost(), 'on an rpm host', () => {
    it('remove nothing from a report of dnf', async () => {
      await makeRpmHost(folder);
      await expectTheSameOutside(`: >/var/lib/dpkg/status\n${prepareRpmHost()}`);
      const report = readReport(server.reports()[0] ?? '');
      expect([sectionOf(report, 'updates').exit, sectionOf(report, 'repositories').exit]).toEqual([100, 0]);
    });
  });

  describeWhere(process.arch === 'x64' ? [] : ['an x86_64 processor'], 'running hostile code', () => {
    /**
     * Runs the attack within a unit, or with the reader's privileges and without a unit; returns the result
     * of each attempt by its name.
     */
    async function attacked(unit: 'plimsoll-agent' | 'plimsoll-agent-processes' | null) {
      const attack = `/usr/bin/python3 /host/attack.py $(cat /tmp/victim) ${new URL(server.origin).port}`;
      const dropIn = `/etc/systemd/system/${unit}.service.d/attack.conf`;
      const inUnit = `mkdir -p $(dirname ${dropIn})
        printf '[Service]\\nExecStart=\\nExecStart=%s\\nStandardOutput=file:/tmp/attack\\n' "${attack}" >${dropIn}
        systemctl daemon-reload; systemctl start plimsoll-agent.service; cat /tmp/attack`;
      const withoutUnit = `setpriv --reuid plimsoll-processes --regid plimsoll-agent --clear-groups --no-new-privs \\
        --inh-caps -all,+sys_ptrace --ambient-caps -all,+sys_ptrace --bounding-set -all,+sys_ptrace ${attack}`;
      const { stdout, stderr } = await host.run(
        `${quick}; ${install()}
         systemd-run --quiet --unit=victim -p DefaultDependencies=no sleep 600
         systemctl show -P MainPID victim >/tmp/victim`,
        unit === null ? withoutUnit : inUnit,
      );
      if (stdout === '') throw new Error(`the attack did not run: ${stderr}`);
      return Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split(': ')),
      );
    }

    const filtered = Object.fromEntries(
      [
        ...['process_vm_writev', 'process_vm_readv', 'ptrace seize', 'ptrace attach', 'kcmp'],
        ...['pidfd_open', 'pidfd_getfd', 'process_madvise', 'process_mrelease', 'perf_event_open'],
        ...['bpf', 'userfaultfd', 'io_uring_setup', 'user name space', 'setuid'],
      ].map((name) => [name, 'EPERM']),
    );

    it('the capability alone suffices to write to a process of root', async () => {
      expect(await attacked(null)).toMatchObject({
        process_vm_writev: 'done',
        'ptrace seize': 'done',
        kcmp: 'done',
        pidfd_getfd: 'EBADF',
        'reach the network': 'done',
      });
    });

    it('the agent’s unit has no capability, and cannot read other users’ processes', async () => {
      expect(await attacked('plimsoll-agent')).toEqual({
        ...filtered,
        CapEff: '0000000000000000',
        CapBnd: '0000000000000000',
        NoNewPrivs: '1',
        Seccomp: '2',
        'write memory': 'EACCES',
        'read memory': 'EACCES',
        'read environment': 'EACCES',
        'see the files of others': 'EACCES',
        'write the program': 'EACCES',
        'write /etc': 'EROFS',
        'write a result': 'EACCES',
        'read the token': 'done',
        'read the token through another root': 'EACCES',
        'reach the network': 'done',
        'reach systemd': 'EPROTOTYPE',
      });
    });

    it('the reader’s unit can list the files of processes, but reaches no memory, token or network', async () => {
      expect(await attacked('plimsoll-agent-processes')).toEqual({
        ...filtered,
        CapEff: '0000000000080000',
        CapBnd: '0000000000080000',
        NoNewPrivs: '1',
        Seccomp: '2',
        'write memory': 'EACCES',
        'read memory': 'EACCES',
        'read environment': 'EACCES',
        'see the files of others': 'done',
        'write the program': 'EACCES',
        'write /etc': 'EROFS',
        'write a result': 'done',
        'read the token': 'EACCES',
        'read the token through another root': 'EACCES',
        'reach the network': 'EPERM',
        'reach systemd': 'EPERM',
      });
    });
  });
});
