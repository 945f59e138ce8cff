import { assessHost, summarisePackage } from '../src/index.ts';
import { noKernelFacts, statement } from './debian-host.ts';
import { countHost } from './host/count-host.ts';
import { assessed, installed, kernelImage, offered, running, type UbuntuHost } from './ubuntu-host.ts';

const fixedIn76 = statement('CVE-2023-0001', '5.15.0-69.76', { severity: 'critical' });
const fixedIn111 = statement('CVE-2023-0002', '5.15.0-101.111', { severity: 'important' });
const unfixed = statement('CVE-2023-0003', null, { severity: 'low' });
const linux = { linux: [fixedIn76, fixedIn111, unfixed] };

const older = kernelImage('5.15.0-67-generic', '5.15.0-67.74');
const newer = kernelImage('5.15.0-69-generic', '5.15.0-69.76');
const meta = (name: string, version: string, line = '') =>
  installed(name, version, { name: `linux-meta${line}` });
const metapackage = meta('linux-image-generic', '5.15.0.69.67');

function assess(host: UbuntuHost) {
  return assessHost(assessed({ statements: linux, ...host }));
}

/** Advisory ids with their states, of the finding of one package. */
function states(host: UbuntuHost, name: string) {
  const finding = assess(host).findings.find((row) => row.name === name);
  return finding?.advisories.map((advisory) => `${advisory.statement.externalId} ${advisory.fixState}`);
}

