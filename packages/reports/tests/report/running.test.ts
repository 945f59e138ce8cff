import type { KernelFacts } from '@plimsoll/model';
import { recorded } from './recorded.ts';
import {
  alma,
  almaSnapshot,
  debian,
  debianSnapshot,
  failuresOf,
  rpmRow,
  type Sections,
} from './report-builder.ts';

function dpkgKernels(...rows: readonly (readonly [string, string])[]): string {
  const kernels = rows.map(([name, version]) => `ii \t${name}\tamd64\t${version}\tlinux\t${version}`);
  return [debian['dpkg'], ...kernels].join('\n');
}

function kernels({ installed }: KernelFacts): readonly string[] {
  return installed.map((kernel) => `${kernel.package} ${kernel.version} ${kernel.release}`);
}

describe('the kernels of an apt host', () => {
  it.each([
    ['linux-image-6.1.0-29-amd64', '6.1.0-29-amd64'],
    ['linux-image-6.1.0-29-amd64-unsigned', '6.1.0-29-amd64'],
    ['linux-image-unsigned-6.8.0-100-generic', '6.8.0-100-generic'],
    ['linux-image-6.12.38+deb13-cloud-amd64', '6.12.38+deb13-cloud-amd64'],
    ['linux-image-6.6.31+rpt-rpi-v8', '6.6.31+rpt-rpi-v8'],
    ['proxmox-kernel-6.8.12-4-pve-signed', '6.8.12-4-pve'],
  ])('%s boots as %s', (name, release) => {
    const { kernel } = debianSnapshot({ dpkg: dpkgKernels([name, '6.1.123-1']) });
    expect(kernels(kernel)).toEqual([`${name} 6.1.123-1 ${release}`]);
  });

  it.each([
    'linux-image-amd64',
    'linux-image-generic-hwe-22.04',
    'linux-image-6.1-amd64',
    'linux-image-6.1.0-29-amd64-dbg',
    'linux-headers-6.1.0-29-amd64',
    'linux-image-extra-4.4.0-210-generic',
  ])('%s is not a kernel', (name) => {
    expect(debianSnapshot({ dpkg: dpkgKernels([name, '6.1.123-1']) }).kernel.installed).toEqual([]);
  });

  it('include the running one, and the one that the boot loader starts next', () => {
    const { kernel } = debianSnapshot({
      dpkg: dpkgKernels(
        ['linux-image-6.1.0-29-amd64', '6.1.123-1'],
        ['linux-image-6.1.0-40-amd64', '6.1.153-1'],
      ),
      kernel:
        'release\t6.1.0-29-amd64\nversion\t#1 SMP Debian 6.1.123-1\nvmlinuz\t/boot/vmlinuz-6.1.0-29-amd64\nvmlinuz\t/boot/vmlinuz-6.1.0-40-amd64\ndefault\t6.1.0-40-amd64\npinned\t6.1.0-29-amd64',
    });
    expect(kernel).toMatchObject({
      runningRelease: '6.1.0-29-amd64',
      runningVersion: '#1 SMP Debian 6.1.123-1',
      runningPackage: 'linux-image-6.1.0-29-amd64',
      pinnedRelease: '6.1.0-29-amd64',
      installed: [
        { release: '6.1.0-29-amd64', defaultBoot: 'no' },
        { release: '6.1.0-40-amd64', defaultBoot: 'yes' },
      ],
    });
  });

  it('are known if /boot is empty', () => {
    const { kernel } = debianSnapshot({ dpkg: dpkgKernels(['linux-image-6.1.0-29-amd64', '6.1.123-1']) });
    expect(kernel.runningPackage).toBe('linux-image-6.1.0-29-amd64');
    expect(kernel.installed).toMatchObject([{ defaultBoot: 'unknown' }]);
  });

  it('without a package are listed by their files in /boot, except rescue images and copies', () => {
    const files = ['6.9.1-mine', '0-rescue-abc', '6.1.0-1-amd64.old'].map(
      (file) => `vmlinuz\t/boot/vmlinuz-${file}`,
    );
    const { kernel } = debianSnapshot({ kernel: ['release\t6.9.1-mine', ...files].join('\n') });
    expect(kernels(kernel)).toEqual(['  6.9.1-mine']);
    expect(kernel.runningPackage).toBe('');
  });

  it('are empty in a container', () => {
    const container = 'architecture\tamd64\nvirtualization\tdocker';
    const { kernel, platform, failures } = debianSnapshot({ platform: container });
    expect(platform.virtualization).toBe('docker');
    expect(kernel).toMatchObject({ runningRelease: '6.1.0-29-amd64', runningPackage: '', installed: [] });
    expect(failures).toEqual([]);
  });

  it('that are unknown are listed as a failure', () => {
    expect(failuresOf(debianSnapshot({ kernel: { exit: 124 } }))).toEqual(['kernel: kernel: timed out']);
  });
});

