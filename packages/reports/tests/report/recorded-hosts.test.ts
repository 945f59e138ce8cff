import { decodeSnapshot, encodeSnapshot, parseReport } from '../../src/index.ts';
import { recorded } from './recorded.ts';
import {
  alma,
  buildReport,
  debian,
  debianSnapshot,
  parseDebian,
  receivedAt,
  snapshotOf,
} from './report-builder.ts';

function host(file: string) {
  return parseReport(recorded(`reports/${file}`), { receivedAt: new Date('2026-11-21T00:00:00Z') });
}

describe('a recorded Debian 12', () => {
  const snapshot = snapshotOf(host('debian-12.txt'));

  it('has its platform', () => {
    expect(snapshot.platform).toEqual({
      osFamily: 'apt',
      osId: 'debian',
      osVersionId: '12',
      osVersion: '12.11',
      osCodename: 'bookworm',
      osPrettyName: 'Debian GNU/Linux 12 (bookworm)',
      architecture: 'amd64',
      hostname: 'web-1',
      machineId: '0123456789abcdef0123456789abcdef',
      virtualization: 'kvm',
      ipAddresses: ['192.0.2.10', '2001:db8::10'],
    });
  });

  it('has packages with sources and origins', () => {
    const byName = new Map(snapshot.packages.map((entry) => [entry.name, entry]));
    expect(byName.size).toBe(55);
    expect(byName.get('bash')).toMatchObject({
      version: '5.2.15-2+b8',
      sourceVersion: '5.2.15-2',
      vendor: 'Debian',
      suite: '',
    });
    expect(byName.get('bsdutils')).toMatchObject({
      sourceName: 'util-linux',
      vendor: 'Debian',
      suite: 'bookworm',
    });
    expect(byName.get('google-cloud-cli')).toMatchObject({ vendor: '', suite: 'now' });
  });

  it('has updates with the sources of their candidates', () => {
    const upgrades = new Map(snapshot.upgrades.map((entry) => [entry.name, entry]));
    expect(upgrades.size).toBe(33);
    expect(upgrades.get('libssl3')).toMatchObject({
      isSecurity: true,
      sourceName: 'openssl',
      suite: 'bookworm-security',
      repository: 'Debian-Security:12/oldstable-security',
    });
    expect(upgrades.get('postgresql')).toMatchObject({ sourceName: 'postgresql-common' });
    expect(upgrades.get('bash')).toMatchObject({
      isSecurity: false,
      sourceVersion: '5.2.15-2',
      origin: 'Debian',
    });
    expect(snapshot.failures).toEqual([
      { section: 'services', detail: expect.stringContaining('CAP_SYS_PTRACE') },
    ]);
  });

  it('has the time of each list, so that a single outdated one is visible', () => {
    const report = buildReport('apt', {
      ...debian,
      observed: 'refreshed\ta\t1000\nrefreshed\tb\t3000\nrefreshed\tc\t2000',
    });
    const { refreshed } = snapshotOf(parseReport(report, { receivedAt })).observed;
    expect(refreshed.map(({ at }) => at?.getTime())).toEqual([1_000_000, 3_000_000, 2_000_000]);
  });
});

describe('a recorded AlmaLinux 8', () => {
  const snapshot = snapshotOf(host('almalinux-8.txt'));

  it('has packages, module labels and streams', () => {
    expect(snapshot.platform).toMatchObject({
      osFamily: 'rpm',
      osId: 'almalinux',
      osVersionId: '8.9',
      osVersion: '8.9',
    });
    const byName = new Map(snapshot.packages.map((entry) => [entry.name, entry]));
    expect(byName.has('gpg-pubkey')).toBe(false);
    expect(byName.get('openssl-libs')).toMatchObject({
      version: '1:1.1.1k-12.el8_9',
      sourceName: 'openssl',
      sourceVersion: '1.1.1k-12.el8_9',
      vendor: 'AlmaLinux',
      signingKey: '51d6647ec21ad6ea',
    });
    expect(byName.get('perl-IO-Socket-SSL')?.module).toBe(
      'perl-IO-Socket-SSL:2.066:8060020220422081814:fbe42456',
    );
    expect(snapshot.moduleStreams).toHaveLength(2);
  });

  it('has updates with the advisories that dnf listed for them', () => {
    const upgrades = new Map(snapshot.upgrades.map((entry) => [entry.name, entry]));
    expect(upgrades.get('bzip2')).toMatchObject({
      installedVersion: expect.any(String),
      candidateVersion: '1.0.6-28.el8_10',
      repository: 'baseos',
      isSecurity: true,
      advisoryIds: ['ALSA-2024:8922', 'ALSA-2025:0733'],
    });
    expect(upgrades.get('acl')).toMatchObject({ isSecurity: false, advisoryIds: [] });
    expect(snapshot.failures).toEqual([]);
  });

  it('has its running kernel, and services that use replaced libraries', () => {
    expect(snapshot.kernel).toMatchObject({
      runningPackage: 'kernel-core',
      rebootRequired: 'no',
      installed: [{ package: 'kernel-core', release: '4.18.0-513.9.1.el8_9.x86_64', defaultBoot: 'yes' }],
    });
    expect(snapshot.services.toRestart.map(({ name }) => name)).toEqual([
      'NetworkManager.service',
      'sshd.service',
    ]);
  });
});

