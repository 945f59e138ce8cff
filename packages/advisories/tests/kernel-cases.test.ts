import { assessHost } from '../src/index.ts';
import { assessed, installed, kernelImage, noKernelFacts, offered, running } from './debian-host.ts';
import { assess, fixedIn128, linux, metapackage, newer, older, states, unfixed } from './debian-kernels.ts';
import { debianAdvisory } from './debian-records.ts';

describe('kernel and reboot rules, by case number', () => {
  it('22. only the running kernel has findings, 24. other installed kernels have none', () => {
    const host = { packages: [older, newer, metapackage], kernel: running('6.1.0-29-amd64', '6.1.123-1') };
    const { findings, counts, kernelPosture } = assess(host);
    expect(findings.map(({ name }) => name)).toEqual(['linux-image-6.1.0-29-amd64']);
    expect(counts).toMatchObject({ important: 1, critical: 0, unknown: 0 });
    expect(kernelPosture).toMatchObject({
      runningKernel: '6.1.0-29-amd64',
      latestInstalledKernel: '6.1.0-29-amd64',
      runningIsLatest: true,
      rebootState: 'not_needed',
      rebootUnknown: null,
      rebootReasons: [],
      installedKernels: [
        {
          package: 'linux-image-6.1.0-29-amd64',
          version: '6.1.123-1',
          release: '6.1.0-29-amd64',
          running: true,
        },
        {
          package: 'linux-image-6.1.0-28-amd64',
          version: '6.1.119-1',
          release: '6.1.0-28-amd64',
          running: false,
        },
      ],
    });
  });

  it('23. a fix in a newer installed kernel waits for a reboot, not for an update', () => {
    const host = { packages: [older, newer, metapackage], kernel: running('6.1.0-28-amd64', '6.1.119-1') };
    expect(states(host, 'linux-image-6.1.0-28-amd64')).toEqual([
      'CVE-2024-0001 pending_reboot',
      'CVE-2024-0002 not_in_repositories',
      'CVE-2024-0003 no_fix',
    ]);
    expect(assess(host)).toMatchObject({
      grounds: expect.arrayContaining(['urgent_pending_reboot']),
      rebootState: 'needed',
      findings: [{ severity: 'critical', fixState: 'pending_reboot', fixedVersion: '6.1.128-1' }],
      kernelPosture: {
        runningIsLatest: false,
        latestInstalledKernel: '6.1.0-29-amd64',
        rebootReasons: [{ code: 'newer_kernel_installed' }],
      },
    });
  });

  it('23. a newer kernel whose installation did not end is to be finished, not booted', () => {
    const broken = [{ ...newer, state: 'half_configured', otherVersion: '' }] as const;
    const host = {
      packages: [older, newer, metapackage],
      kernel: running('6.1.0-28-amd64', '6.1.119-1'),
      facts: { broken },
    };
    expect(states(host, 'linux-image-6.1.0-28-amd64')).toContain('CVE-2024-0001 unfinished');
    expect(assess(host)).toMatchObject({
      grounds: expect.arrayContaining(['urgent_installable']),
      kernelPosture: { runningIsLatest: true, rebootReasons: [], latestInstalledKernel: '6.1.0-28-amd64' },
    });
  });

  const pin = { pinnedRelease: '6.1.0-28-amd64' };
  const byDefault = { package: '', version: '', release: '6.1.0-28-amd64', defaultBoot: 'yes' } as const;
  const rebuilt = kernelImage('6.1.0-28-amd64', '6.1.120-1');
  it.each([
    ['a pin', pin, [older, newer], 'not_needed', []],
    [
      'a default',
      { installed: [byDefault] },
      [older, newer],
      'needed',
      ['newer_kernel_installed', 'reboot_required_by_tool'],
    ],
    [
      'a pin, of another build',
      pin,
      [rebuilt, newer],
      'needed',
      ['newer_kernel_installed', 'running_kernel_replaced', 'reboot_required_by_tool'],
    ],
    [
      'a pin, of a build that is unknown',
      { ...pin, runningVersion: '#1 SMP' },
      [older],
      'needed',
      ['reboot_required_by_tool'],
    ],
  ])('23. a newer kernel beside %s', (_what, rest, packages, rebootState, codes) => {
    const answers = [{ source: 'needrestart', due: 'yes', detail: '' }] as const;
    const asked = { rebootRequired: 'yes', rebootAnswers: answers, ...rest } as const;
    const { kernelPosture } = assess({ packages, kernel: running('6.1.0-28-amd64', '6.1.119-1', asked) });
    expect(kernelPosture).toMatchObject({ rebootState, rebootReasons: codes.map((code) => ({ code })) });
  });

  it('23. a newer kernel of another line is judged by its own advisories', () => {
    const source = { name: 'linux-signed-6.12-amd64', version: '6.12.9+1~deb12u1' };
    const line = installed('linux-image-6.12.9+deb12-amd64', '6.12.9-1~deb12u1', source);
    const host = { packages: [older, line], kernel: running('6.1.0-28-amd64', '6.1.119-1') };
    const alsoThere = { ...fixedIn128, statementId: 900 };
    const statements = { ...linux, 'linux-6.12': [alsoThere] };
    expect(states({ ...host, statements }, 'linux-image-6.1.0-28-amd64')).toEqual([
      'CVE-2024-0001 pending_reboot',
      'CVE-2024-0002 pending_reboot',
      'CVE-2024-0003 pending_reboot',
    ]);
    const openThere = { ...unfixed, statementId: 901, advisory: fixedIn128.advisory };
    expect(
      states({ ...host, statements: { ...linux, 'linux-6.12': [openThere] } }, 'linux-image-6.1.0-28-amd64'),
    ).toEqual([
      'CVE-2024-0001 pending_reboot',
      'CVE-2024-0002 not_in_repositories',
      'CVE-2024-0003 pending_reboot',
    ]);
  });

  it('24. of two builds under one release name the running one is judged, and a reboot is needed', () => {
    const host = { packages: [newer], kernel: running('6.1.0-29-amd64', '6.1.119-1') };
    expect(states(host, 'linux-image-6.1.0-29-amd64')).toEqual([
      'CVE-2024-0001 pending_reboot',
      'CVE-2024-0002 not_in_repositories',
      'CVE-2024-0003 no_fix',
    ]);
    expect(assess(host)).toMatchObject({
      rebootState: 'needed',
      findings: [{ installedVersion: '6.1.123-1', sourceName: 'linux', sourceVersion: '6.1.119-1' }],
      kernelPosture: { runningIsLatest: false, rebootReasons: [{ code: 'running_kernel_replaced' }] },
    });
    expect(assess(host).findings[0]?.evidence.notes.map(({ code }) => code)).toContain(
      'running_kernel_replaced',
    );
  });

  it('24. without a verdict on the running build its kernel is unknown, never clean', () => {
    const host = assessed({
      packages: [newer],
      kernel: running('6.1.0-29-amd64', '6.1.119-1'),
      statements: linux,
    });
    expect(assessHost({ ...host, runningKernel: null })).toMatchObject({
      findings: [],
      counts: { unknown: 1 },
    });
  });

  it('24. a running kernel whose package was removed is judged by the version it names', () => {
    const host = { packages: [newer], kernel: running('6.1.0-28-amd64', '6.1.119-1') };
    expect(states(host, 'linux-image-6.1.0-28-amd64')).toContain('CVE-2024-0001 pending_reboot');
    expect(assess(host)).toMatchObject({ rebootState: 'needed', counts: { critical: 1, unknown: 0 } });
  });

  it('25. linux-image-6.1.0-29-amd64 of linux-signed-amd64 6.1.123+1 is linux 6.1.123-1', () => {
    const advisories = ['CVE-2024-53685', 'CVE-2024-50246', 'DSA-5860-1'].map(debianAdvisory);
    const host = assessed({ packages: [newer], advisories, kernel: running('6.1.0-29-amd64', '6.1.123-1') });
    const [finding, ...others] = assessHost(host).findings;
    expect(others).toEqual([]);
    expect(finding?.advisories.map(({ statement: { externalId } }) => externalId).sort()).toEqual([
      'CVE-2024-50246',
      'CVE-2024-53685',
      'DSA-5860-1', // Two of the CVEs it names have no record in this excerpt.
    ]);
    expect(finding).toMatchObject({
      sourceName: 'linux-signed-amd64',
      sourceVersion: '6.1.123+1',
      evidence: { matchName: 'linux', comparedVersion: '6.1.123-1' },
    });
  });

  it('26. companions and metapackages raise no kernel findings, and are not unknown', () => {
    const companions = ['linux-libc-dev', 'linux-perf', 'bpftool', 'linux-headers-6.1.0-28-common'].map(
      (name) => installed(name, '6.1.119-1', { name: 'linux' }),
    );
    const debug = installed('linux-image-6.1.0-28-amd64-dbg', '6.1.119-1', { name: 'linux' });
    const host = {
      packages: [...companions, metapackage, debug],
      kernel: running('6.1.0-28-amd64', '6.1.119-1'),
    };
    expect(assess(host)).toMatchObject({ findings: [], counts: { unknown: 0 } });
  });

  it('27. without a kernel package there are no kernel findings, and the kernel posture is unknown', () => {
    const host = {
      packages: [installed('bash', '5.2.15-2')],
      kernel: { ...running('6.18.44-fc-v669', ''), runningVersion: '#1 SMP' },
    };
    expect(assess(host)).toMatchObject({
      findings: [],
      counts: { unknown: 0 },
      kernelPosture: {
        latestInstalledKernel: null,
        runningIsLatest: null,
        rebootState: 'unknown',
        rebootReasons: [],
        rebootUnknown:
          'The running kernel is not among the installed ones, and none of them is a newer one of its kind.',
      },
    });
  });

  it('27. under a foreign kernel, installed ones have no findings, and the kernel posture is unknown', () => {
    const host = {
      packages: [older, newer],
      kernel: { ...running('6.8.12-4-pve', ''), runningVersion: '#1 SMP PMX 6.8.12-4' },
    };
    expect(assess(host)).toMatchObject({
      findings: [],
      counts: { unknown: 0 },
      kernelPosture: {
        latestInstalledKernel: '6.1.0-29-amd64',
        runningIsLatest: null,
        rebootState: 'unknown',
      },
    });
  });

  // TAPPaaS issue 274; BassT23/Proxmox issue 50. The kernels' packages have names of their own.
  it.each([
    '7.0.2-6-pve PMX=7.0.2-6 has 7.0.2-6-pve,7.0.6-2-pve: needed 7.0.6-2-pve',
    '7.0.6-2-pve PMX=7.0.6-2 has 7.0.2-6-pve,7.0.6-2-pve: not_needed',
    '6.8.12-4-pve PMX=6.8.12-4 has 6.8.4-2-pve,6.8.12-10-pve: needed 6.8.12-10-pve',
    '6.8.12-4-pve PMX=6.8.12-3 has 6.8.12-4-pve: needed 6.8.12-4-pve',
    '6.12.13-amd64 Kali=6.12.12 has 6.12.13-amd64: needed 6.12.13-amd64',
    '6.18.3-xanmod1 has 6.18.3-xanmod1,6.9.1-xanmod2: not_needed',
    '6.9.1-xanmod2 has 6.18.3-xanmod1,6.9.1-xanmod2: needed 6.18.3-xanmod1',
    '6.6.31-current-rockchip64 has 6.6.31-current-rockchip64: not_needed',
    '6.6.31-custom has 6.6.30-other: unknown',
    '6.3.0-kali1-amd64 has 6.3.0-kali1-amd64,6.5.0-kali3-amd64: needed 6.5.0-kali3-amd64',
    '6.5.0-kali2-amd64 has 6.5.0-kali2-amd64,6.5.0-kali10-amd64,6.5.0-kali1-amd64: needed 6.5.0-kali10-amd64',
    '6.5.0-kali8-amd64 has 6.5.0-kali10-amd64,6.5.0-kali11-amd64,6.5.0-kali9-amd64: needed 6.5.0-kali11-amd64',
    '5.10.209-rt101 has 5.10.209-rt101,5.10.230-rt122: needed 5.10.230-rt122',
    '6.5.11-desktop-5.mga9 has 6.5.11-desktop-5.mga9,6.5.11-desktop-6.mga9: needed 6.5.11-desktop-6.mga9',
    '6.1.50-un-def-alt2 has 6.1.50-un-def-alt1,6.1.50-un-def-alt2: not_needed',
    '6.6.31-custom has 6.6.31-custom,6.9.1-other: unknown',
    '6.6.51+rpt-rpi-v8 has 6.6.51+rpt-rpi-v8,6.6.62+rpt-rpi-v7,6.6.51+rpt-rpi-2712: not_needed',
  ])('27. another publisher’s kernel is known by names and order: %s', (text) => {
    const [, release = '', stated = '', listed = '', state, newest] =
      /^(\S+)(?: (\S+))? has (\S+): (\S+)(?: (\S+))?$/.exec(text) ?? [];
    const kernel = {
      ...running(release, ''),
      runningVersion: `#1 SMP PREEMPT_DYNAMIC ${stated.replace('=', ' ')} (2026-05-11T09:00Z)`,
      installed: listed.split(',').map((one) => ({
        package: `proxmox-kernel-${one}-signed`,
        version: /^[\d.]+(?:-\d+)?/.exec(one)?.[0] ?? '',
        release: one,
        defaultBoot: 'unknown' as const,
      })),
    };
    const { rebootState, rebootReasons } = assess({ packages: [newer], kernel }).kernelPosture;
    expect(rebootState).toBe(state);
    const [reason] = rebootReasons;
    expect(reason?.code).toBe(newest === undefined ? undefined : 'newer_kernel_installed');
    if (newest !== undefined) expect(reason?.detail).toContain(`proxmox-kernel-${newest}-signed`);
  });

  it('27. a running kernel of a third party is unknown, and is still known to be the latest', () => {
    const own = installed('linux-image-6.9.1-mine', '6.9.1-2', { name: 'linux-upstream' }, { vendor: '' });
    const host = { packages: [own], kernel: running('6.9.1-mine', '6.9.1-2') };
    expect(assess(host)).toMatchObject({
      findings: [],
      counts: { unknown: 1 },
      kernelPosture: { runningIsLatest: true },
    });
  });

  it('27. the number of a build in a third party’s flavour is no flavour, and a kernel of another line may boot next', () => {
    const image = (release: string) => installed(`linux-image-${release}`, release, {}, { vendor: '' });
    const posture = (...releases: readonly [string, string]) =>
      assess({ packages: releases.map(image), kernel: running(releases[0], releases[0]) }).kernelPosture;
    expect(posture('6.7.4-x64v3-xanmod1', '6.7.5-x64v3-xanmod2')).toMatchObject({
      runningIsLatest: false,
      latestInstalledKernel: '6.7.5-x64v3-xanmod2',
    });
    expect(posture('6.7.4-x64v3-xanmod1', '6.7.5-mine').runningIsLatest).toBeNull();
    const kernel = running('6.7.4-x64v3-xanmod1', '6.7.4-x64v3-xanmod1');
    const listed = [{ package: '', version: '', release: '6.9.1-mine', defaultBoot: 'unknown' as const }];
    const host = { packages: [image(kernel.runningRelease)], kernel: { ...kernel, installed: listed } };
    expect(assess(host).kernelPosture.runningIsLatest).toBeNull();
  });

  // PatchMon issue 562.
  it.each([
    ['6.1.0-27-amd64', true],
    ['6.1.0-99-amd64', null],
  ])('a file of /boot that no package owns counts if it is higher: %s', (release, runningIsLatest) => {
    const listed = [{ package: '', version: '', release, defaultBoot: 'unknown' as const }];
    const kernel = { ...running('6.1.0-28-amd64', '6.1.119-1'), installed: listed };
    expect(assess({ packages: [older], kernel }).kernelPosture).toMatchObject({ runningIsLatest });
  });

  it('a hostile release is read in linear time', () => {
    const installedKernels = Array.from({ length: 400 }, (_, n) => ({
      package: `p${n}`,
      version: '',
      release: `6.1-${'a'.repeat(20_000)}`,
      defaultBoot: 'unknown' as const,
    }));
    const before = process.cpuUsage();
    assess({ packages: [], kernel: { ...running('6.1.0-x', ''), installed: installedKernels } });
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });

  it.each(['docker', 'lxc', 'systemd-nspawn'])(
    '27. a %s container has no kernel findings and needs no reboot',
    (virtualization) => {
      const kernel = running('6.1.0-28-amd64', '6.1.119-1', { rebootRequired: 'yes' });
      expect(assess({ packages: [older, newer], kernel, virtualization })).toMatchObject({
        findings: [],
        counts: { unknown: 0 },
        kernelPosture: {
          runningIsLatest: null,
          rebootState: 'not_needed',
          rebootReasons: [{ code: 'container' }],
        },
      });
    },
  );

  it('27. if the running kernel is unknown, every installed one is unknown', () => {
    expect(assess({ packages: [older, newer], kernel: noKernelFacts })).toMatchObject({
      findings: [],
      counts: { unknown: 2 },
      kernelPosture: {
        runningKernel: null,
        runningIsLatest: null,
        rebootState: 'unknown',
        rebootUnknown: expect.stringContaining('It did not report which kernel runs.'),
      },
    });
  });

  it('28. versions order numbers, not text: 6.1.0-100 is newer than 6.1.0-31', () => {
    const packages = [
      kernelImage('6.1.0-100-amd64', '6.1.200-1'),
      kernelImage('6.1.0-31-amd64', '6.1.128-1'),
    ];
    expect(assess({ packages, kernel: running('6.1.0-31-amd64', '6.1.128-1') }).kernelPosture).toMatchObject({
      latestInstalledKernel: '6.1.0-100-amd64',
      runningIsLatest: false,
    });
  });

  it('28. flavours are separate: a newer kernel of another flavour changes nothing', () => {
    const cloud = kernelImage('6.1.0-29-cloud-amd64', '6.1.123-1');
    const host = { packages: [older, cloud], kernel: running('6.1.0-28-amd64', '6.1.119-1') };
    expect(states(host, 'linux-image-6.1.0-28-amd64')?.[0]).toBe('CVE-2024-0001 not_in_repositories');
    expect(assess(host)).toMatchObject({
      rebootState: 'not_needed',
      kernelPosture: { latestInstalledKernel: '6.1.0-28-amd64', runningIsLatest: true },
    });
  });

  it('28. rpi-v7 and rpi-v8 are separate flavours', () => {
    const image = (flavour: string, version: string) =>
      installed(`linux-image-${version}+rpt-rpi-${flavour}`, `1:${version}-1+rpt1`, { name: 'linux' });
    const packages = [image('v8', '6.6.31'), image('v7', '6.6.51')];
    const kernel = running('6.6.31+rpt-rpi-v8', '1:6.6.31-1+rpt1');
    expect(assess({ packages, kernel }).kernelPosture).toMatchObject({
      runningIsLatest: true,
      rebootState: 'not_needed',
    });
    expect(
      assess({ packages: [...packages, image('v8', '6.6.51')], kernel }).kernelPosture.runningIsLatest,
    ).toBe(false);
  });

  it('31. the distribution’s own flag makes a reboot needed, with the packages that request it', () => {
    const kernel = running('6.1.0-29-amd64', '6.1.123-1', {
      rebootRequired: 'yes',
      rebootPackages: ['libc6', 'dbus'],
    });
    expect(assess({ packages: [newer], kernel }).kernelPosture).toMatchObject({
      rebootState: 'needed',
      rebootReasons: [{ code: 'reboot_required_flag', detail: 'dbus, libc6' }],
    });
  });

  it.each([
    {
      rebootRequired: 'unknown' as const,
      failures: [],
      why: 'The host did not state whether it needs a reboot.',
    },
    {
      rebootRequired: 'no' as const,
      failures: [{ section: 'kernel', detail: 'timed out' }],
      why: 'The host could not read its kernels for the report.',
    },
  ])('31. an unreadable flag is unknown, never "no": %j', ({ rebootRequired, failures, why }) => {
    const kernel = running('6.1.0-29-amd64', '6.1.123-1', { rebootRequired });
    const { rebootState, kernelPosture } = assess({ packages: [newer], kernel, facts: { failures } });
    expect([rebootState, kernelPosture.rebootUnknown]).toEqual(['unknown', why]);
  });

  it('31. it is unknown whether a running kernel without a version is the latest', () => {
    const kernel = { ...running('6.1.0-29-amd64', ''), runningVersion: '' };
    const assessment = assess({ packages: [newer], kernel });
    expect(assessment.kernelPosture).toMatchObject({
      runningIsLatest: null,
      rebootState: 'unknown',
      rebootUnknown: 'The running kernel cannot be compared with the installed ones.',
    });
    expect(assessment.findings[0]?.evidence.notes.map(({ code }) => code)).toContain(
      'running_version_not_stated',
    );
  });

  it('31. live-patched vulnerabilities are marked', () => {
    const kernel = running('6.1.0-29-amd64', '6.1.123-1', { livepatchedCves: ['CVE-2024-0002'] });
    const upgrades = [offered('linux-image-amd64', '6.1.123-1', '6.1.128-1')];
    expect(states({ packages: [newer, metapackage], kernel, upgrades }, newer.name)).toEqual([
      'CVE-2024-0002 livepatched',
      'CVE-2024-0003 no_fix',
    ]);
  });

  it('32. /run/crond.reboot is ignored: only the flag and the kernels make a reboot needed', () => {
    const kernel = running('6.1.0-29-amd64', '6.1.123-1', {
      rebootRequired: 'no',
      rebootPackages: ['crond'],
    });
    expect(assess({ packages: [newer], kernel }).rebootState).toBe('not_needed');
  });
});
