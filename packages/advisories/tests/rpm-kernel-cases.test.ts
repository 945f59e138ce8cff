import { assessRpm, lines, offer, rpm } from './rpm-host.ts';
import { advisoryOf, update } from './rpm-records.ts';

const names = [
  'kernel',
  'kernel-core',
  'kernel-modules',
  'kernel-tools',
  'kernel-tools-libs',
  'python3-perf',
  'bpftool',
];
const of = (version: string) =>
  names.map((name) => rpm(`${name}-${version}.x86_64`, { sourceName: 'kernel', sourceVersion: version }));
const fixedIn = (id: string, version: string) =>
  advisoryOf(
    'almalinux-updateinfo',
    update(
      id,
      names.map((name) => `${name}-${version}.x86_64`),
    ),
    'almalinux:8',
  );

const fixedModules = advisoryOf(
  'almalinux-updateinfo',
  update('ALSA-4', ['kernel-modules-core-4.18.0-553.100.1.el8_10.x86_64']),
  'almalinux:8',
);
const first = '4.18.0-513.9.1.el8_9';
const second = '4.18.0-553.5.1.el8_10';
const third = '4.18.0-553.100.1.el8_10';
const advisories = [fixedIn('ALSA-2', second), fixedIn('ALSA-3', third)];
const host = { release: 'almalinux:8', advisories };

