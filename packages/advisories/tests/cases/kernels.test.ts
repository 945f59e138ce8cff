import { assessHost } from '../../src/index.ts';
import * as debian from '../debian-host.ts';
import { assessRpm, lines, rpm } from '../rpm-host.ts';
import { advisoryOf, update } from '../rpm-records.ts';
import * as ubuntu from '../ubuntu-host.ts';

const open = debian.statement('CVE-2024-0001', null);
const kernelFix = (feedId: string, release: string, nevras: readonly string[]) =>
  advisoryOf(feedId, update('FIX-1', nevras), release);

describe('kernel and reboot rules on other hosts, by number', () => {
  it.each([
    ['amazon:2023', 'amazon-updateinfo', '6.1.79-99.164.amzn2023', '6.1.127-135.201.amzn2023', 'kernel'],
    ['rocky:9', 'rocky-updateinfo', '5.14.0-162.6.1.el9_1', '5.14.0-503.19.1.el9_5', 'kernel-core'],
    ['centos:7', 'centos-updateinfo', '3.10.0-1062.12.1.el7', '3.10.0-1160.119.1.el7', 'kernel'],
  ])(
    '22., 24. on %s the running kernel has the findings, the newer one none',
    (release, feedId, older, newer, name) => {
      const advisories = [kernelFix(feedId, release, [`${name}-${newer}.x86_64`])];
      const packages = [rpm(`${name}-${older}.x86_64`), rpm(`${name}-${newer}.x86_64`)];
      const host = { release, packages, advisories };
      expect(lines({ ...host, running: `${older}.x86_64` })).toEqual([`${name}.x86_64 FIX-1 pending_reboot`]);
      expect(lines({ ...host, running: `${newer}.x86_64` })).toEqual([]);
    },
  );

  it('23. a newer kernel without the fix does not make the finding wait for a reboot', () => {
    const packages = ['6.1.79-99.164', '6.1.82-99.168'].map((build) =>
      rpm(`kernel-${build}.amzn2023.x86_64`),
    );
    const advisories = [
      kernelFix('amazon-updateinfo', 'amazon:2023', ['kernel-6.1.127-135.201.amzn2023.x86_64']),
    ];
    const running = '6.1.79-99.164.amzn2023.x86_64';
    expect(lines({ release: 'amazon:2023', packages, advisories, running })).toEqual([
      'kernel.x86_64 FIX-1 not_in_repositories',
    ]);
  });

  it.each([
    ['linux-image-6.12.38+deb13-amd64', '6.12.38-1', 'linux-signed-amd64', '6.12.38+1', 'linux'],
    ['linux-image-6.1.0-29-arm64', '6.1.123-1', 'linux-signed-arm64', '6.1.123+1', 'linux'],
    ['linux-image-4.19.0-21-amd64', '4.19.249-2', 'linux-signed-amd64', '4.19.249+2', 'linux'],
    ['linux-image-6.1.0-29-amd64-unsigned', '6.1.123-1', 'linux', '6.1.123-1', 'linux'],
  ])('25. %s of %s is judged as %s', (name, version, source, sourceVersion, matchName) => {
    const release = name.replace(/^linux-image-|-unsigned$/g, '');
    const judged = (fix: string) =>
      assessHost(
        debian.assessed({
          packages: [debian.installed(name, version, { name: source, version: sourceVersion })],
          kernel: debian.running(release, version),
          statements: { [matchName]: [debian.statement('CVE-2024-0001', fix)] },
        }),
      ).findings.length;
    expect(judged(version)).toBe(0);
    expect(judged(`${version}.1`)).toBe(1);
  });

  it.each([
    'linux-libc-dev',
    'linux-kbuild-6.1',
    'linux-cpupower',
    'usbip',
    'linux-compiler-gcc-12-x86',
    'rtla',
    'linux-doc',
  ])('26. %s, built from the kernel’s source, raises no kernel findings', (name) => {
    const packages = [debian.installed(name, '6.1.119-1', { name: 'linux' })];
    const kernel = debian.running('6.1.0-28-amd64', '6.1.119-1');
    expect(assessHost(debian.assessed({ packages, kernel, statements: { linux: [open] } }))).toMatchObject({
      findings: [],
      counts: { unknown: 0 },
    });
  });

  it.each(['linux-base', 'linuxptp', 'firmware-linux-free', 'util-linux'])(
    '26. %s only has a name like a kernel, and is judged like any other package',
    (name) => {
      const host = { packages: [debian.installed(name, '1.0-1')], statements: { [name]: [open] } };
      expect(assessHost(debian.assessed(host)).findings).toHaveLength(1);
    },
  );

  it('27. an image without any kernel data has no kernel findings, and whether it needs a reboot is unknown', () => {
    const packages = [rpm('bash-5.1.8-6.el9.x86_64'), rpm('kernel-headers-5.14.0-70.el9.x86_64')];
    const advisories = [kernelFix('rocky-updateinfo', 'rocky:9', ['kernel-headers-5.14.0-999.el9.x86_64'])];
    expect(assessRpm({ release: 'rocky:9', packages, advisories })).toMatchObject({
      findings: [],
      kernelPosture: { runningKernel: null, runningIsLatest: null, latestInstalledKernel: null },
    });
  });

  it.each([
    ['6.8.0-100-generic', '6.8.0-100.100', '6.8.0-31-generic', '6.8.0-31.31'],
    ['5.15.0-1000-aws', '5.15.0-1000.1000', '5.15.0-999-aws', '5.15.0-999.999'],
  ])('28. %s is newer than %s', (newer, newerVersion, older, olderVersion) => {
    const line = newer.endsWith('-aws') ? '-aws' : '';
    const packages = [
      ubuntu.kernelImage(newer, newerVersion, line),
      ubuntu.kernelImage(older, olderVersion, line),
    ];
    const kernel = ubuntu.running(older, olderVersion.split('.').at(-1) ?? '');
    expect(assessHost(ubuntu.assessed({ packages, kernel })).kernelPosture).toMatchObject({
      latestInstalledKernel: newer,
      runningIsLatest: false,
      rebootState: 'needed',
    });
  });

  it.each([
    ['opensuse:15.5', 'kernel-default', '5.14.21-150500.55.52.1', '5.14.21-150500.55.52-default'],
    ['opensuse:15.6', 'kernel-azure', '6.4.0-150600.8.20.1', '6.4.0-150600.8.20-azure'],
    ['suse:15.6', 'kernel-default', '6.4.0-150600.23.25.1', '6.4.0-150600.23.25-default'],
  ])('29. on %s %s %s runs as %s', (release, name, version, running) => {
    const feedId = release.startsWith('suse') ? 'suse-updateinfo' : 'opensuse-updateinfo';
    const advisories = [kernelFix(feedId, release, [`${name}-99.0.1-1.1.x86_64`])];
    const packages = [rpm(`${name}-${version}.x86_64`)];
    expect(assessRpm({ release, packages, advisories, running })).toMatchObject({
      findings: [{ name, installedVersion: version }],
      kernelPosture: { runningIsLatest: true },
    });
  });

  it.each([
    ['almalinux:9', '5.14.0-427.13.1.el9_4', '5.14.0-503.11.1.el9_5', 'x86_64'],
    ['rocky:8', '4.18.0-477.10.1.el8_8', '4.18.0-553.el8_10', 'aarch64'],
  ])('30. on %s a reboot is needed only if a newer kernel is installed', (release, older, newer, arch) => {
    const at = (...builds: string[]) =>
      assessRpm({
        release,
        packages: builds.map((build) => rpm(`kernel-core-${build}.${arch}`)),
        running: `${older}.${arch}`,
      }).rebootState;
    expect(at(older, newer)).toBe('needed');
    expect(at(older)).toBe('not_needed');
  });
});