describe('kernel and reboot rules on Ubuntu, by number', () => {
  it.each([
    ['', '5.15.0-69.76', 'linux'],
    ['-hwe-6.8', '6.8.0-40.40~22.04.3', 'linux-hwe-6.8'],
    ['-aws', '5.15.0-1030.34', 'linux-aws'],
    ['-azure-6.5', '6.5.0-1007.7~22.04.1', 'linux-azure-6.5'],
  ])(
    '16. linux-signed%s %s is %s, and no statement about another line applies to it',
    (line, version, source) => {
      const release = `${version.split('.', 3).join('.')}-generic`;
      const host = {
        packages: [kernelImage(release, version, line)],
        kernel: running(release, version.split('.').slice(3).join('.')),
      };
      const own = statement('CVE-2023-0001', '9.0.0-1.1');
      const others = ['linux', 'linux-hwe-6.8', 'linux-aws', 'linux-azure-6.5', 'linux-oracle'].filter(
        (name) => name !== source,
      );
      const foreign = Object.fromEntries(others.map((name) => [name, [statement('CVE-2023-0009', null)]]));
      expect(
        states({ ...host, statements: { ...foreign, [source]: [own] } }, `linux-image-${release}`),
      ).toEqual(['CVE-2023-0001 not_in_repositories']);
      expect(assess({ ...host, statements: foreign }).findings).toEqual([]);
    },
  );

  it('16. a metapackage is never compared: 5.15.0.69.67 would sort above 5.15.0-101.111', () => {
    const statements = { ...linux, 'linux-meta': [statement('CVE-2023-0009', null)] };
    const metas = [
      metapackage,
      meta('linux-generic', '5.15.0.69.67'),
      meta('linux-headers-generic', '5.15.0.69.67'),
      meta('linux-image-virtual', '6.8.0-31.31'),
    ];
    const host = { packages: metas, kernel: running('5.15.0-69-generic', '76'), statements };
    expect(assess(host)).toMatchObject({ findings: [], counts: { unknown: 0 } });
  });

  it('23. the hardware enablement kernel that replaced the running line is judged by its own advisories', () => {
    const hwe = kernelImage('6.8.0-40-generic', '6.8.0-40.40~22.04.3', '-hwe-6.8');
    const host = { packages: [newer, hwe], kernel: running('5.15.0-69-generic', '76') };
    const openThere = { ...unfixed, statementId: 900, advisory: fixedIn111.advisory };
    expect(states(host, newer.name)?.[0]).toBe('CVE-2023-0002 pending_reboot');
    const statements = { ...linux, 'linux-hwe-6.8': [openThere] };
    expect(states({ ...host, statements }, newer.name)?.[0]).toBe('CVE-2023-0002 not_in_repositories');
  });

  it('24. uname -r and -v together name the running build; another installed build of that release waits for a reboot', () => {
    const rebuilt = kernelImage('5.15.0-69-generic', '5.15.0-69.77');
    const host = { packages: [rebuilt], kernel: running('5.15.0-69-generic', '76') };
    expect(assess(host)).toMatchObject({
      rebootState: 'needed',
      findings: [{ installedVersion: '5.15.0-69.77', sourceName: 'linux', sourceVersion: '5.15.0-69.76' }],
      kernelPosture: { runningIsLatest: false, rebootReasons: [{ code: 'running_kernel_replaced' }] },
    });
  });

  it('24. a running kernel whose package was removed is judged by the version it names', () => {
    const host = { packages: [newer], kernel: running('5.15.0-67-generic', '74') };
    expect(states(host, 'linux-image-5.15.0-67-generic')?.[0]).toBe('CVE-2023-0001 pending_reboot');
  });

  it('24. a removed kernel that may be of another line is unknown', () => {
    const kernel = running('6.5.0-28-generic', '29~22.04.1');
    expect(assess({ packages: [newer], kernel })).toMatchObject({
      findings: [],
      counts: { unknown: 1 },
    });
    const hwe = kernelImage('6.8.0-40-generic', '6.8.0-40.40~22.04.3', '-hwe-6.8');
    const statements = { 'linux-hwe-6.5': [statement('CVE-2023-0005', '6.5.0-41.41~22.04.2')] };
    expect(states({ packages: [hwe], kernel, statements }, 'linux-image-6.5.0-28-generic')).toEqual([
      'CVE-2023-0005 pending_reboot',
    ]);
  });

  it('23. a vulnerability without a fix in a superseded line is closed by booting the installed kernel of the next line', () => {
    const old = kernelImage('6.5.0-28-generic', '6.5.0-28.29~22.04.1', '-hwe-6.5');
    const hwe = kernelImage('6.8.0-40-generic', '6.8.0-40.40~22.04.3', '-hwe-6.8');
    const kernel = running('6.5.0-28-generic', '29~22.04.1');
    const ignored = {
      ...statement('CVE-2023-0006', '9'),
      fix: { kind: 'unfixed', reason: 'will_not_fix', detail: 'ignored' } as const,
    };
    const of = (packages: Parameters<typeof states>[0]['packages']) =>
      states({ packages, kernel, statements: { 'linux-hwe-6.5': [ignored] } }, old.name);
    expect(of([old, hwe])).toEqual(['CVE-2023-0006 pending_reboot']);
    expect(of([old])).toEqual(['CVE-2023-0006 will_not_fix']);
  });

  it('25. linux-image-5.15.0-69-generic of linux-signed is linux: exact-name matching finds nothing', () => {
    const [finding] = assess({ packages: [newer], kernel: running('5.15.0-69-generic', '76') }).findings;
    expect(finding).toMatchObject({
      sourceName: 'linux-signed',
      evidence: { matchName: 'linux', comparedVersion: '5.15.0-69.76' },
    });
  });

  it('25. an unsigned image is linux too', () => {
    const image = installed('linux-image-unsigned-5.15.0-69-generic', '5.15.0-69.76', { name: 'linux' });
    const host = { packages: [image], kernel: running('5.15.0-69-generic', '76') };
    expect(states(host, image.name)?.[0]).toBe('CVE-2023-0002 not_in_repositories');
  });

  it('26. companions raise no kernel findings, and are not unknown', () => {
    const companions = [
      'linux-modules-5.15.0-67-generic',
      'linux-modules-extra-5.15.0-67-generic',
      'linux-headers-5.15.0-67',
      'linux-headers-5.15.0-67-generic',
      'linux-tools-5.15.0-67-generic',
      'linux-tools-common',
      'linux-cloud-tools-5.15.0-67',
      'linux-libc-dev',
      'linux-buildinfo-5.15.0-67-generic',
      'linux-image-extra-5.15.0-67-generic',
      'linux-image-unsigned-5.15.0-67-generic-dbgsym',
      'bpftool',
    ].map((name) => installed(name, '5.15.0-67.74', { name: 'linux' }));
    const hwe = installed('linux-hwe-6.8-tools-6.8.0-40', '6.8.0-40.40~22.04.3', { name: 'linux-hwe-6.8' });
    const statements = { ...linux, 'linux-hwe-6.8': [unfixed] };
    const host = { packages: [...companions, hwe], kernel: running('5.15.0-67-generic', '74'), statements };
    expect(assess(host)).toMatchObject({ findings: [], counts: { unknown: 0 } });
  });

  it('26. sources that only have names like kernels are judged like any other', () => {
    const packages = [
      installed('linux-firmware', '20220329.git681281e4-0ubuntu3.10'),
      installed('linux-base', '4.5ubuntu9'),
      installed('libatm1', '1:2.5.1-4build2', { name: 'linux-atm' }),
    ];
    const statements = Object.fromEntries(
      packages.map(({ sourceName }) => [sourceName, [statement('CVE-2023-0007', null)]]),
    );
    expect(assess({ packages, statements }).findings.map(({ name }) => name)).toEqual([
      'libatm1',
      'linux-base',
      'linux-firmware',
    ]);
  });

  it('27. under a mainline build or a foreign kernel there are no kernel findings', () => {
    const mainline = installed(
      'linux-image-unsigned-6.9.1-060901-generic',
      '6.9.1-060901.202405171739',
      { name: 'linux' },
      { vendor: '' },
    );
    const kernel = {
      ...noKernelFacts,
      runningRelease: '6.9.1-060901-generic',
      runningVersion: '#202405171739 SMP',
    };
    expect(assess({ packages: [mainline], kernel })).toMatchObject({ findings: [], counts: { unknown: 1 } });
    const outside = { ...kernel, runningRelease: '6.18.44-fc-v669', runningVersion: '#1 SMP' };
    expect(assess({ packages: [older, newer], kernel: outside })).toMatchObject({
      findings: [],
      counts: { unknown: 0 },
      kernelPosture: { runningIsLatest: null, rebootState: 'unknown' },
    });
  });

  it.each([
    ['5.15.0-101-lowlatency', '5.15.0-101.111', ''],
    ['5.15.0-1101-aws', '5.15.0-1101.111', '-aws'],
    ['6.8.0-40-generic-64k', '6.8.0-40.40', ''],
  ])('28. flavours are separate: a newer %s changes nothing', (release, version, line) => {
    const host = {
      packages: [newer, kernelImage(release, version, line)],
      kernel: running('5.15.0-69-generic', '76'),
    };
    expect(states(host, newer.name)?.[0]).toBe('CVE-2023-0002 not_in_repositories');
    expect(assess(host)).toMatchObject({
      rebootState: 'not_needed',
      kernelPosture: { runningIsLatest: true },
    });
  });
});