describe('a text report and the structured fields of the same host', () => {
  it.each([
    ['debian-12.txt', recorded('reports/debian-12.txt')],
    ['almalinux-8.txt', recorded('reports/almalinux-8.txt')],
    ['a small Debian', buildReport('apt', debian)],
    ['a small AlmaLinux', buildReport('rpm', alma)],
  ])(
    '%s: give the same snapshot, because what is stored of the text is the encoding of that',
    (_what, report) => {
      const snapshot = snapshotOf(parseReport(report, { receivedAt: new Date('2026-11-21T00:00:00Z') }));
      expect(
        decodeSnapshot(encodeSnapshot(snapshot), { receivedAt: new Date('2026-11-21T00:00:00Z') }),
      ).toEqual({
        kind: 'snapshot',
        snapshot,
        warnings: [],
      });
    },
  );
});

describe('os-release', () => {
  it.each([
    [
      'ID=ubuntu\nVERSION_ID="22.04"\nVERSION="22.04.4 LTS (Jammy Jellyfish)"\nUBUNTU_CODENAME=jammy',
      ['ubuntu', '22.04', '22.04.4', 'jammy'],
    ],
    ['ID=\'debian\'\nVERSION_ID="12"\n', ['debian', '12', '12.11', '']],
    [
      'ID=debian\nPRETTY_NAME="Debian GNU/Linux trixie/sid"\nVERSION_CODENAME=trixie',
      ['debian', '', '', 'trixie'],
    ],
    ['# comment\n\nID="debian"\nVERSION_ID=13\nVERSION="13 (trixie)"', ['debian', '13', '13', '']],
  ])('%j is read as a shell reads it, with the most complete version', (text, expected) => {
    const { platform } = debianSnapshot({ 'os-release': text });
    expect([platform.osId, platform.osVersionId, platform.osVersion, platform.osCodename]).toEqual(expected);
  });

  it('unescapes names', () => {
    const { platform } = debianSnapshot({ 'os-release': 'ID=debian\nPRETTY_NAME="A \\"quoted\\" \\$name"' });
    expect(platform.osPrettyName).toBe('A "quoted" $name');
  });

  it.each([
    ['2024-02-29', '2024-02-29', 0],
    ['', undefined, 0],
    ['2023-02-29', undefined, 1],
    ['2025-6-1', undefined, 1],
    ['2025-06-01T00:00:00Z', undefined, 1],
  ])('SUPPORT_END="%s" is read as %s, with %d warnings', (day, supportEnd, warnings) => {
    const parsed = parseDebian({ 'os-release': `ID=debian\nSUPPORT_END="${day}"` });
    expect(parsed.kind === 'snapshot' && parsed.warnings.length).toBe(warnings);
    expect(snapshotOf(parsed).platform.supportEnd).toBe(supportEnd);
  });
});

describe.each([
  ['dnf 5', 'dnf5.txt', ['held', 'tzdata']],
  ['zypper', 'zypper.txt', ['held']],
] as const)('a host recorded with %s', (_name, file, held) => {
  it('has the updates that its tool offers, with held ones marked and no unreadable line', () => {
    const parsed = host(file);
    if (parsed.kind !== 'snapshot') throw new Error(parsed.kind);
    expect(parsed.warnings).toEqual([]);
    const { upgrades } = parsed.snapshot;
    expect(upgrades.filter((upgrade) => upgrade.held).map(({ name }) => name)).toEqual(held);
    const find = (wanted: string) => upgrades.find(({ name }) => name === wanted);
    expect(find('java-17-openjdk-headless-with-a-very-long-name-for-wrapping')).toMatchObject({
      installedVersion: '1:17.0.11.0.9-2.el9',
      candidateVersion: '1:17.0.13.0.11-4.el9_5.with.a.long.release',
    });
    expect(find('openssl-libs')).toMatchObject({
      candidateVersion: '1:3.0.7-28.el9_4',
      isSecurity: true,
      advisoryIds: ['ALSA-2024:2447'],
    });
  });
});