describe('the kernels of an rpm host', () => {
  function release(name: string, versionRelease: string, more: Sections = {}, vendor = 'AlmaLinux'): string {
    const { kernel } = almaSnapshot({
      rpm: [alma['rpm'], rpmRow(name, versionRelease, { vendor })].join('\n'),
      ...more,
    });
    return kernel.installed.map((entry) => entry.release).join();
  }

  it.each([
    ['kernel-core', '5.14.0-503.11.1.el9_5', '5.14.0-503.11.1.el9_5.x86_64'],
    ['kernel', '3.10.0-1160.118.1.el7', '3.10.0-1160.118.1.el7.x86_64'],
    ['kernel-64k-core', '5.14.0-503.el9', '5.14.0-503.el9.x86_64+64k'],
    ['kernel-64k-debug-core', '5.14.0-503.el9', '5.14.0-503.el9.x86_64+64k-debug'],
    ['kernel-rt-core', '5.14.0-503.el9', '5.14.0-503.el9.x86_64+rt'],
    ['kernel-rt-core', '4.18.0-553.rt7.342.el8_10', '4.18.0-553.rt7.342.el8_10.x86_64'],
    ['kernel-debug-core', '5.14.0-503.el9', '5.14.0-503.el9.x86_64+debug'],
    ['kernel-uek-core', '5.15.0-319.201.4.4.el8uek', '5.15.0-319.201.4.4.el8uek.x86_64'],
    ['kernel-ml', '6.12.1-1.el9.elrepo', '6.12.1-1.el9.elrepo.x86_64'],
    ['kernel6.12', '6.12.20-23.97.amzn2023', '6.12.20-23.97.amzn2023.x86_64'],
    ['kernel-headers', '5.14.0-503.el9', ''],
    ['kernel-tools', '5.14.0-503.el9', ''],
    ['kernel-modules-core', '5.14.0-503.el9', ''],
    ['kernel-srpm-macros', '1.0-14', ''],
    ['kernel-devel', '5.14.0-503.el9', ''],
  ])('%s %s boots as %j', (name, versionRelease, expected) => {
    expect(release(name, versionRelease)).toBe(expected);
  });

  it.each([
    ['kernel-default', '5.3.18-150300.59.49.1', '5.3.18-150300.59.49-default'],
    ['kernel-default-base', '5.3.18-150300.59.49.1.150300.18.31.1', '5.3.18-150300.59.49-default'],
    ['kernel-azure', '5.14.21-150500.33.63.1', '5.14.21-150500.33.63-azure'],
    ['kernel-default', '6.11.0-1.1', '6.11.0-1-default'],
    ['kernel-firmware-all', '20210208-2.4', ''],
    ['kernel-default-extra', '5.3.18-150300.59.49.1', ''],
  ])("SUSE's %s %s boots as %j, without the number of the rebuild", (name, versionRelease, expected) => {
    expect(release(name, versionRelease, {}, 'SUSE LLC <https://www.suse.com/>')).toBe(expected);
  });

  it('boot as the running release or a file in /boot if the name is ambiguous', () => {
    const running = { kernel: 'release\t3.10.0-1160.el7.x86_64.debug' };
    expect(release('kernel-debug', '3.10.0-1160.el7', running)).toBe('3.10.0-1160.el7.x86_64.debug');
    const azure = { kernel: 'release\tother\nvmlinuz\t/boot/vmlinuz-6.6.57.1-1.azl3' };
    expect(release('kernel', '6.6.57.1-1.azl3', azure)).toBe('6.6.57.1-1.azl3');
  });

  it('are counted once if a package only depends on its core', () => {
    const rows = ['kernel', 'kernel-core'].map((name) => rpmRow(name, '5.14.0-503.11.1.el9_5'));
    const { kernel } = almaSnapshot({ rpm: rows.join('\n') });
    expect(kernels(kernel)).toEqual(['kernel-core 5.14.0-503.11.1.el9_5 5.14.0-503.11.1.el9_5.x86_64']);
    expect(kernel.runningPackage).toBe('kernel-core');
  });
});

const needed = `needs-restarting\t1
says\tCore libraries or services have been updated since boot-up:
says\t  * kernel
says\t  * systemd
says\t
says\tReboot is required to fully utilize these updates.`;

