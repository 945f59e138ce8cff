import { kernelRoleOf, parseRunningRelease } from '../../src/rpm/kernel-package.ts';
import { suseFlavourOf } from '../../src/rpm/suse-kernel.ts';

const split = { style: 'red_hat', hasCore: true } as const;
const whole = { style: 'red_hat', hasCore: false } as const;
const suse = { style: 'suse', hasCore: false } as const;

function roleOf(
  name: string,
  version: string,
  naming: typeof split | typeof whole | typeof suse,
  source = name,
) {
  return kernelRoleOf({ name, version, architecture: 'x86_64', sourceName: source }, naming);
}

describe('a package of a kernel', () => {
  it.each([
    ['kernel-core', '5.14.0-503.el9', split, '5.14.0-503.el9.x86_64', 'kernel'],
    ['kernel-debug-core', '5.14.0-503.el9', split, '5.14.0-503.el9.x86_64+debug', 'kernel-debug'],
    ['kernel-64k-core', '5.14.0-503.el9', split, '5.14.0-503.el9.x86_64+64k', 'kernel-64k'],
    ['kernel-rt-core', '5.14.0-362.el9_3', split, '5.14.0-362.el9_3.x86_64+rt', 'kernel-rt'],
    [
      'kernel-rt-core',
      '4.18.0-513.9.1.rt7.311.el8_9',
      split,
      '4.18.0-513.9.1.rt7.311.el8_9.x86_64',
      'kernel-rt',
    ],
    ['kernel-uek', '5.4.17-2136.el8uek', split, '5.4.17-2136.el8uek.x86_64', 'kernel-uek'],
    ['kernel-uek-core', '5.15.0-310.el8uek', split, '5.15.0-310.el8uek.x86_64', 'kernel-uek'],
    ['kernel', '3.10.0-1160.el7', whole, '3.10.0-1160.el7.x86_64', 'kernel'],
    ['kernel-debug', '3.10.0-1160.el7', whole, '3.10.0-1160.el7.x86_64.debug', 'kernel-debug'],
    ['kernel6.12', '6.12.1-2.amzn2023', whole, '6.12.1-2.amzn2023.x86_64', 'kernel6.12'],
    ['kernel-default', '5.3.18-150300.59.49.1', suse, '5.3.18-150300.59.49-default', 'default'],
    ['kernel-azure', '6.4.0-150600.8.5.4', suse, '6.4.0-150600.8.5-azure', 'azure'],
    [
      'kernel-default-base',
      '5.3.18-150300.59.49.1.150300.18.29.1',
      suse,
      '5.3.18-150300.59.49-default',
      'default',
    ],
  ] as const)('%s %s boots as %s', (name, version, naming, release, flavour) => {
    expect(roleOf(name, version, naming)).toEqual({ role: 'image', release, flavour });
  });

  it.each([
    ['kernel', split],
    ['kernel-modules', split],
    ['kernel-modules-core', split],
    ['kernel-modules-extra', split],
  ] as const)('%s belongs to the kernel of its version, and is not an image', (name, naming) => {
    const release = '5.14.0-503.el9.x86_64';
    expect(roleOf(name, '5.14.0-503.el9', naming)).toEqual({ role: 'part', release, flavour: 'kernel' });
  });

  it.each([
    'kernel-tools',
    'kernel-tools-libs',
    'kernel-headers',
    'kernel-devel',
    'kernel-devel-matched',
    'kernel-debug-devel',
    'kernel-uek-devel',
    'kernel-doc',
    'kernel-abi-stablelists',
    'perf',
    'python3-perf',
    'python-perf',
    'bpftool',
    'rtla',
  ])('%s is a companion', (name) => {
    expect(roleOf(name, '5.14.0-503.el9', split)).toEqual({ role: 'companion' });
  });

  it('any other package built from the kernel’s source is a companion', () => {
    expect(roleOf('libperf', '5.14.0-503.el9', split, 'kernel')).toEqual({ role: 'companion' });
    expect(roleOf('reiserfs-kmp-default', '5.3.18-1.1', suse, 'kernel-default')).toEqual({
      role: 'companion',
    });
  });

  it.each([
    ['perf', '6.8.4-200.fc39', 'kernel-tools'],
    ['libperf', '6.8.4-200.fc39', 'kernel-tools'],
    ['kernel-headers', '6.8.3-200.fc39', 'kernel-headers'],
    ['bpftool', '7.3.0-427.13.1.el9_4', 'kernel'],
    ['rv', '5.14.0-427.13.1.el9_4', 'kernel'],
    ['a-new-tool', '6.12.0-55.el10', 'kernel'],
    ['bpftool', '5.15.0-310.184.5.2.el8uek', 'kernel-uek'],
    ['bpftool', '4.18.0-553.el8_10', 'bpftool'],
  ])('%s %s from the source %s is a companion', (name, version, source) => {
    expect(roleOf(name, version, split, source)).toEqual({ role: 'companion' });
  });

  it.each([
    ['bpftool', '7.5.0-1.el10', split, 'bpftool'],
    ['bpftool', '7.4.0-2.fc41', split, 'bpftool'],
    ['bpftool', '5.14.21-150500.4.3.1', suse, 'bpftool'],
    ['perf', '5.14.21-150500.4.3.1', suse, 'perf'],
    ['rtla', '5.14.0-7.el9', split, 'rtla'],
    ['perf', '3.1-1.el9', split, 'perf-suite'],
    ['kernel-tools-extra', '1.0-1.el9', split, 'site-tools'],
  ] as const)('%s %s has a source of its own, and is judged by itself', (name, version, style, source) => {
    expect(roleOf(name, version, style, source)).toBeNull();
  });

  it.each([
    'kernel-srpm-macros',
    'kernel-rpm-macros',
    'kernel-firmware-all',
    'kernelshark',
    'perftest',
    'microcode_ctl',
  ])('%s is unrelated to the kernel', (name) => {
    expect(roleOf(name, '1.0-1.el9', split)).toBeNull();
    expect(roleOf(name, '1.0-1.1', suse)).toBeNull();
  });
});

