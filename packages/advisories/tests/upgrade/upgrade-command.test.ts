import { execFileSync } from 'node:child_process';
import {
  fullUpgradeCommand,
  isSafePackage,
  namedUpgradeCommand,
  ownSecurityCommand,
  packageManagerOf,
  repairCommands,
} from '@plimsoll/advisories';
import { packageManagers } from '@plimsoll/model';
import fc from 'fast-check';
import { platform } from '../debian-host.ts';

const one = (name: string, version: string, architecture = 'amd64') => ({ name, version, architecture });

describe('the upgrade command for some packages', () => {
  it.each([
    [
      'apt' as const,
      [
        one('openssh-server', '1:9.2p1-2+deb12u3'),
        one('libc6', '2.36-9+deb12u9', 'i386'),
        one('tzdata', '2024b', 'all'),
      ],
      'apt-get update && apt-get install --only-upgrade openssh-server=1:9.2p1-2+deb12u3 libc6:i386=2.36-9+deb12u9 tzdata=2024b',
    ],
    [
      'apt' as const,
      [one('g++', '4:12.2~rc1')],
      "apt-get update && apt-get install --only-upgrade 'g++=4:12.2~rc1'",
    ],
    [
      'dnf' as const,
      [one('openssl', '1:3.0.7-28.el9_4', 'x86_64')],
      'dnf upgrade --refresh openssl-1:3.0.7-28.el9_4.x86_64',
    ],
    [
      'dnf' as const,
      [one('bash', '0:5.1.8-9.el9', 'x86_64')],
      'dnf upgrade --refresh bash-5.1.8-9.el9.x86_64',
    ],
    ['yum' as const, [one('bash', '4.2.46-35.el7_9', 'x86_64')], 'yum update bash-4.2.46-35.el7_9.x86_64'],
    [
      'zypper' as const,
      [one('curl', '8.0.1-150400.5.59.1', 'x86_64')],
      'zypper refresh && zypper install curl.x86_64=8.0.1-150400.5.59.1',
    ],
  ])('of %s for %j is %s', (manager, packages, command) => {
    expect(namedUpgradeCommand(manager, packages, 'amd64')?.pinned).toBe(command);
  });

  it.each([
    ['apt' as const, 'apt-get update && apt-get install --only-upgrade g++ libc6:i386 tzdata'],
    ['dnf' as const, 'dnf upgrade --refresh g++.amd64 libc6.i386 tzdata.all'],
    ['yum' as const, 'yum update g++.amd64 libc6.i386 tzdata.all'],
    ['zypper' as const, 'zypper refresh && zypper install g++.amd64 libc6.i386 tzdata.all'],
  ])('of %s without versions is %s', (manager, command) => {
    const packages = [one('g++', '4:12.2'), one('libc6', '2.36', 'i386'), one('tzdata', '2024b', 'all')];
    expect(namedUpgradeCommand(manager, packages, 'amd64')?.unpinned).toBe(command);
  });

  it('never removes a package', () => {
    expect(isSafePackage('apt', one('openssh-server-', '1'))).toBe(false);
    expect(isSafePackage('apt', one('g++', '1'))).toBe(true);
    expect(isSafePackage('apt', one('0', '1'))).toBe(true);
  });

  it('is split by a shell into exactly the intended words, for any safe names', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abcXYZ019.+-_~^:'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...packageManagers), text, text, (manager, name, version) => {
        const found = one(name, version);
        fc.pre(isSafePackage(manager, found));
        for (const command of Object.values(namedUpgradeCommand(manager, [found], 'amd64') ?? {})) {
          const words = command.split(' ').at(-1) ?? '';
          const echoed = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' });
          expect(echoed.split('\n')).toHaveLength(2);
          expect(echoed).toContain(name);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('a package in a command line', () => {
  it.each([
    '$(reboot)',
    '`reboot`',
    'a;reboot',
    'a b',
    "a'b",
    'a"b',
    'a\nb',
    'a\u001b[201~b',
    '--purge',
    '-y',
    '*',
    'a*',
    '@core',
    'a\u202eb',
    'ä',
    '',
    'a'.repeat(300),
  ])('is not safe with %j in its name, version or architecture', (text) => {
    for (const manager of packageManagers) {
      expect(isSafePackage(manager, one(text, '1'))).toBe(false);
      expect(isSafePackage(manager, one('bash', text === 'ä' ? 'ä' : `${text}`))).toBe(false);
      expect(isSafePackage(manager, one('bash', '1', text))).toBe(false);
    }
  });

  it.each([
    ['apt' as const, 'g++', '4:12.2.0-3'],
    ['apt' as const, 'libstdc++6', '12.2.0-14+deb12u1~bpo1'],
    ['dnf' as const, 'NetworkManager', '1:1.46.0-1.el9'],
    ['dnf' as const, 'gcc-c++', '11.4.1~pre^git1-3.el9'],
  ])('of %s is safe as %s %s', (manager, name, version) => {
    expect(isSafePackage(manager, one(name, version))).toBe(true);
  });
});

describe('the commands that finish installations', () => {
  const broken = (name: string, version: string, otherVersion: string) =>
    ({ name, architecture: 'x86_64', version, state: 'duplicate', otherVersion }) as const;

  it('of dnf leave the choice of the transaction to a person, and remove older duplicates by name', () => {
    const packages = [
      broken('curl', '0:8.15.0-1.fc43', '0:8.15.0-4.fc43'),
      broken('newer', '2-1', '1-1'),
      broken('$(x)', '1-1', '2-1'),
    ];
    const commands = repairCommands('dnf', packages);
    expect(commands.filter((one) => /redo last|remove --duplicates/.test(one))).toEqual([]);
    expect(commands.at(-1)).toBe('dnf remove curl-8.15.0-1.fc43.x86_64');
  });
});

describe('the package manager', () => {
  it.each([
    ['apt', 'debian', '12', 'apt'],
    ['rpm', 'almalinux', '9.4', 'dnf'],
    ['rpm', 'rhel', '7.9', 'yum'],
    ['rpm', 'centos', '7', 'yum'],
    ['rpm', 'amzn', '2', 'yum'],
    ['rpm', 'amzn', '2023', 'dnf'],
    ['rpm', 'fedora', '41', 'dnf'],
    ['rpm', 'sles', '15.6', 'zypper'],
    ['rpm', 'opensuse-leap', '15.6', 'zypper'],
    ['rpm', 'opensuse-tumbleweed', '', 'zypper'],
    ['unknown', 'arch', '', null],
  ] as const)('of %s %s %s is %s', (family, id, version, manager) => {
    expect(packageManagerOf(platform(family, id, { osVersionId: version }))).toBe(manager);
  });

  // uyuni pull request 9607; avocado pull request 6165; dnf issue 2108.
  it.each([
    ['sl-micro', '6.1', '', 'transactional-update'],
    ['opensuse-leap-micro', '6.0', '', 'transactional-update'],
    ['sles', '15.6', 'zypper transactional-update read-only-root-fs', 'transactional-update'],
    ['almalinux', '9.5/9.20250601', 'dnf bootc ostree', 'bootc'],
    ['rhel', '9.6/9.6', 'dnf bootc rpm-ostree osbuild', 'bootc'],
    ['fedora', '41/41.1', 'dnf5 rpm-ostree bootc', 'rpm-ostree'],
    ['fedora', '41', 'rpm-ostree bootc', 'rpm-ostree'],
    ['rhel', '9.6/9.6', 'bash', 'bootc'],
    ['rhel', '10.0', 'dnf bootc rpm-ostree', 'dnf'],
    ['rhcos', '4.15/415.92', 'rpm-ostree', null],
    ['altlinux', '10', 'apt bash', null],
    ['', '', 'bash', null],
    ['photon', '5.0', 'tdnf', 'tdnf'],
    ['xcp-ng', '8.2', 'yum', 'yum'],
    ['rhel', '8.9', 'dnf yum', 'dnf'],
  ])('of %s %s with %j is %s', (id, version, names, manager) => {
    const [number = '', imageVersion] = version.split('/');
    const image = imageVersion === undefined ? {} : { imageVersion };
    const system = platform('rpm', id, { osVersionId: number, ...image });
    expect(packageManagerOf(system, names.split(' '))).toBe(manager);
  });

  it('has a full upgrade, and some have a command for security updates', () => {
    for (const manager of packageManagers)
      expect(fullUpgradeCommand(manager, { osId: '' })).toMatch(/upgrade|update/);
    expect(packageManagers.filter((manager) => ownSecurityCommand(manager) !== null)).toEqual([
      'dnf',
      'yum',
      'zypper',
    ]);
  });

  // libguestfs issue 101; PackageKit pull request 343.
  it.each([
    ['opensuse-tumbleweed', 'zypper', 'zypper refresh && zypper dup'],
    ['opensuse-leap', 'zypper', 'zypper refresh && zypper update'],
    ['opensuse-aeon', 'transactional-update', 'transactional-update dup'],
    ['sl-micro', 'transactional-update', 'transactional-update up'],
  ] as const)('upgrades all of %s by %s with %j', (osId, manager, command) => {
    expect(fullUpgradeCommand(manager, { osId })).toBe(command);
  });
});