describe('whether a reboot is due', () => {
  it.each<[string, Sections, string, readonly string[]]>([
    [
      'the flag is there',
      { reboot: 'flag\tyes\npackage\tlinux-base\npackage\tlibc6' },
      'yes',
      ['libc6', 'linux-base'],
    ],
    ['it is not', { reboot: 'flag\tno' }, 'no', []],
    ['it was not searched', { reboot: '' }, 'unknown', []],
    ['it could not be read', { reboot: { exit: 1 } }, 'unknown', []],
    ['the section is missing', { reboot: null }, 'unknown', []],
    [
      'needrestart sees a new kernel',
      { needrestart: 'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 3' },
      'yes',
      [],
    ],
    [
      'needrestart sees a compatible one',
      { needrestart: 'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 2' },
      'yes',
      [],
    ],
    ['needrestart sees none', { needrestart: 'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 1' }, 'no', []],
    [
      'needrestart sees another build by the number in its flavour',
      {
        reboot: '',
        needrestart:
          'NEEDRESTART-VER: 3.6\nNEEDRESTART-KCUR: 6.5.0-kali2-amd64\nNEEDRESTART-KEXP: 6.5.0-kali3-amd64\nNEEDRESTART-KSTA: 3',
      },
      'yes',
      [],
    ],
    [
      'needrestart expects another build of the release that runs as it is installed',
      {
        dpkg: dpkgKernels(['linux-image-6.8.9-x64v3-xanmod1', '6.8.9-x64v3-xanmod1-0~20240502.g3a72e1b']),
        kernel: 'release\t6.8.9-x64v3-xanmod1\nversion\t#0~20240502.g3a72e1b SMP PREEMPT_DYNAMIC',
        needrestart:
          'NEEDRESTART-VER: 3.6\nNEEDRESTART-KCUR: 6.8.9-x64v3-xanmod1\nNEEDRESTART-KEXP: 6.8.9-x64v3-xanmod1\nNEEDRESTART-KSTA: 2',
      },
      'no',
      [],
    ],
    [
      'needrestart expects the same version for another board',
      {
        needrestart:
          'NEEDRESTART-VER: 2.11\nNEEDRESTART-KCUR: 4.14.98+\nNEEDRESTART-KEXP: 4.14.98-v7+\nNEEDRESTART-KSTA: 3',
      },
      'no',
      [],
    ],
    [
      'needrestart does not know',
      { reboot: '', needrestart: 'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 0' },
      'unknown',
      [],
    ],
  ])('on apt, if %s', (_what, changes, rebootRequired, rebootPackages) => {
    expect(debianSnapshot(changes).kernel).toMatchObject({ rebootRequired, rebootPackages });
  });

  it.each<[string, string, string, readonly string[]]>([
    ['needs-restarting says that one is required', needed, 'yes', ['kernel', 'systemd']],
    [
      "yum's says that one is required",
      'needs-restarting\t1\nsays\tCore libraries or services have been updated:\nsays\t  kernel -> 3.10.0-1160.el7\nsays\t\nsays\tReboot is required to ensure that your system benefits from these updates.',
      'yes',
      ['kernel'],
    ],
    [
      'it says that none is',
      `needs-restarting\t0\nsays\t${recorded('outputs/dnf4-needs-restarting-none.txt').split('\n').join('\nsays\t')}`,
      'no',
      [],
    ],
    [
      'the plugin is missing, which ends with 1 as well',
      'flag\tno\nneeds-restarting\t1\nsays\tNo such command: needs-restarting.',
      'unknown',
      [],
    ],
    ['it hung', 'flag\tno\nneeds-restarting\t124', 'unknown', []],
    ['there is only the flag, which nothing sets on rpm', 'flag\tno', 'unknown', []],
    ['the flag exists nevertheless', 'flag\tyes', 'yes', []],
    ['zypper suggests one', 'needs-rebooting\t102\nsays\tReboot is suggested', 'yes', []],
    ['zypper suggests none', 'needs-rebooting\t0', 'no', []],
    ['zypper failed', 'needs-rebooting\t4', 'unknown', []],
  ])('on rpm, if %s', (_what, reboot, rebootRequired, rebootPackages) => {
    expect(almaSnapshot({ reboot }).kernel).toMatchObject({ rebootRequired, rebootPackages });
  });

  it('is unknown, with the error text of the tool', () => {
    const reboot = 'needs-restarting\t1\nsays\tNo such command: needs-restarting.';
    expect(failuresOf(almaSnapshot({ reboot }))).toEqual([
      'kernel: reboot: needs-restarting ended with 1: No such command: needs-restarting.',
    ]);
  });
});

