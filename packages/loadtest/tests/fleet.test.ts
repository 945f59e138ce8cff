import path from 'node:path';
import type { Snapshot } from '@plimsoll/model';
import { decodeSnapshot, encodeSnapshot } from '@plimsoll/reports';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import {
  createFleet,
  type Fleet,
  fleetAdvisories,
  fleetCveFacts,
  type ModelHost,
  nextBuild,
  readModels,
} from '../src/index.ts';

const projectDir = path.resolve(__dirname, '../../..');
const at = new Date('2026-11-01T08:00:00Z');

let models: readonly ModelHost[];

beforeAll(async () => {
  models = await readModels([
    path.join(projectDir, 'examples/debian-12.snapshot.pb.gz'),
    path.join(projectDir, 'packages/loadtest/models'),
  ]);
});

function fleetOf(hosts: number, seed = 1, profiles?: number): Fleet {
  return createFleet({ models, hosts, seed, ...(profiles === undefined ? {} : { profiles }) });
}

/** The part of a report that the content hash covers. */
function contentOf({ platform, packages, upgrades, kernel }: Snapshot): unknown {
  return { platform, packages, upgrades, kernel };
}

function versionsOf({ packages }: Snapshot): ReadonlyMap<string, string> {
  return new Map(packages.map(({ name, architecture, version }) => [`${name} ${architecture}`, version]));
}

function order(scheme: VersionScheme, a: string, b: string): number {
  const [left, right] = [versionKey(scheme, a), versionKey(scheme, b)];
  if (left.kind !== 'key' || right.kind !== 'key') throw new Error(`${a} ${b}`);
  return compareKeys(left.key, right.key);
}

describe('a fleet', () => {
  it('is the same for the same seed, and another one for another seed', () => {
    const reports = (seed: number) =>
      Array.from({ length: 10 }, (_, host) => contentOf(fleetOf(10, seed).snapshot(host, { day: 90, at })));
    expect(reports(1)).toEqual(reports(1));
    expect(reports(2)).not.toEqual(reports(1));
  });

  it('has several releases, and hosts that are looked after differently', () => {
    const fleet = fleetOf(200);
    const reports = Array.from({ length: 200 }, (_, host) => fleet.snapshot(host, { day: 200, at }));
    const releases = reports.map(({ platform }) => `${platform.osId} ${platform.osVersionId}`);
    expect([...new Set(releases)].sort()).toEqual([
      'centos 8',
      'debian 11',
      'debian 12',
      'debian 13',
      'rocky 9.3',
    ]);
    const waiting = reports.map(({ upgrades }) => upgrades.length);
    expect(Math.min(...waiting)).toBe(0);
    expect(Math.max(...waiting)).toBeGreaterThan(100);
    const lags = reports.map(({ observed }) => observed.refreshed[0]?.publishedAt?.getTime());
    expect(new Set(lags).size).toBe(2);
    const reboots = new Set(reports.map(({ kernel }) => kernel.rebootRequired));
    expect(reboots).toEqual(new Set(['yes', 'no']));
  });

  it('has reports that the service accepts as they are', () => {
    const fleet = fleetOf(20);
    for (let host = 0; host < 20; host += 1) {
      const bytes = encodeSnapshot(fleet.snapshot(host, { day: 365, at, revision: 3, newVersions: 0.1 }));
      const decoded = decodeSnapshot(bytes, { receivedAt: at });
      expect(decoded).toMatchObject({ kind: 'snapshot', warnings: [] });
    }
  });

  it('lets some hosts fall silent, most of them never', () => {
    const fleet = fleetOf(2_000);
    const silent = (day: number) =>
      Array.from({ length: 2_000 }, (_, host) => host).filter((host) => fleet.isSilent(host, day));
    expect(silent(0)).toEqual([]);
    expect(silent(365).length).toBeGreaterThan(10);
    expect(silent(365).length).toBeLessThan(100);
    expect(silent(700)).toEqual(silent(365));
  });
});

describe('the hosts of a fleet over time', () => {
  it('stay as they are within a day, and get newer versions, never older ones', () => {
    const fleet = fleetOf(10);
    let changed = 0;
    for (let host = 0; host < 10; host += 1) {
      const model = models[fleet.profile(host).model];
      const scheme = model?.snapshot.platform.osFamily === 'apt' ? 'dpkg' : 'rpm';
      let before = fleet.snapshot(host, { day: 0, at });
      for (const day of [1, 30, 365, 730]) {
        const now = fleet.snapshot(host, { day, at });
        expect(contentOf(fleet.snapshot(host, { day, at }))).toEqual(contentOf(now));
        const known = versionsOf(before);
        for (const [name, version] of versionsOf(now)) {
          expect(order(scheme, known.get(name) ?? version, version)).toBeLessThanOrEqual(0);
          if (known.get(name) !== version) changed += 1;
        }
        before = now;
      }
    }
    expect(changed).toBeGreaterThan(300);
  });

  it('change on the days of their group: hosts with unattended updates often, forgotten ones never', () => {
    const fleet = fleetOf(300);
    const daysOf = (rhythm: string) => {
      const host = Array.from({ length: 300 }, (_, number) => number).find((number) => {
        const profile = fleet.profile(number);
        return profile.rhythm.name === rhythm && profile.model === 1;
      });
      if (host === undefined) throw new Error(`no host is ${rhythm}`);
      const versions = (day: number) => JSON.stringify([...versionsOf(fleet.snapshot(host, { day, at }))]);
      return Array.from({ length: 364 }, (_, day) => day).filter(
        (day) => versions(day) !== versions(day + 1),
      );
    };
    expect(daysOf('forgotten')).toEqual([]);
    expect(daysOf('quarterly').length).toBeLessThanOrEqual(4);
    expect(daysOf('unattended').length).toBeGreaterThan(daysOf('monthly').length);
  });

  it('offer what was published and is not installed', () => {
    const fleet = fleetOf(300);
    for (let host = 0; host < 300; host += 17) {
      const { packages, upgrades } = fleet.snapshot(host, { day: 100, at });
      const installed = new Map(packages.map((one) => [`${one.name} ${one.architecture}`, one.version]));
      for (const upgrade of upgrades) {
        expect(installed.get(`${upgrade.name} ${upgrade.architecture}`)).toBe(upgrade.installedVersion);
        expect(upgrade.candidateVersion).not.toBe(upgrade.installedVersion);
      }
    }
  });
});

