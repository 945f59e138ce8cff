import { noKernelFacts } from '../../debian-host.ts';
import { installed, jammy, kernelImage, offered, ubuntu } from '../../ubuntu-host.ts';

const build = { version: '', architecture: 'amd64' };

describe('the name of an image', () => {
  it.each([
    ['linux-image-5.15.0-69-generic', '5.15.0-69-generic', 'generic'],
    ['linux-image-unsigned-5.15.0-69-generic', '5.15.0-69-generic', 'generic'],
    ['linux-image-6.8.0-1017-nvidia-lowlatency', '6.8.0-1017-nvidia-lowlatency', 'nvidia-lowlatency'],
    ['linux-image-6.8.0-31-generic-64k', '6.8.0-31-generic-64k', 'generic-64k'],
    ['linux-image-5.4.0-1026-fips', '5.4.0-1026-fips', 'fips'],
    ['linux-image-3.2.0-23-virtual', '3.2.0-23-virtual', 'virtual'],
  ])('%s names its kernel release', (name, release, flavour) => {
    expect(ubuntu().kernelOf(name, build)).toEqual({ role: 'image', release, flavour });
  });

  it.each([
    'linux-image-generic',
    'linux-image-generic-hwe-22.04',
    'linux-image-extra-4.4.0-210-generic',
    'linux-image-unsigned-5.15.0-69-generic-dbgsym',
    'linux-modules-5.15.0-69-generic',
    'linux-signed-image-4.4.0-21-generic',
    'linux-image-',
    'linux',
  ])('%s is not an image', (name) => {
    expect(ubuntu().kernelOf(name, build)).toBeNull();
  });
});

describe('a metapackage', () => {
  it.each([
    ['linux-generic', 'generic'],
    ['linux-image-generic', 'generic'],
    ['linux-image-generic-hwe-22.04', 'generic'],
    ['linux-image-generic-hwe-22.04-edge', 'generic'],
    ['linux-image-virtual', 'generic'],
    ['linux-virtual-hwe-20.04', 'generic'],
    ['linux-image-lowlatency-hwe-22.04', 'lowlatency'],
    ['linux-image-generic-64k', 'generic-64k'],
    ['linux-image-aws', 'aws'],
    ['linux-image-aws-lts-22.04', 'aws'],
    ['linux-image-aws-6.8', 'aws'],
    ['linux-image-aws-edge', 'aws'],
    ['linux-image-azure-fde', 'azure-fde'],
    ['linux-image-oem-22.04d', 'oem'],
    ['linux-image-generic-lts-xenial', 'generic'],
  ])('%s depends on kernels of flavour %s', (name, flavour) => {
    const subject = installed(name, '5.15.0.69.67', { name: 'linux-meta' });
    expect(ubuntu().classify(subject, jammy)).toEqual({
      kind: 'excluded',
      reason: 'kernel_metapackage',
      flavour,
    });
  });

  it.each([
    'linux-headers-generic',
    'linux-tools-virtual',
    'linux-cloud-tools-generic',
    'linux-modules-nvidia-535-generic',
    'linux-source',
    'linux-crashdump',
  ])('%s is not a metapackage', (name) => {
    const subject = installed(name, '5.15.0.69.67', { name: 'linux-meta' });
    expect(ubuntu().classify(subject, jammy)).toEqual({ kind: 'excluded', reason: 'kernel_companion' });
  });

  it.each([
    ['5.15.0.101.98', '5.15.0-101.z'],
    ['6.8.0-40.40~22.04.3', '6.8.0-40.z'],
    ['6.5.0.28.29~22.04.1', '6.5.0-28.z'],
  ])('%s is above every upload of its ABI number: %s', (version, matchVersion) => {
    const upgrade = offered('linux-image-generic', '1', version, { sourceName: 'linux-meta-hwe-6.8' });
    expect(ubuntu().classifyUpgrade(upgrade, jammy)).toMatchObject({
      kind: 'comparable',
      matchName: 'linux-hwe-6.8',
      matchVersion,
      kernelFlavour: 'generic',
    });
  });
});

