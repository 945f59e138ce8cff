import type { InstalledPackage, Release } from '@plimsoll/model';
import { distributionOf } from '../../../src/index.ts';
import { bookworm, installed } from '../../debian-host.ts';

function debian() {
  const distribution = distributionOf(bookworm);
  if (distribution === null) throw new Error('Debian is not registered');
  return distribution;
}

const classify = (subject: InstalledPackage, release: Release = bookworm) =>
  debian().classify(subject, release);

describe('a kernel image', () => {
  // Names and versions of Debian's security archives, November 2026.
  it.each([
    [
      'linux-image-6.1.0-29-amd64',
      'linux-signed-amd64',
      '6.1.123+1',
      'linux',
      '6.1.123-1',
      '6.1.0-29-amd64',
      'amd64',
    ],
    [
      'linux-image-6.1.0-53-cloud-amd64',
      'linux-signed-amd64',
      '6.1.187+1',
      'linux',
      '6.1.187-1',
      '6.1.0-53-cloud-amd64',
      'cloud-amd64',
    ],
    [
      'linux-image-6.1.0-53-rt-arm64',
      'linux-signed-arm64',
      '6.1.187+1',
      'linux',
      '6.1.187-1',
      '6.1.0-53-rt-arm64',
      'rt-arm64',
    ],
    [
      'linux-image-6.1.0-53-686-pae',
      'linux-signed-i386',
      '6.1.187+1',
      'linux',
      '6.1.187-1',
      '6.1.0-53-686-pae',
      '686-pae',
    ],
    [
      'linux-image-6.1.0-53-amd64-unsigned',
      'linux',
      '6.1.187-1',
      'linux',
      '6.1.187-1',
      '6.1.0-53-amd64',
      'amd64',
    ],
    ['linux-image-6.1.0-53-armmp', 'linux', '6.1.187-1', 'linux', '6.1.187-1', '6.1.0-53-armmp', 'armmp'],
    [
      'linux-image-6.12.100+deb12-amd64',
      'linux-signed-6.12-amd64',
      '6.12.100+1~deb12u1',
      'linux-6.12',
      '6.12.100-1~deb12u1',
      '6.12.100+deb12-amd64',
      'amd64',
    ],
    [
      'linux-image-6.12.38+deb13-amd64',
      'linux-signed-amd64',
      '6.12.38+1',
      'linux',
      '6.12.38-1',
      '6.12.38+deb13-amd64',
      'amd64',
    ],
  ])(
    '%s of %s is compared as %s',
    (name, source, sourceVersion, matchName, matchVersion, release, flavour) => {
      const subject = installed(name, matchVersion, { name: source, version: sourceVersion });
      expect(classify(subject)).toMatchObject({
        kind: 'comparable',
        matchName,
        matchVersion,
        kernel: { role: 'image', release, flavour },
      });
    },
  );

  it('of a signed source without its own version is compared by the equal binary version', () => {
    const subject = installed('linux-image-6.1.0-29-amd64', '6.1.123-1', { name: 'linux-signed-amd64' });
    expect(classify(subject)).toMatchObject({ matchName: 'linux', matchVersion: '6.1.123-1' });
  });

  it('of a signed source whose version represents no linux version is unknown', () => {
    const subject = installed('linux-image-6.1.0-29-amd64', '6.1.123-1', {
      name: 'linux-signed-amd64',
      version: '6.1.123',
    });
    expect(classify(subject)).toMatchObject({ kind: 'unknown', reason: 'unparseable_version' });
  });

  it('built from another source is foreign, but known to boot', () => {
    expect(
      classify(installed('linux-image-6.9.1-mine', '6.9.1-2', { name: 'linux-upstream' }, { vendor: '' })),
    ).toEqual({
      kind: 'unknown',
      reason: 'not_the_distributions',
      detail: 'a kernel built from linux-upstream',
      kernel: { role: 'image', release: '6.9.1-mine', flavour: 'mine' },
    });
  });
});

describe('a package built from the kernel’s source that does not boot', () => {
  it.each([
    ['linux-libc-dev', 'linux'],
    ['linux-perf', 'linux'],
    ['bpftool', 'linux'],
    ['libcpupower1', 'linux'],
    ['linux-headers-6.1.0-29-amd64', 'linux'],
    ['linux-headers-amd64', 'linux-signed-amd64'],
    ['linux-config-6.12', 'linux-6.12'],
    ['linux-image-6.1.0-29-amd64-dbg', 'linux'],
    ['linux-image-amd64-dbg', 'linux'],
    ['linux-image-6.12-amd64-signed-template', 'linux-6.12'],
  ])('%s raises no findings, and is not unknown', (name, source) => {
    expect(classify(installed(name, '6.1.123-1', { name: source }))).toEqual({
      kind: 'excluded',
      reason: 'kernel_companion',
    });
  });

  it.each([
    ['linux-image-amd64', 'linux-signed-amd64', 'amd64'],
    ['linux-image-cloud-amd64', 'linux-signed-amd64', 'cloud-amd64'],
    ['linux-image-rt-amd64', 'linux-signed-amd64', 'rt-amd64'],
    ['linux-image-6.12-amd64', 'linux-signed-6.12-amd64', 'amd64'],
    ['linux-image-686-pae', 'linux-signed-i386', '686-pae'],
    ['linux-image-4kc-malta', 'linux', '4kc-malta'],
    ['linux-image-amd64', 'linux-latest', 'amd64'],
  ])('%s is the metapackage of flavour %s', (name, source, flavour) => {
    expect(classify(installed(name, '6.1.123-1', { name: source }))).toEqual({
      kind: 'excluded',
      reason: 'kernel_metapackage',
      flavour,
    });
  });

  it.each(['linux-base', 'linux-atm', 'linuxptp', 'util-linux', 'linux-firmware', 'linux-ftpd-ssl'])(
    '%s has a similar name, and is compared',
    (source) => {
      expect(classify(installed('x', '1.0-1', { name: source }))).toMatchObject({ kind: 'comparable' });
    },
  );
});

describe('the version that a running kernel names', () => {
  it.each([
    ['#1 SMP PREEMPT_DYNAMIC Debian 6.1.123-1 (2025-01-02)', '6.1.123-1'],
    ['#1 SMP PREEMPT_RT Debian 6.1.123-1 (2025-01-02)', '6.1.123-1'],
    ['#1 SMP Debian 4.19.249-2 (2022-06-30)', '4.19.249-2'],
    ['#1 SMP PREEMPT_DYNAMIC Debian 6.12.9-1~bpo12+1 (2025-01-19)', '6.12.9-1~bpo12+1'],
    ['#101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023', null],
    ['#1 SMP PREEMPT_DYNAMIC @0', null],
    ['', null],
  ])('in %j is %s', (runningVersion, version) => {
    const kernel = { runningVersion } as Parameters<ReturnType<typeof debian>['runningKernelVersion']>[0];
    expect(debian().runningKernelVersion(kernel)).toBe(version);
  });
});