describe('a `uname -r`', () => {
  it.each([
    ['5.14.0-503.el9.x86_64', '5.14.0-503.el9', 'kernel'],
    ['5.14.0-503.el9.x86_64+rt-debug', '5.14.0-503.el9', 'kernel-rt-debug'],
    ['5.14.0-503.el9.aarch64+64k', '5.14.0-503.el9', 'kernel-64k'],
    ['4.18.0-513.9.1.rt7.311.el8_9.x86_64', '4.18.0-513.9.1.rt7.311.el8_9', 'kernel-rt'],
    ['3.10.0-1160.el7.x86_64.debug', '3.10.0-1160.el7', 'kernel-debug'],
    ['5.15.0-310.184.5.2.el8uek.x86_64', '5.15.0-310.184.5.2.el8uek', 'kernel-uek'],
    ['6.12.1-2.amzn2023.x86_64', '6.12.1-2.amzn2023', 'kernel6.12'],
    ['6.1.79-99.164.amzn2023.x86_64', '6.1.79-99.164.amzn2023', 'kernel'],
  ])('%s names %s of %s', (release, version, flavour) => {
    expect(parseRunningRelease(release)).toEqual({ version, flavour });
  });

  it.each(['6.1.0-custom', '', 'x86_64', '6.1.0-29-amd64'])('%j is not such a release', (release) => {
    expect(parseRunningRelease(release)).toBeNull();
  });

  it('of SUSE names its flavour', () => {
    expect(suseFlavourOf('5.3.18-150300.59.49-default')).toBe('default');
    expect(suseFlavourOf('5.14.0-503.el9.x86_64')).toBeNull();
  });
});