describe('the running kernel', () => {
  const named = (runningRelease: string, runningVersion: string) =>
    ubuntu().runningKernelVersion({ ...noKernelFacts, runningRelease, runningVersion });

  it.each([
    ['5.15.0-69-generic', '#76-Ubuntu SMP Fri Mar 17 17:19:29 UTC 2023', '5.15.0-69.76'],
    ['5.15.0-109-generic', '#119~20.04.1-Ubuntu SMP Wed May 8 15:11:20 UTC 2024', '5.15.0-109.119~20.04.1'],
    ['6.8.0-1017-aws', '#19~22.04.1-Ubuntu SMP', '6.8.0-1017.19~22.04.1'],
    ['6.8.0-1017-nvidia-lowlatency', '#19.1-Ubuntu SMP PREEMPT_DYNAMIC', '6.8.0-1017.19.1'],
    ['5.4.0-1069-aws-fips', '#73+fips2-Ubuntu SMP', '5.4.0-1069.73+fips2'],
  ])('%s %s is %s', (release, version, expected) => {
    expect(named(release, version)).toBe(expected);
  });

  it.each([
    ['6.9.1-060901-generic', '#202405171739 SMP PREEMPT_DYNAMIC'],
    ['6.1.0-29-amd64', '#1 SMP PREEMPT_DYNAMIC Debian 6.1.123-1 (2025-01-02)'],
    ['5.15.0-69-generic', ''],
    ['', '#76-Ubuntu SMP'],
    ['6.8.12-4-pve', '#1 SMP PREEMPT_DYNAMIC PMX 6.8.12-4'],
    ['5.15.0-69-generic', `#7${'6'.repeat(5000)}-Ubuntu SMP`],
  ])('%s %s has no version', (release, version) => {
    expect(named(release, version)).toBeNull();
  });

  it.each([
    ['5.15.0-67-generic', '5.15.0-67.74', kernelImage('5.15.0-69-generic', '5.15.0-69.76'), 'linux'],
    [
      '6.8.0-38-generic',
      '6.8.0-38.38~22.04.1',
      kernelImage('6.8.0-40-generic', '6.8.0-40.40~22.04.3', '-hwe-6.8'),
      'linux-hwe-6.8',
    ],
    [
      '6.5.0-28-generic',
      '6.5.0-28.29~22.04.1',
      kernelImage('6.8.0-40-generic', '6.8.0-40.40~22.04.3', '-hwe-6.8'),
      'linux-hwe-6.5',
    ],
    [
      '5.15.0-1030-aws',
      '5.15.0-1030.34',
      kernelImage('5.15.0-1040-aws', '5.15.0-1040.45', '-aws'),
      'linux-aws',
    ],
    ['6.5.0-28-generic', '6.5.0-28.29~22.04.1', kernelImage('5.15.0-69-generic', '5.15.0-69.76'), null],
    [
      '5.15.0-69-generic',
      '5.15.0-69.76',
      kernelImage('6.8.0-40-generic', '6.8.0-40.40~22.04.3', '-hwe-6.8'),
      'linux',
    ],
    ['5.19.0-28-generic', '5.19.0-28.29', kernelImage('5.15.0-69-generic', '5.15.0-69.76'), null],
  ])(
    '%s %s, if removed, is judged only if an installed kernel reveals its source',
    (release, version, like, source) => {
      const subject = ubuntu().runningKernelSubject(like, release, version);
      const verdict = ubuntu().classify({ ...subject, suite: '', signingKey: '' }, jammy);
      if (source === null)
        expect(verdict).toMatchObject({ kind: 'unknown', reason: 'not_the_distributions' });
      else expect(verdict).toMatchObject({ kind: 'comparable', matchName: source, matchVersion: version });
    },
  );
});