describe('what is published about a fleet', () => {
  const timeOf = (day: number) => new Date(at.getTime() + day * 86_400_000);

  it('closes the same CVE in several releases, each by its own advisory', () => {
    const advisories = fleetAdvisories(fleetOf(1), { from: -60, to: 729 }, timeOf);
    const ids = advisories.map(({ record }) => (record as { id: string }).id);
    expect(new Set(ids).size).toBe(ids.length);
    const ecosystems = new Map<string, Set<string>>();
    for (const { cve, record } of advisories) {
      const { affected } = record as { affected: readonly { package: { ecosystem: string } }[] };
      const known = ecosystems.get(cve) ?? new Set();
      ecosystems.set(cve, known);
      for (const one of affected) known.add(one.package.ecosystem);
    }
    expect([...ecosystems.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(30);
  });

  it('lists some CVEs as exploited, none before its first advisory and each once', () => {
    const advisories = fleetAdvisories(fleetOf(1), { from: -60, to: 729 }, timeOf);
    const weeks = Array.from({ length: 105 }, (_, week) => ({ from: week * 7, to: week * 7 + 6 }));
    const facts = weeks.map((days) => fleetCveFacts(advisories, days, timeOf));
    const listed = facts.flatMap(({ exploited }) => exploited as { cveID: string; dateAdded: string }[]);
    expect(listed.length).toBeGreaterThan(4);
    expect(listed.length).toBeLessThan(advisories.length / 10);
    expect(new Set(listed.map(({ cveID }) => cveID)).size).toBe(listed.length);
    for (const { cveID, dateAdded } of listed) {
      const first = advisories.find(({ cve }) => cve === cveID);
      expect(
        dateAdded >=
          timeOf(first?.day ?? 1e4)
            .toISOString()
            .slice(0, 10),
      ).toBe(true);
    }
    expect(facts.filter(({ scores }) => scores !== null).length).toBeGreaterThan(50);
  });
});

describe('hosts of equal profile', () => {
  it('share their package set, or lack a few packages', () => {
    const fleet = fleetOf(1_000, 1, 10);
    const sizeOf = (host: number) => fleet.snapshot(host, { day: 0, at }).packages.length;
    const sizes = Array.from({ length: 100 }, (_, copy) => sizeOf(copy * 10));
    const whole = sizes[0] ?? 0;
    expect(sizes.filter((size) => size === whole).length).toBeGreaterThan(20);
    expect(sizes.filter((size) => size < whole).length).toBeGreaterThan(40);
    expect(Math.min(...sizes)).toBeGreaterThan(whole * 0.9);
  });
});

describe('a changed moment', () => {
  it('has another revision of a local package, or versions that no other host has', () => {
    const fleet = fleetOf(10);
    const changed = fleet.snapshot(0, { day: 3, at, revision: 2, newVersions: 0.1 });
    expect(changed.packages.find(({ name }) => name === 'site-config')?.version).toBe('1.2-1');
    const own = changed.packages.filter(({ version }) => version.endsWith('.0.3.2'));
    expect(own.length).toBe(Math.round((changed.packages.length - 1) * 0.1));
  });
});

describe('the next build of a package', () => {
  it('is numbered as its distribution does, and sorts after the one before', () => {
    const debian = { osFamily: 'apt', osId: 'debian', osVersionId: '12' } as const;
    expect(nextBuild('43-1', debian)).toBe('43-1+deb12u1');
    expect(nextBuild('43-1+deb12u9', debian)).toBe('43-1+deb12u10');
    const rocky = { osFamily: 'rpm', osId: 'rocky', osVersionId: '9.3' } as const;
    expect(nextBuild('11.4.1-2.1.el9', rocky)).toBe('11.4.1-2.1.el9.1');
    expect(nextBuild('2.9.13-5.el9_3.9', rocky)).toBe('2.9.13-5.el9_3.10');
  });

  it('sorts after the one before for every package of the models', () => {
    for (const { snapshot } of models) {
      const scheme = snapshot.platform.osFamily === 'apt' ? 'dpkg' : 'rpm';
      for (const { version } of snapshot.packages) {
        let before = version;
        for (let build = 1; build <= 3; build += 1) {
          const next = nextBuild(before, snapshot.platform);
          expect(order(scheme, before, next)).toBeLessThan(0);
          before = next;
        }
      }
    }
  });
});