describe('the software to restart', () => {
  it('is read from needrestart', () => {
    const needrestart =
      'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 1\nNEEDRESTART-SVC: ssh.service\nNEEDRESTART-CONT: LXC web\nNEEDRESTART-SESS: anna @ session #4';
    expect(debianSnapshot({ 'deleted-files': null, needrestart })).toMatchObject({
      services: {
        restartRequired: 'yes',
        toRestart: [
          { name: 'LXC web', reason: 'needrestart names this container' },
          { name: 'anna', reason: 'needrestart names this session' },
          { name: 'ssh.service', reason: 'needrestart names this service' },
        ],
      },
      failures: [],
    });
  });

  it('is empty if needrestart, as root, lists nothing', () => {
    const needrestart = 'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 1';
    expect(debianSnapshot({ 'deleted-files': null, needrestart }).services.restartRequired).toBe('no');
  });

  it('includes users of deleted programs and libraries, not of other deleted files', () => {
    const deleted =
      'sshd.service\t/usr/lib/x86_64-linux-gnu/libcrypto.so.3\nsshd.service\t/usr/sbin/sshd (deleted)\njava\t/tmp/hsperf\npostgres\t/dev/zero';
    expect(debianSnapshot({ 'deleted-files': deleted }).services).toEqual({
      restartRequired: 'yes',
      toRestart: [
        {
          name: 'sshd.service',
          reason: 'runs /usr/lib/x86_64-linux-gnu/libcrypto.so.3 and 1 more, which an update replaced',
        },
      ],
    });
    expect(debianSnapshot({ 'deleted-files': 'java\t/tmp/hsperf' }).services.restartRequired).toBe('no');
  });

  it.each<[string, Sections, string]>([
    [
      'some processes could not be read',
      { 'deleted-files': { exit: 1, said: 'permission denied' } },
      'deleted-files: exit status 1: permission denied',
    ],
    [
      'nothing looked',
      { 'deleted-files': null },
      'deleted-files: the report has neither this section nor needrestart',
    ],
    [
      'needrestart printed something else',
      { 'deleted-files': null, needrestart: 'Scanning processes...' },
      'needrestart: its output is not that of needrestart',
    ],
    [
      'needrestart did not run as root',
      {
        'deleted-files': null,
        needrestart: {
          text: 'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 1',
          exit: 1,
          said: 'services were left out',
        },
      },
      'needrestart: exit status 1: services were left out',
    ],
  ])('is unknown if %s', (_what, changes, detail) => {
    const { services, failures } = debianSnapshot(changes);
    expect(services).toEqual({ restartRequired: 'unknown', toRestart: [] });
    expect(failures).toEqual([{ section: 'services', detail }]);
  });

  it('is known if one of two sources could read every process', () => {
    const needrestart = {
      text: 'NEEDRESTART-VER: 3.6\nNEEDRESTART-KSTA: 3',
      exit: 1,
      said: 'not run as root',
    };
    expect(debianSnapshot({ needrestart })).toMatchObject({
      services: { restartRequired: 'no', toRestart: [] },
      kernel: { rebootRequired: 'yes' },
      failures: [],
    });
  });

  it('includes what was found, even if some processes could not be read', () => {
    const partial = { text: 'cron.service\t/usr/sbin/cron', exit: 1, said: 'permission denied' };
    expect(debianSnapshot({ 'deleted-files': partial })).toMatchObject({
      services: { restartRequired: 'yes', toRestart: [{ name: 'cron.service' }] },
      failures: [{ section: 'services' }],
    });
  });
});

describe('failed units', () => {
  it('are known by name with the section, and not known without it', () => {
    const units = 'failed\tnginx.service\nfailed\tbackup.timer';
    expect(debianSnapshot({ units }).services.failedUnits).toEqual(['backup.timer', 'nginx.service']);
    expect(debianSnapshot({ units: '' }).services.failedUnits).toEqual([]);
    expect(debianSnapshot().services.failedUnits).toBeUndefined();
  });
});

