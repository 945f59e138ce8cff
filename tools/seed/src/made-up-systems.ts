import type { InstalledPackage, Snapshot, Upgrade } from '@plimsoll/model';

/** A system of seeded hosts, with fictitious records about its packages. */
export interface MadeUpSystem {
  readonly snapshot: Snapshot;
  /** OSV records, one per line. */
  readonly feed: string;
}

/** Name, installed version, fixed version (null: not vulnerable), severity. */
type Row = readonly [name: string, installed: string, fixed: string | null, severity: keyof typeof cvss];

const cvss = {
  critical: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  important: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  moderate: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  low: 'CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N',
};

const noble: readonly Row[] = [
  ['bash', '5.2.21-2ubuntu4', null, 'low'],
  ['curl', '8.5.0-2ubuntu10.4', '8.5.0-2ubuntu10.9', 'important'],
  ['libxml2', '2.9.14+dfsg-1.3ubuntu3', '2.9.14+dfsg-1.3ubuntu3.6', 'critical'],
  ['nginx', '1.24.0-2ubuntu7', '1.24.0-2ubuntu7.5', 'important'],
  ['openssh', '1:9.6p1-3ubuntu13.5', '1:9.6p1-3ubuntu13.14', 'moderate'],
  ['python3.12', '3.12.3-1ubuntu0.2', '3.12.3-1ubuntu0.8', 'moderate'],
  ['sudo', '1.9.15p5-3ubuntu5', '1.9.15p5-3ubuntu5.24.04.1', 'important'],
  ['tar', '1.35+dfsg-3build1', null, 'low'],
  ['vim', '2:9.1.0016-1ubuntu7.3', '2:9.1.0016-1ubuntu7.9', 'low'],
];
const el9: readonly Row[] = [
  ['bash', '5.1.8-9.el9', null, 'low'],
  ['curl', '7.76.1-29.el9_4', '7.76.1-31.el9_6.1', 'moderate'],
  ['expat', '2.5.0-2.el9', '2.5.0-5.el9_6', 'critical'],
  ['httpd', '2.4.57-8.el9', '2.4.62-4.el9_6.4', 'important'],
  ['libxml2', '2.9.13-6.el9', '2.9.13-12.el9_6', 'important'],
  ['openssh', '8.7p1-38.el9', '8.7p1-45.el9', 'moderate'],
  ['sudo', '1.9.5p2-10.el9_3', '1.9.5p2-10.el9_6.2', 'important'],
  ['tar', '1.34-6.el9_1', null, 'low'],
  ['vim', '2:8.2.2637-20.el9_1', '2:8.2.2637-22.el9_6.1', 'low'],
];

/** Systems besides the real machine of examples/. Their packages are real, their vulnerabilities are fictitious. */
export function madeUpSystems(now: Date): readonly MadeUpSystem[] {
  const el = { osFamily: 'rpm', architecture: 'x86_64', osVersionId: '9.4', osVersion: '9.4' } as const;
  const ubuntu = {
    osFamily: 'apt',
    osId: 'ubuntu',
    osVersionId: '24.04',
    osVersion: '24.04.1',
    osCodename: 'noble',
    osPrettyName: 'Ubuntu 24.04.1 LTS',
    architecture: 'amd64',
  } as const;
  const alma = { ...el, osId: 'almalinux', osCodename: '', osPrettyName: 'AlmaLinux 9.4 (Seafoam Ocelot)' };
  const rocky = { ...el, osId: 'rocky', osCodename: '', osPrettyName: 'Rocky Linux 9.4 (Blue Onyx)' };
  const rhel = { ...el, osId: 'rhel', osCodename: '', osPrettyName: 'Red Hat Enterprise Linux 9.4 (Plow)' };
  return [
    {
      snapshot: snapshotOf(ubuntu, noble, 'Ubuntu', now),
      feed: feedOf('Ubuntu:24.04:LTS', 91_000, noble, now),
    },
    { snapshot: snapshotOf(alma, el9, 'AlmaLinux', now), feed: feedOf('AlmaLinux:9', 92_000, el9, now) },
    { snapshot: snapshotOf(rocky, el9, 'Rocky Enterprise Software Foundation', now), feed: '' },
    { snapshot: snapshotOf(rhel, el9, 'Red Hat, Inc.', now), feed: '' },
  ];
}

type Platform = Omit<Snapshot['platform'], 'hostname' | 'machineId' | 'virtualization' | 'ipAddresses'>;

function snapshotOf(platform: Platform, rows: readonly Row[], vendor: string, now: Date): Snapshot {
  return {
    schemaVersion: 1,
    collectedAt: now,
    collectorVersion: 'seed/1',
    platform: { ...platform, hostname: '', machineId: '', virtualization: 'kvm', ipAddresses: [] },
    packages: rows.map(([name, version]) => packageOf(name, version, platform.architecture, vendor)),
    // The host's repositories do not have every fix.
    upgrades: rows
      .filter(([, , fixed], index) => fixed !== null && index % 3 !== 0)
      .map(([name, version, fixed]) => upgradeOf(name, version, fixed ?? '', platform.architecture)),
    kernel: {
      runningRelease: '',
      runningVersion: '',
      runningPackage: '',
      installed: [],
      rebootRequired: platform.osId === 'rocky' ? 'yes' : 'no',
      rebootPackages: [],
      livepatch: '',
      livepatchedCves: [],
    },
    services: { restartRequired: 'no', toRestart: [] },
    repositories: [],
    moduleStreams: [],
    subscription: null,
    failures: [],
    observed: { bootId: '', bootedAt: null, refreshed: [] },
  };
}

function packageOf(name: string, version: string, architecture: string, vendor: string): InstalledPackage {
  const source = { sourceName: name, sourceVersion: version };
  const rest = { module: '', held: false, installedAt: null, signingKey: '', suite: '' };
  return { name, architecture, version, ...source, vendor, ...rest };
}

function upgradeOf(name: string, from: string, to: string, architecture: string): Upgrade {
  const versions = { installedVersion: from, candidateVersion: to, sourceName: name, sourceVersion: to };
  const rest = { repository: 'updates', isSecurity: true, held: false, phased: false, suite: '', origin: '' };
  return { name, architecture, ...versions, ...rest, advisoryIds: [] };
}

function feedOf(ecosystem: string, firstNumber: number, rows: readonly Row[], now: Date): string {
  const records = rows.flatMap(([name, , fixed, severity], index) => {
    if (fixed === null) return [];
    return [
      {
        schema_version: '1.7.0',
        id: ecosystem.startsWith('Ubuntu')
          ? `UBUNTU-CVE-2026-${firstNumber + index}`
          : `ALSA-2026:${firstNumber + index}`,
        upstream: [`CVE-2026-${firstNumber + index}`],
        modified: now.toISOString(),
        published: new Date(now.getTime() - (index + 1) * 9 * 86_400_000).toISOString(),
        summary: `${severity[0]?.toUpperCase()}${severity.slice(1)}: ${name} security update (made up)`,
        severity: [{ type: 'CVSS_V3', score: cvss[severity] }],
        affected: [
          {
            package: { ecosystem, name },
            ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
          },
        ],
      },
    ];
  });
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