describe('offers for the running kernel of Ubuntu', () => {
  const kernel = running('5.15.0-69-generic', '76');
  const packages = [newer, metapackage];
  const metaOffer = offered('linux-image-generic', '5.15.0.69.67', '5.15.0.101.98', {
    sourceName: 'linux-meta',
  });
  const state = (...upgrades: NonNullable<UbuntuHost['upgrades']>) =>
    states({ packages, kernel, upgrades }, newer.name)?.[0]?.split(' ')[1];

  it.each([
    [
      'the image that is newly installed',
      offered('linux-image-5.15.0-101-generic', '', '5.15.0-101.111', { sourceName: 'linux-signed' }),
    ],
    ['an image whose source is not stated', offered('linux-image-5.15.0-101-generic', '', '5.15.0-101.111')],
    ['the metapackage, by the ABI number it names', metaOffer],
    [
      'the metapackage for virtual machines, which boot the same flavour',
      { ...metaOffer, name: 'linux-image-virtual', candidateVersion: '5.15.0.102.99' },
    ],
    [
      'the metapackage in its newer form',
      { ...metaOffer, installedVersion: '5.15.0-69.76', candidateVersion: '5.15.0-101.111' },
    ],
    ['the metapackage of image and headers', { ...metaOffer, name: 'linux-generic' }],
  ])('%s makes its fixes installable', (_what, upgrade) => {
    expect(state(upgrade)).toBe('installable');
  });

  it.each([
    ['a metapackage that is too old', { ...metaOffer, candidateVersion: '5.15.0.100.200' }],
    ['another flavour’s metapackage', { ...metaOffer, name: 'linux-image-lowlatency' }],
    [
      'another line’s metapackage',
      offered('linux-image-generic-hwe-22.04', '6.5.0.28.29~22.04.1', '6.8.0-40.40~22.04.3', {
        sourceName: 'linux-meta-hwe-6.8',
      }),
    ],
    ['headers', { ...metaOffer, name: 'linux-headers-generic' }],
  ])('%s does not', (_what, upgrade) => {
    expect(state(upgrade)).toBe('not_in_repositories');
  });

  it('is held if the metapackage is', () => {
    const held = [newer, { ...metapackage, held: true }];
    expect(states({ packages: held, kernel, upgrades: [metaOffer] }, newer.name)?.[0]).toBe(
      'CVE-2023-0002 held',
    );
  });

  it('is closed by the metapackage’s update, without a disagreement', () => {
    const upgrades = [{ ...metaOffer, isSecurity: true }];
    const host = assessed({ packages, kernel, upgrades, statements: linux });
    const { upgradable, disagreements } = assessHost(host);
    expect(upgradable).toMatchObject([{ severity: 'important', advisoryIds: ['CVE-2023-0002'] }]);
    expect(disagreements).toEqual([]);
    const counted = countHost({
      packages: host.packages.map(summarisePackage),
      runningKernel: null,
      facts: host.facts,
    });
    expect(counted.totals).toMatchObject({
      counts: { important: 1 },
      grounds: ['open_finding', 'update_waiting', 'security_update'],
    });
  });
});
