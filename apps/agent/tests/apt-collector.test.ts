import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseReport } from '@plimsoll/reports';
import {
  describeWhere,
  missingCommands,
  missingForPrivateHost,
  newFolder,
  privateHost,
  runCommand,
} from '@plimsoll/testing';
import { buildScripts } from './built-scripts.ts';
import { type Report, readReport, sectionOf, valuesOf } from './report-text.ts';
import { shells } from './shells.ts';

const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups';
const testdata = path.resolve(__dirname, '../testdata/apt-host');
const prepare = readFileSync(path.join(testdata, 'prepare.sh'), 'utf8');
/** What root does from time to time; the private source is unreachable. */
const update =
  'apt-get -qq -o APT::Sandbox::User=root -o Dir::Etc::SourceParts=/host/none -o Acquire::Languages=none update';
const missing = [...missingForPrivateHost(), ...missingCommands('apt-get', 'dpkg', 'setpriv')];

describeWhere(missing, 'the collector on a real apt host', () => {
  const folder = newFolder('apt');
  const host = privateHost(folder);

  beforeAll(() => {
    buildScripts(folder);
    cpSync(testdata, path.join(folder, 'testdata'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function collect(
    change = update,
    commands = 'sh /host/collector-apt.sh',
  ): Promise<readonly Report[]> {
    const { stdout } = await host.run(`${prepare}\n${change}`, commands);
    return stdout.split(/(?=^plimsoll-report )/m).map(readReport);
  }

  async function collectOne(change?: string, commands?: string): Promise<Report> {
    const [report] = await collect(change, commands);
    if (report === undefined) throw new Error('nothing was printed');
    return report;
  }

  describe('without any failure', () => {
    let report: Report;
    beforeAll(async () => {
      report = await collectOne();
    });

    it('reports every package with its state, architecture and source', () => {
      expect(sectionOf(report, 'dpkg')).toEqual({
        lines: [
          'ii \tbash\tamd64\t5.2.15-2+b8\tbash\t5.2.15-2\t',
          'iF \thalf-done\tall\t1.0-1\thalf-done\t1.0-1\t',
          'hi \theld-one\tamd64\t1.0-1\theld-one\t1.0-1\t',
          'ii \tlibc6\tamd64\t2.36-9+deb12u9\tglibc\t2.36-9+deb12u9\t',
          'ii \tlibc6\ti386\t2.36-9+deb12u9\tglibc\t2.36-9+deb12u9\t',
          'ii \tlinux-image-6.1.0-29-amd64\tamd64\t6.1.123-1\tlinux-signed-amd64\t6.1.123+1\t',
          'ii \tlinux-image-amd64\tamd64\t6.1.123-1\tlinux-signed-amd64\t6.1.123+1\t',
          'ii \tphased-one\tamd64\t1.0-1\tphased-one\t1.0-1\t',
          'rc \tremoved-one\tall\t1.0-1\tremoved-one\t1.0-1\t1.0-1',
          'ii \tthird-party\tamd64\t7.0-1\tthird-party\t7.0-1\t',
        ],
        said: [],
        exit: 0,
      });
    });

    it('reports the policy of both architectures of a package, and none of a removed package', () => {
      const { lines, exit } = sectionOf(report, 'apt-policy');
      expect(exit).toBe(0);
      const names = lines.filter((line) => /^\S/.test(line));
      expect(names).toEqual(expect.arrayContaining(['bash:', 'libc6:', 'libc6:i386:', 'third-party:']));
      expect(names).not.toContain('removed-one:');
    });

    it('simulates the upgrade with new, held and phased packages', () => {
      const { lines, exit } = sectionOf(report, 'apt-upgrade');
      expect(exit).toBe(0);
      const text = lines.join('\n');
      expect(text).toContain(
        'Inst bash [5.2.15-2+b8] (5.2.15-2+b9 Debian-Security:12/stable-security [amd64])',
      );
      expect(text).toContain(
        'Inst linux-image-6.1.0-30-amd64 (6.1.124-1 Debian-Security:12/stable-security [amd64])',
      );
      expect(text).toMatch(/Inst libc6:i386 \[/);
      expect(text).toMatch(/kept back:\n {2}(\S+ )*held-one/);
      expect(text).toMatch(/phased-one/);
      expect(text).not.toContain('This is only a simulation');
    });

    it('reports the source of every candidate, including held, phased and new ones', () => {
      const stanzas = sectionOf(report, 'apt-candidates').lines.join('\n').trim().split('\n\n');
      expect(stanzas).toEqual(
        expect.arrayContaining([
          'Package: bash\nArchitecture: amd64\nVersion: 5.2.15-2+b9\nSource: bash (5.2.15-2)',
          'Package: held-one\nArchitecture: amd64\nVersion: 2.0-1',
          'Package: phased-one\nArchitecture: amd64\nVersion: 2.0-1',
          'Package: linux-image-6.1.0-30-amd64\nArchitecture: amd64\nSource: linux-signed-amd64 (6.1.124+1)\nVersion: 6.1.124-1',
          'Package: libc6\nArchitecture: i386\nSource: glibc\nVersion: 2.36-9+deb12u10',
        ]),
      );
    });

    it('reports the sources without passwords and keys', () => {
      expect(sectionOf(report, 'apt-sources').lines).toEqual([
        'deb [trusted=yes] file:/host/testdata/debian ./',
        'deb https://private.example.org/debian bookworm main',
        'Types: deb',
        'URIs: file:/host/testdata/other',
        'Suites: ./',
        'Trusted: yes',
        'Signed-By:',
        '',
      ]);
    });

    it('reports when the lists were fetched, not when their repository was published', () => {
      const rows = valuesOf(sectionOf(report, 'observed'), 'refreshed').map((row) => row.split('\t'));
      expect(rows.map(([name]) => name)).toEqual(['_host_testdata_debian_.']);
      expect(Math.abs(Number(rows[0]?.[1]) - Date.now() / 1000)).toBeLessThan(600);
    });
  });

  it('prints the same report twice, in every shell, except for its observations', async () => {
    const runs = shells.map(({ command }) => `${command.join(' ')} /host/collector-apt.sh; sleep 1.1`);
    const reports = await collect(update, [...runs, ...runs].join('\n'));
    expect(reports).toHaveLength(2 * shells.length);
    expect(new Set(reports.map(({ content }) => content)).size).toBe(1);
  });

  it('reads the same as an unprivileged user as root does, except other users’ processes, and writes no file', async () => {
    const listing = 'find /changed /tmp /var/tmp | sort';
    const { stdout } = await host.run(
      `${prepare}\n${update}`,
      `sh /host/collector-apt.sh; echo @@@; ${listing}; echo @@@; ${asNobody} sh /host/collector-apt.sh; echo @@@; ${listing}`,
    );
    const [root = '', before, user = '', after] = stdout.split('@@@\n');
    const [ofRoot, ofUser] = [readReport(root), readReport(user)];
    for (const [name, section] of ofRoot.sections) {
      if (name !== 'observed' && name !== 'deleted-files')
        expect([name, sectionOf(ofUser, name)]).toEqual([name, section]);
    }
    expect(sectionOf(ofUser, 'deleted-files')).toMatchObject({
      exit: 1,
      said: [expect.stringContaining('CAP_SYS_PTRACE')],
    });
    expect(after).toBe(before);
  });

  it('changes nothing as root, even if apt’s cache is old', async () => {
    const { stdout } = await host.run(
      `${prepare}\n${update}\napt-cache stats >/dev/null; touch /var/lib/dpkg/status`,
      'find /changed -type f -exec stat -c "%n %Y %s" {} + | sort >/tmp/before\n' +
        'sh /host/collector-apt.sh >/dev/null\nfind /changed -type f -exec stat -c "%n %Y %s" {} + | sort | diff /tmp/before - && echo unchanged',
    );
    expect(stdout).toBe('unchanged\n');
  });

  it('needs no lock', async () => {
    const hold = `import fcntl, time
files = [open(f, 'w') for f in ('/var/lib/dpkg/lock', '/var/lib/dpkg/lock-frontend', '/var/lib/apt/lists/lock')]
for f in files: fcntl.lockf(f, fcntl.LOCK_EX)
print('held', flush=True)
time.sleep(600)`;
    if (missingCommands('python3').length > 0) {
      process.stderr.write('NOT TESTED: a dpkg lock held by another process. This machine lacks python3.\n');
      return;
    }
    const report = await collectOne(
      update,
      `python3 -c "${hold}" >/tmp/held & until grep -q held /tmp/held; do sleep 0.1; done; sh /host/collector-apt.sh`,
    );
    for (const name of ['dpkg', 'apt-policy', 'apt-upgrade', 'apt-candidates']) {
      expect([name, sectionOf(report, name).exit]).toEqual([name, 0]);
    }
  });

  it('reports that lists were never fetched', async () => {
    const report = await collectOne('');
    expect(valuesOf(sectionOf(report, 'observed'), 'refreshed')).toEqual([]);
    expect(sectionOf(report, 'apt-files').lines.join('\n')).not.toContain('o=Debian');
    expect(sectionOf(report, 'apt-candidates')).toEqual({ lines: [], said: [], exit: 0 });
  });

  it('dates unsigned lists by the last successful update, because their own time does not change', async () => {
    const stamp = '/var/lib/apt/periodic/update-success-stamp';
    const later = await collectOne(`${update}; touch -d @2000000000 ${stamp}`);
    expect(valuesOf(sectionOf(later, 'observed'), 'refreshed')).toEqual([
      '_host_testdata_debian_.\t2000000000\tThu, 14 Nov 2024 00:00:00 UTC\t\t',
    ]);
    const earlier = await collectOne(`${update}; touch -d @1000000000 ${stamp}`);
    expect(valuesOf(sectionOf(earlier, 'observed'), 'refreshed')[0]).not.toContain('1000000000');
  });

  it('reports a broken dpkg database as a failure of the sections that need it', async () => {
    const report = await collectOne('echo broken >/var/lib/dpkg/status');
    for (const name of ['dpkg', 'apt-policy', 'apt-upgrade', 'apt-candidates']) {
      const { exit, said } = sectionOf(report, name);
      expect([name, exit === 0, said.length > 0]).toEqual([name, false, true]);
    }
    expect(sectionOf(report, 'kernel').exit).toBe(0);
  });

  it('reports as the account nobody what apt warns of, and packages whose installation did not end', async () => {
    const build = (version: number, script: string) => `mkdir -p /tmp/p/DEBIAN
      printf 'Package: demo\nVersion: ${version}\nArchitecture: all\nMaintainer: m\nDescription: d\n' >/tmp/p/DEBIAN/control
      printf '#!/bin/sh\n${script}\n' >/tmp/p/DEBIAN/postinst; chmod 755 /tmp/p/DEBIAN/postinst
      dpkg-deb -b /tmp/p /tmp/demo.deb >/dev/null; dpkg -i --force-all /tmp/demo.deb >/dev/null 2>&1 || true`;
    const change = `umask 022; ${build(1, 'exit 0')}; ${build(2, 'exit 1')}; ${update}
      printf 'Package: bash\nPin: version 5.2.15-2+b8\nPin-Priority: 1001\n' >/etc/apt/preferences.d/pin
      chmod 600 /etc/apt/preferences.d/pin`;
    const parse = async (command: string) => {
      const { stdout } = await host.run(`${prepare}\n${change}`, command);
      const parsed = parseReport(stdout, { receivedAt: new Date() });
      if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
      return parsed.snapshot;
    };
    const unprivileged = await parse(`${asNobody} busybox ash /host/collector-apt.sh`);
    expect(unprivileged.broken).toEqual([
      { name: 'demo', architecture: 'all', version: '2', state: 'half_configured', otherVersion: '1' },
      {
        name: 'half-done',
        architecture: 'all',
        version: '1.0-1',
        state: 'half_configured',
        otherVersion: '',
      },
    ]);
    const warned = (failures: readonly { section: string; detail: string }[]) =>
      failures.filter(({ detail }) => detail.includes('preferences.d/pin')).map(({ section }) => section);
    expect(warned(unprivileged.failures)).toEqual(expect.arrayContaining(['origins', 'upgradable']));
    expect(warned((await parse('dash /host/collector-apt.sh')).failures)).toEqual([]);
  });

  it('reports which sources it cannot read', async () => {
    const report = await collectOne(
      'chmod 600 /etc/apt/sources.list.d/private.list',
      `${asNobody} sh /host/collector-apt.sh`,
    );
    const { exit, said, lines } = sectionOf(report, 'apt-sources');
    expect(exit).toBe(1);
    expect(said.join()).toMatch(/private\.list.*Permission denied/);
    expect(lines).toContain('Types: deb');
  });

  it('reports the distribution’s own signs that a reboot is due', async () => {
    const required = 'echo "*** System restart required ***" >/run/reboot-required';
    const packages = "printf 'linux-base\\nlibc6\\nlinux-base\\n' >/run/reboot-required.pkgs";
    const report = await collectOne(`mkdir -p /run; ${required}; ${packages}`);
    expect(sectionOf(report, 'reboot').lines).toEqual(['flag\tyes', 'package\tlibc6', 'package\tlinux-base']);
    expect(sectionOf(await collectOne('rm -f /run/reboot-required*'), 'reboot').lines).toEqual(['flag\tno']);
  });

  it('reports the kernels in /boot, of any flavour, and the one that boots next', async () => {
    const grub = `mkdir -p /boot/grub; rm -f /boot/vmlinuz-*
      touch /boot/vmlinuz-6.1.0-30-amd64 /boot/vmlinuz-5.14.0-503.el9.aarch64+64k /boot/vmlinuz-6.6.31+rpt-rpi-v8
      cat >/boot/grub/grub.cfg <<'CFG'
if [ "\${next_entry}" ] ; then
   set default="\${next_entry}"
else
   set default="0"
fi
menuentry 'Debian GNU/Linux' {
	linux	/boot/vmlinuz-6.1.0-30-amd64 root=UUID=x ro quiet
}
menuentry 'older' {
	linux	/boot/vmlinuz-6.1.0-29-amd64 root=UUID=x ro quiet
}
CFG`;
    const kernel = sectionOf(await collectOne(grub), 'kernel');
    expect(valuesOf(kernel, 'vmlinuz')).toEqual([
      '/boot/vmlinuz-5.14.0-503.el9.aarch64+64k',
      '/boot/vmlinuz-6.1.0-30-amd64',
      '/boot/vmlinuz-6.6.31+rpt-rpi-v8',
    ]);
    expect(valuesOf(kernel, 'default')).toEqual(['6.1.0-30-amd64']);
    const pin = 'mkdir -p /etc/kernel; echo 6.1.0-29-amd64 >/etc/kernel/proxmox-boot-pin';
    const saved = await collectOne(`${grub}\nsed -i 's/="0"/="saved"/' /boot/grub/grub.cfg; ${pin}`);
    const [unknown, pinned] = ['default', 'pinned'].map((key) => valuesOf(sectionOf(saved, 'kernel'), key));
    expect([unknown, pinned]).toEqual([[], ['6.1.0-29-amd64']]);
  });

  it('detects a container, and a host without kernels in /boot', async () => {
    const report = await collectOne('rm -f /boot/vmlinuz-* /usr/bin/systemd-detect-virt; touch /.dockerenv');
    expect(valuesOf(sectionOf(report, 'platform'), 'virtualization')).toEqual(['docker']);
    expect(valuesOf(sectionOf(report, 'kernel'), 'vmlinuz')).toEqual([]);
    expect(sectionOf(report, 'kernel').exit).toBe(0);
  });

  describe('processes that run deleted files', () => {
    const run =
      'mkdir -p /opt/tests; cp /usr/bin/sleep /opt/tests/old; /opt/tests/old 600 & sleep 0.3; rm /opt/tests/old';
    const quiet = 'mkdir -p /opt/tests; cp /usr/bin/sleep /tmp/jit; /tmp/jit 600 & sleep 0.3; rm /tmp/jit';

    it.each(shells)('are reported as root, with the file, in $name', async ({ command }) => {
      const commands = `${run}; ${quiet}; ${command.join(' ')} /host/collector-apt.sh`;
      const section = sectionOf(await collectOne('', commands), 'deleted-files');
      expect(section).toEqual({ lines: ['old\t/opt/tests/old'], said: [], exit: 0 });
    });

    it.each(shells)('are reported with any name of the process or file, in $name', async ({ command }) => {
      if (missingCommands('/usr/bin/python3').length > 0) {
        process.stderr.write('NOT TESTED: hostile names of processes. This machine lacks python3.\n');
        return;
      }
      const python = `import ctypes, os, shutil, sys, time
for name in (b'a\\tb', b'', b'  ', b'@end 1 1', b'c\\nd'):
    file = b'/opt/tests/' + (b'x\\ty' if name == b'' else name.strip() + b'.so')
    shutil.copy('/usr/bin/sleep', file)
    if os.fork() == 0:
        import mmap
        opened = os.open(file, os.O_RDONLY)
        held = mmap.mmap(opened, 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)
        ctypes.CDLL(None).prctl(15, name)
        os.unlink(file)
        open('/tmp/ready', 'a').write('r')
        time.sleep(600)
`;
      const report = await collectOne(
        `mkdir -p /opt/tests; printf '%s' "${python}" >/tmp/names.py`,
        `/usr/bin/python3 /tmp/names.py >/dev/null 2>&1 & until [ "$(cat /tmp/ready 2>/dev/null)" = rrrrr ]; do :; done; ${command.join(' ')} /host/collector-apt.sh`,
      );
      expect(sectionOf(report, 'deleted-files')).toEqual({
        lines: [
          '(no name)\t/opt/tests/.so',
          '(no name)\t/opt/tests/x?y',
          '@end 1 1\t/opt/tests/@end 1 1.so',
          'a?b\t/opt/tests/a?b.so',
          'c\t/opt/tests/c\\012d.so',
        ],
        said: [],
        exit: 0,
      });
    });

    it('are reported to a user whose only capability is CAP_SYS_PTRACE', async () => {
      const command = `${asNobody} --inh-caps -all,+sys_ptrace --ambient-caps -all,+sys_ptrace --bounding-set -all,+sys_ptrace --no-new-privs`;
      const report = await collectOne('', `${run}; ${command} sh /host/collector-apt.sh`);
      expect(sectionOf(report, 'deleted-files')).toEqual({
        lines: ['old\t/opt/tests/old'],
        said: [],
        exit: 0,
      });
    });

    it('are not reported as none if /proc hides other users’ processes', async () => {
      const report = await collectOne(
        '',
        `${run}; mount -t proc -o hidepid=2 proc /proc; ${asNobody} sh /host/collector-apt.sh`,
      );
      expect(sectionOf(report, 'deleted-files')).toMatchObject({ lines: [], exit: 1 });
    });

    it('are searched in addition to needrestart, which cannot see them without root', async () => {
      const needrestart = `printf '%s\\n' '#!/bin/sh' 'echo "NEEDRESTART-VER: 3.6"; echo "NEEDRESTART-SESS: root @ session #3"; echo "asked: $*"' >/usr/local/bin/needrestart; chmod 755 /usr/local/bin/needrestart`;
      const [asRoot, asUser] = await collect(
        needrestart,
        `sh /host/collector-apt.sh; ${asNobody} sh /host/collector-apt.sh`,
      );
      expect(asRoot?.sections.get('needrestart')).toEqual({
        lines: ['NEEDRESTART-VER: 3.6', 'NEEDRESTART-SESS: root', 'asked: -b -r l -l -k'],
        said: [],
        exit: 0,
      });
      expect(asRoot?.sections.has('deleted-files')).toBe(false);
      expect(asUser?.sections.get('needrestart')).toMatchObject({
        lines: expect.arrayContaining(['asked: -b -k']),
        exit: 1,
      });
      expect(asUser?.sections.has('deleted-files')).toBe(true);
    });
  });

  it('omits changing and secret parts of livepatch’s answer', async () => {
    const answer =
      '{"Client-Version":"10.5","Machine-Token":"s3cr3t","Last-Check":"2024-11-14T10:00:00Z","Status":[{"Running":true}],"Uptime":"77"}';
    const report = await collectOne(
      `printf '#!/bin/sh\\necho %s\\n' "'${answer.replaceAll('"', '\\"')}'" >/usr/local/bin/canonical-livepatch; chmod 755 /usr/local/bin/canonical-livepatch`,
    );
    const [line = ''] = sectionOf(report, 'livepatch').lines;
    expect(JSON.parse(line)).toEqual({
      'Client-Version': '10.5',
      'Machine-Token': '',
      'Last-Check': '',
      Status: [{ Running: true }],
      Uptime: '',
    });
  });

  it.each(['uptrack-show', 'kcarectl --patch-info', 'klp -v patches', 'kpatch list'])(
    'asks %s for live patches where it is installed',
    async (command) => {
      const [client = '', ...rest] = command.split(' ');
      const report = await collectOne(
        `printf '#!/bin/sh\\necho asked: "$@"\\n' >/usr/local/bin/${client}; chmod 755 /usr/local/bin/${client}`,
      );
      expect(sectionOf(report, 'livepatch').lines).toEqual([['asked:', ...rest].join(' ')]);
    },
  );
});

describeWhere(missingCommands('apt-get', 'dpkg-query'), 'the collector on this machine', () => {
  it('reports as many packages as dpkg does, and the same twice', async () => {
    const folder = newFolder('machine');
    buildScripts(folder);
    const run = () => runCommand(['sh', path.join(folder, 'collector-apt.sh')]);
    const [first, second] = [readReport((await run()).stdout), readReport((await run()).stdout)];
    const { stdout } = await runCommand(['dpkg-query', '-W', '-f', 'x\n']);
    expect(sectionOf(first, 'dpkg').lines).toHaveLength(stdout.split('\n').length - 1);
    const policies = sectionOf(first, 'apt-policy').lines.filter((line) => /^\S.*:$/.test(line));
    const installed = sectionOf(first, 'dpkg').lines.filter((line) => /^.[^cn]/.test(line));
    expect(policies).toHaveLength(installed.length);
    for (const [name, { exit }] of first.sections) {
      if (name !== 'deleted-files') expect([name, exit]).toEqual([name, 0]);
    }
    // Processes start and end on a busy machine: ignores the section about them.
    for (const [name, section] of first.sections) {
      if (name !== 'observed' && name !== 'deleted-files') expect(sectionOf(second, name)).toEqual(section);
    }
    rmSync(folder, { recursive: true });
  });
});