describe('live patches', () => {
  const canonical = (patch: object) =>
    JSON.stringify({ Status: [{ Kernel: '5.15.0-69.76-generic', Running: true, Livepatch: patch }] });

  it.each<[string, string, readonly string[]]>([
    [
      canonical({
        State: 'applied',
        Version: '97.1',
        Fixes: [
          { Name: 'CVE-2023-0001', Patched: true },
          { Name: 'CVE-2023-0002', Patched: false },
        ],
      }),
      'applied 97.1',
      ['CVE-2023-0001'],
    ],
    [
      canonical({ State: 'applied', Version: '9', Fixes: '* CVE-2023-0003\n* CVE-2023-0004 LP: #1' }),
      'applied 9',
      ['CVE-2023-0003', 'CVE-2023-0004'],
    ],
    [canonical({ State: 'nothing-to-apply' }), 'nothing-to-apply', []],
    ['{"Status": []}', '', []],
    // As Canonical's client 10.8 writes names (its documentation of Landscape's REST API).
    [
      canonical({
        State: 'applied',
        Version: '104.1',
        Fixes: [{ Name: 'cve-2023-6817', Patched: true, Bug: '', Description: '' }],
      }),
      'applied 104.1',
      ['CVE-2023-6817'],
    ],
    [
      'Loaded patch modules:\nkpatch_5_14_0_427_13_1_1 [enabled]\nkpatch_old [disabled]\n\nInstalled patch modules:\nkpatch_5_14_0_427_13_1_1 (5.14.0-427.el9)',
      'kpatch_5_14_0_427_13_1_1 [enabled]',
      [],
    ],
    [
      'Loaded patch modules:\nlivepatch_CVE_2022_36946 [enabled]\nlivepatch_CVE_2022_1 [enabled]\nlivepatch_CVE_2023_20001 [disabled]',
      'livepatch_CVE_2022_36946 [enabled], livepatch_CVE_2022_1 [enabled]',
      ['CVE-2022-36946'],
    ],
    [
      'livepatch_12\n    active: 1\n    RPM: kernel-livepatch-5_14_21-150500_55_7-default-12-1.x86_64\n    CVE: CVE-2023-0001 CVE-2023-0002\nlivepatch_11\n    active: 0\n    CVE: CVE-2023-0003',
      'livepatch_12 [enabled]',
      ['CVE-2023-0001', 'CVE-2023-0002'],
    ],
    ['', '', []],
    [
      'Installed updates:\n[cct5dnbf] Clear garbage data on the kernel stack.\n[q0xn5cgi] CVE-2017-1000251: Stack overflow in L2CAP.\n[aaaaaaaa] CVE-2017-1000251, CVE-2017-7308: More.\n\nEffective kernel version is 4.1.12\n[zzzzzzzz] CVE-2017-9999: not installed',
      'Ksplice: 3 updates installed',
      ['CVE-2017-1000251', 'CVE-2017-7308'],
    ],
    [
      'Installed updates:\n[lylzl1sj] Known exploit detection for CVE-2017-7308.\n[q0xn5cgi] CVE-2017-1000251: Stack overflow.',
      'Ksplice: 2 updates installed',
      ['CVE-2017-1000251'],
    ],
    ['No updates installed.', '', []],
    ["No patches applied, but some are available, run 'kcarectl --update'.", '', []],
    [
      'livepatch_1_5_3_2\n    active: 1\n    RPM: kernel-livepatch-5_3_18-24_34-default-1-5.3.2.x86_64\n    CVE: (none - this is an initial kernel live patch)\n    bug fixes and enhancements: (none)',
      'livepatch_1_5_3_2 [enabled]',
      [],
    ],
    ['Installed updates:\nNone\nAvailable updates:\n[q0xn5cgi] CVE-2017-1000251: Stack overflow.', '', []],
    [
      'OS: centos7\nkernel: kernel-3.10.0-1160.el7\n\nkpatch-name: 3.10.0/a.patch\nkpatch-description: about CVE-2020-9999\nkpatch-cve: CVE-2020-0001\nkpatch-cvss: 7.0\n\nkpatch-name: 3.10.0/b.patch\nkpatch-cve: CVE-2020-0002',
      'KernelCare: patch applied',
      ['CVE-2020-0001', 'CVE-2020-0002'],
    ],
  ])('of %s', (livepatch, state, cves) => {
    expect(debianSnapshot({ livepatch })).toMatchObject({
      kernel: { livepatch: state, livepatchedCves: cves },
      failures: [],
    });
  });

  it('without the service are none', () => {
    const said = "Machine is not enabled. Please run 'sudo canonical-livepatch enable' with the";
    expect(debianSnapshot({ livepatch: { exit: 1, said } })).toMatchObject({
      kernel: { livepatch: '', livepatchedCves: [] },
      failures: [],
    });
  });

  it('that are unknown do not make the kernel unknown', () => {
    const snapshot = debianSnapshot({ livepatch: { exit: 1, said: 'cannot connect to the daemon' } });
    expect(failuresOf(snapshot)).toEqual([
      'livepatch: livepatch: exit status 1: cannot connect to the daemon',
    ]);
    expect(debianSnapshot({ livepatch: 'something else' }).failures).toMatchObject([
      { section: 'livepatch' },
    ]);
  });
});