describe('kernel rules on rpm, by number', () => {
  it('22. of several kernels of one name only the running one has findings, 24. the others have none', () => {
    const packages = [...of(first), ...of(second)];
    const assessment = assessRpm({ ...host, packages, running: `${second}.x86_64` });
    expect(lines({ ...host, packages, running: `${second}.x86_64` })).toEqual([
      'kernel-core.x86_64 ALSA-3 not_in_repositories',
      'kernel-modules.x86_64 ALSA-3 not_in_repositories',
      'kernel.x86_64 ALSA-3 not_in_repositories',
    ]);
    expect(assessment).toMatchObject({
      rebootState: 'not_needed',
      counts: { important: 3, unknown: 0 },
      kernelPosture: {
        runningIsLatest: true,
        latestInstalledKernel: `${second}.x86_64`,
        installedKernels: [
          { package: 'kernel-core', version: second, running: true },
          { package: 'kernel-core', version: first, running: false },
        ],
      },
    });
  });

  it('23. a fix in a newer installed kernel waits for a reboot', () => {
    const packages = [...of(first), ...of(second)];
    const running = `${first}.x86_64`;
    expect(lines({ ...host, packages, running })).toEqual([
      'kernel-core.x86_64 ALSA-2 pending_reboot',
      'kernel-core.x86_64 ALSA-3 not_in_repositories',
      'kernel-modules.x86_64 ALSA-2 pending_reboot',
      'kernel-modules.x86_64 ALSA-3 not_in_repositories',
      'kernel.x86_64 ALSA-2 pending_reboot',
      'kernel.x86_64 ALSA-3 not_in_repositories',
    ]);
    expect(assessRpm({ ...host, packages, running })).toMatchObject({
      rebootState: 'needed',
      kernelPosture: { runningIsLatest: false, rebootReasons: [{ code: 'newer_kernel_installed' }] },
    });
  });

  it('23. an offered kernel that has the fix is installable, part by part', () => {
    const packages = of(second);
    const upgrades = packages.map((installed) => offer(installed, third));
    expect(lines({ ...host, packages, upgrades, running: `${second}.x86_64` })).toEqual([
      'kernel-core.x86_64 ALSA-3 installable',
      'kernel-modules.x86_64 ALSA-3 installable',
      'kernel.x86_64 ALSA-3 installable',
    ]);
  });

  it('24. a running kernel whose package was removed is judged by the version that its release names', () => {
    const running = `${first}.x86_64`;
    expect(lines({ ...host, packages: of(second), running })).toEqual([
      'kernel-core.x86_64 ALSA-2 pending_reboot',
      'kernel-core.x86_64 ALSA-3 not_in_repositories',
    ]);
    expect(assessRpm({ ...host, packages: of(second), running }).rebootState).toBe('needed');
  });

  it('26. kernel-tools, python3-perf, bpftool and the like raise no kernel findings, and are not unknown', () => {
    const companions = ['kernel-tools', 'kernel-headers', 'kernel-devel', 'perf', 'python3-perf', 'bpftool'];
    const packages = companions.map((name) => rpm(`${name}-${first}.x86_64`));
    expect(assessRpm({ ...host, packages, running: `${first}.x86_64` })).toMatchObject({
      findings: [],
      counts: { unknown: 0 },
    });
  });

  it('27. in a container, and under a foreign kernel, installed kernels have no findings', () => {
    const running = `${first}.x86_64`;
    expect(lines({ ...host, packages: of(first), running, virtualization: 'podman' })).toEqual([]);
    const outside = assessRpm({ ...host, packages: of(first), running: '6.1.0-custom' });
    expect(outside).toMatchObject({
      findings: [],
      rebootState: 'unknown',
      kernelPosture: { runningIsLatest: null },
    });
  });

  // kernel-uki-virt is what confidential VMs of Red Hat boot (grype issue 2446).
  it('27. a unified kernel image is the kernel where no other one is installed', () => {
    const uki = (version: string) =>
      ['kernel-uki-virt', 'kernel-modules-core'].map((name) => rpm(`${name}-${version}.x86_64`));
    const fix = (id: string, version: string) =>
      advisoryOf('almalinux-updateinfo', update(id, [`kernel-uki-virt-${version}.x86_64`]), 'almalinux:8');
    const on = {
      release: 'almalinux:8',
      advisories: [fix('ALSA-2', second), fix('ALSA-3', third)],
      running: `${first}.x86_64`,
    };
    expect(lines({ ...on, packages: uki(first) })).toEqual([
      'kernel-uki-virt.x86_64 ALSA-2 not_in_repositories',
      'kernel-uki-virt.x86_64 ALSA-3 not_in_repositories',
    ]);
    expect(assessRpm({ ...on, packages: uki(first) })).toMatchObject({
      rebootState: 'not_needed',
      kernelPosture: { installedKernels: [{ package: 'kernel-uki-virt', running: true }] },
    });
    const newer = assessRpm({ ...on, packages: [...uki(first), ...uki(second)] });
    expect(newer.rebootState).toBe('needed');
    const beside = [rpm(`kernel-core-${first}.x86_64`), ...uki(first)];
    expect(lines({ ...on, packages: beside })).toHaveLength(2);
    expect(assessRpm({ ...on, packages: beside }).kernelPosture.installedKernels).toHaveLength(1);
    const left = [rpm(`kernel-modules-core-${first}.x86_64`)];
    const onlyPart = assessRpm({ ...host, advisories: [fixedModules], packages: left, running: on.running });
    expect(onlyPart.findings.map(({ name }) => name)).toEqual(['kernel-modules-core']);
  });

  it('28. variants are compared separately: a newer kernel-debug-core is not a newer kernel-core', () => {
    const debug = rpm(`kernel-debug-core-${third}.x86_64`);
    const packages = [...of(second), debug];
    expect(assessRpm({ ...host, packages, running: `${second}.x86_64` })).toMatchObject({
      rebootState: 'not_needed',
      kernelPosture: { runningIsLatest: true },
    });
    const inDebug = assessRpm({ ...host, packages, running: `${third}.x86_64+debug` });
    expect(inDebug.kernelPosture).toMatchObject({ latestInstalledKernel: `${third}.x86_64+debug` });
  });

  it('29. SUSE’s uname drops the last number of the rebuild', () => {
    const version = '5.3.18-150300.59.49.1';
    const packages = [rpm(`kernel-default-${version}.x86_64`), rpm(`kernel-default-extra-${version}.x86_64`)];
    const fix = advisoryOf(
      'opensuse-updateinfo',
      update('openSUSE-1', ['kernel-default-5.3.18-150300.59.54.1.x86_64']),
      'opensuse:15.3',
    );
    const on = {
      release: 'opensuse:15.3',
      packages,
      advisories: [fix],
      running: '5.3.18-150300.59.49-default',
    };
    expect(lines(on)).toEqual(['kernel-default.x86_64 openSUSE-1 not_in_repositories']);
    expect(assessRpm(on).kernelPosture).toMatchObject({ runningIsLatest: true });
  });

  it('29. of two builds with one SUSE uname the lower one is assumed to run, by numbers', () => {
    const [older, newer] = ['6.12.0-160012.5.9', '6.12.0-160012.5.10'] as const;
    const packages = [older, newer].map((version) => rpm(`kernel-default-${version}.x86_64`));
    const fix = advisoryOf(
      'opensuse-updateinfo',
      update('openSUSE-1', [`kernel-default-${newer}.x86_64`]),
      'opensuse:16.0',
    );
    const on = { release: 'opensuse:16.0', advisories: [fix], running: '6.12.0-160012.5-default' };
    for (const installed of [packages, packages.toReversed()]) {
      expect(lines({ ...on, packages: installed })).toEqual([
        'kernel-default.x86_64 openSUSE-1 pending_reboot',
      ]);
      expect(assessRpm({ ...on, packages: installed }).rebootState).toBe('needed');
    }
  });

  it('30. a newer installed kernel needs a reboot, regardless of /boot', () => {
    const packages = ['5.14.0-503.el9', '5.14.0-570.el9'].map((version) =>
      rpm(`kernel-core-${version}.x86_64`),
    );
    expect(assessRpm({ release: 'rhel:9', packages, running: '5.14.0-503.el9.x86_64' })).toMatchObject({
      rebootState: 'needed',
      kernelPosture: { rebootReasons: [{ code: 'newer_kernel_installed' }] },
    });
  });

  it('before 8 `kernel` boots itself, and its debug variant as `.debug`', () => {
    const packages = ['kernel', 'kernel-debug'].map((name) => rpm(`${name}-3.10.0-1160.el7.x86_64`));
    const at = (running: string) =>
      assessRpm({ release: 'centos:7', packages, running }).kernelPosture.installedKernels.map(
        (kernel) => `${kernel.package} ${kernel.release} ${kernel.running}`,
      );
    expect(at('3.10.0-1160.el7.x86_64')).toEqual([
      'kernel 3.10.0-1160.el7.x86_64 true',
      'kernel-debug 3.10.0-1160.el7.x86_64.debug false',
    ]);
    expect(at('3.10.0-1160.el7.x86_64.debug')).toContain('kernel-debug 3.10.0-1160.el7.x86_64.debug true');
  });

  it('lines of one kernel name are compared separately: UEK 5.4 is clean against a fix in 5.15', () => {
    const fix = advisoryOf(
      'oracle-updateinfo',
      update('ELSA-1', [
        'kernel-uek-core-5.15.0-310.184.5.2.el8uek.x86_64',
        'kernel-uek-5.4.17-2136.330.7.el8uek.x86_64',
      ]),
      'oracle:8',
    );
    const at = (version: string, name = 'kernel-uek') =>
      lines({
        release: 'oracle:8',
        packages: [rpm(`${name}-${version}.x86_64`)],
        advisories: [fix],
        running: `${version}.x86_64`,
      });
    expect(at('5.4.17-2136.330.7.el8uek')).toEqual([]);
    expect(at('5.4.17-2136.300.7.el8uek')).toEqual(['kernel-uek.x86_64 ELSA-1 not_in_repositories']);
    expect(at('5.15.0-200.131.27.el8uek', 'kernel-uek-core')).toEqual([
      'kernel-uek-core.x86_64 ELSA-1 not_in_repositories',
    ]);
  });
});
