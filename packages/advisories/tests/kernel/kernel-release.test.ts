import { parseKernelRelease } from '../../src/kernel/kernel-release.ts';
import { isContainer } from '../../src/kernel/running-kernel.ts';

describe('parseKernelRelease', () => {
  it.each([
    ['6.1.0-29-amd64', '6.1.0-29', 'amd64'],
    ['6.1.0-29-cloud-amd64', '6.1.0-29', 'cloud-amd64'],
    ['6.1.0-29-rt-amd64', '6.1.0-29', 'rt-amd64'],
    ['6.1.0-29-686', '6.1.0-29', '686'],
    ['6.1.0-29-686-pae', '6.1.0-29', '686-pae'],
    ['6.1.0-29-5kc-malta', '6.1.0-29', '5kc-malta'],
    ['6.1.0-29-arm64-16k', '6.1.0-29', 'arm64-16k'],
    ['6.12.38+deb13-amd64', '6.12.38+deb13', 'amd64'],
    ['6.12.38+deb13-686-pae', '6.12.38+deb13', '686-pae'],
    ['6.12.9+bpo-amd64', '6.12.9+bpo', 'amd64'],
    ['6.1.0-0.deb11.13-amd64', '6.1.0-0.deb11.13', 'amd64'],
    ['5.10.0-0.bpo.15-amd64', '5.10.0-0.bpo.15', 'amd64'],
    ['6.11-rc5-amd64', '6.11-rc5', 'amd64'],
    ['6.8.0-100-generic', '6.8.0-100', 'generic'],
    ['5.15.0-1053-aws', '5.15.0-1053', 'aws'],
    ['6.6.31+rpt-rpi-v8', '6.6.31+rpt', 'rpi-v8'],
    ['6.6.31+rpt-rpi-v7', '6.6.31+rpt', 'rpi-v7'],
    ['6.1.0-rpi7-rpi-v8', '6.1.0-rpi7', 'rpi-v8'],
    ['6.18.44-fc-v669', '6.18.44', 'fc-v669'],
    ['6.9.1', '6.9.1', ''],
  ])('splits %s into %s and flavour %j', (release, version, flavour) => {
    expect(parseKernelRelease(release)).toEqual({ version, flavour });
  });

  it.each(['', 'amd64', '-', 'linux-6.1', '6'])('finds no kernel release in %j', (release) => {
    expect(parseKernelRelease(release)).toBeNull();
  });
});

describe('isContainer', () => {
  it.each(['docker', 'lxc', 'podman', 'systemd-nspawn', 'openvz', 'wsl', 'container', 'LXC'])(
    'is true for %s',
    (kind) => {
      expect(isContainer(kind)).toBe(true);
    },
  );

  it.each(['', 'none', 'kvm', 'vmware', 'oracle', 'microsoft', 'amazon', 'xen'])(
    'is false for %j',
    (kind) => {
      expect(isContainer(kind)).toBe(false);
    },
  );
});
