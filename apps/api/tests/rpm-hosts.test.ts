import type { SnapshotChanges as Changes } from './agent-uploads.ts';
import { errata, erratum, kernelPart, kernelVersion, uploadAlma } from './alma-hosts.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { importOsv } from './pipeline.ts';
import { protobufTime } from './sample-snapshot.ts';

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const core = (installedAt: Date, version = '2.28-251.el8_10.5') => ({
  name: 'glibc',
  architecture: 'x86_64',
  version,
  vendor: 'AlmaLinux',
  installedAt: protobufTime(installedAt),
});
/** Hosts are installed before they boot. */
const basesystem = () => ({ ...core(minutesAgo(9_000), '11-5.el8'), name: 'basesystem' });
const bindUtils = {
  name: 'bind-utils',
  architecture: 'x86_64',
  version: '32:9.11.36-14.el8_10',
  sourceName: 'bind',
  sourceVersion: '9.11.36-14.el8_10',
  vendor: 'AlmaLinux',
};

const api = apiPerFile();
const upload = (host: EnrolledHost, packages: NonNullable<Changes['packages']>, rest: Changes = {}) =>
  uploadAlma(api, host, packages, rest);
const get = async (path: string) => (await api.admin.get(`/api/v1${path}`)).body;
let enrolled = 0;
const newHost = (): Promise<EnrolledHost> => {
  enrolled += 1;
  return enrol(api, { hostname: `rpm-${enrolled}.example.org` });
};
const bootedAt = (at: Date): Changes =>
  ({
    observed: { bootId: 'x', bootedAt: protobufTime(at), refreshed: [] },
  }) as unknown as Changes; // A snapshot consists of its fields.

describe('an erratum that misses a binary package of its source', () => {
  it('is a finding on it in either order of arrival, and gone when the feed drops it', async () => {
    const [before, after] = [await newHost(), await newHost()];
    const listed = async (host: EnrolledHost) =>
      (await get(`/hosts/${host.id}/packages/vulnerable`)).map(
        (row: { name: string; fixed_version: string }) => `${row.name} ${row.fixed_version}`,
      );
    await upload(before, [bindUtils]);
    await importOsv(api.database, errata, 'almalinux-errata');
    await upload(after, [bindUtils, { ...bindUtils, name: 'bind-libs' }]);
    const fixed = '32:9.11.36-16.el8_10.4';
    expect(await listed(before)).toEqual([`bind-utils ${fixed}`]);
    expect(await listed(after)).toEqual([`bind-libs ${fixed}`, `bind-utils ${fixed}`]);
    expect(
      (await get('/advisories/ALSA-2025:1/hosts')).map((row: { host_id: string }) => row.host_id).sort(),
    ).toEqual([before.id, after.id].sort());
    await importOsv(api.database, errata.slice(1), 'almalinux-errata');
    expect(await listed(before)).toEqual([]);
    await importOsv(api.database, errata, 'almalinux-errata');
  });
});

describe('an advisory about the kernel', () => {
  it('lists the parts of the running kernel beside the kernel, and nothing of other kernels', async () => {
    const host = await newHost();
    const other = (name: string) => ({ ...kernelPart(name), version: '4.18.0-513.1.1.el8_9' });
    await upload(host, [
      ...['kernel-core', 'kernel-modules', 'kernel-modules-extra', 'kernel-tools'].map(kernelPart),
      ...['kernel-core', 'kernel-modules'].map(other),
    ]);
    const rows = await get('/advisories/ALSA-2025:2/hosts');
    const row = rows.find(({ host_id }: { host_id: string }) => host_id === host.id);
    expect(
      row?.packages.map((entry: { name: string; installed_version: string }) => [
        entry.name,
        entry.installed_version,
      ]),
    ).toEqual(['kernel-core', 'kernel-modules', 'kernel-modules-extra'].map((name) => [name, kernelVersion]));
  });
});

describe('a kernel companion', () => {
  it('is listed on request as moving with the kernel, and in no count and no other list', async () => {
    const host = await newHost();
    const tools = erratum('ALSA-2025:3', 'CVE-2025-3', 'kernel-4.18.0-553.40.1.el8_10.src.rpm', [
      'kernel-core-0:4.18.0-553.40.1.el8_10.x86_64',
      'kernel-tools-0:4.18.0-553.40.1.el8_10.x86_64',
    ]);
    await importOsv(api.database, [...errata, tools], 'almalinux-errata');
    await upload(host, ['kernel-core', 'kernel-tools'].map(kernelPart));
    const path = `/hosts/${host.id}/packages/vulnerable`;
    const shown = (rows: readonly { name: string; moves_with_kernel?: true }[]) =>
      rows.map(({ name, moves_with_kernel = false }) => [name, moves_with_kernel]);
    const rows = await get(`${path}?include_companions=true`);
    expect(shown(rows)).toEqual([
      ['kernel-core', false],
      ['kernel-tools', true],
    ]);
    expect(rows[1]).toMatchObject({
      severity: 'important',
      fixed_version: '4.18.0-553.40.1.el8_10',
      fix_state: 'not_in_repositories',
      evidence: { notes: expect.arrayContaining([expect.objectContaining({ code: 'moves_with_kernel' })]) },
    });
    expect(rows[1].advisories.map(({ id }: { id: string }) => id)).toContain('ALSA-2025:3');
    expect(shown(await get(path))).toEqual([['kernel-core', false]]);
    expect(await get(`/hosts/${host.id}`)).toMatchObject({ important_count: 1, unknown_count: 0 });
    const reached = (await get('/advisories/ALSA-2025:3/hosts')).flatMap(
      ({ host_id, packages }: { host_id: string; packages: readonly { name: string }[] }) =>
        host_id === host.id ? packages.map(({ name }) => name) : [],
    );
    expect(reached).toEqual(['kernel-core']);
    await importOsv(api.database, errata, 'almalinux-errata');
  });
});

describe('a live patch in a package', () => {
  it('closes the CVEs that advisories about it state as fixed, in every list, while its module is loaded', async () => {
    const patch = 'kpatch-patch-4_18_0-553_1_1';
    const ships = erratum('ALSA-2025:4', 'CVE-2025-1234', `${patch}-1-2.el8_10.src.rpm`, [
      `${patch}-0:1-2.el8_10.x86_64`,
    ]);
    const kernel = erratum('ALSA-2025:5', 'CVE-2025-1234', 'kernel-4.18.0-553.40.1.el8_10.src.rpm', [
      'kernel-core-0:4.18.0-553.40.1.el8_10.x86_64',
    ]);
    await importOsv(api.database, [ships, kernel], 'almalinux-errata');
    const hostWith = async (version: string, livepatch: string) => {
      const host = await newHost();
      const installed = { ...kernelPart(patch), version, sourceName: patch, sourceVersion: version };
      await upload(host, [kernelPart('kernel-core'), installed], {
        kernel: { runningRelease: `${kernelVersion}.x86_64`, livepatch },
      } as Changes); // A snapshot consists of its fields.
      const [row] = (await get(`/hosts/${host.id}/packages/vulnerable`)).filter(
        ({ name }: { name: string }) => name === 'kernel-core',
      );
      const reached = (await get('/advisories/ALSA-2025:5/hosts')).find(
        ({ host_id }: { host_id: string }) => host_id === host.id,
      );
      const { overall_action } = await get(`/hosts/${host.id}`);
      return {
        state: row.fix_state,
        reached: reached.packages.map(({ fix_state }: { fix_state: string }) => fix_state),
        overall_action,
        isNoted: row.evidence.notes.some(({ code }: { code: string }) => code === 'livepatched'),
      };
    };
    const module = (build: string) => `kpatch_4_18_0_553_1_1_${build} [enabled]`;
    const open = { state: 'not_in_repositories', reached: ['not_in_repositories'], isNoted: false };
    expect(await hostWith('1-2.el8_10', module('1_2'))).toEqual({
      state: 'livepatched',
      reached: ['livepatched'],
      // In place of "watch": the host has gaps, such as its unknown package lists.
      overall_action: 'unknown',
      isNoted: true,
    });
    expect(await hostWith('1-2.el8_10', '')).toEqual({ ...open, overall_action: 'unblock' });
    // The package below the fix is a finding itself, and its module closes nothing.
    expect(await hostWith('1-1.el8_10', module('1_1'))).toMatchObject(open);
    await importOsv(api.database, errata, 'almalinux-errata');
  });
});

describe('the packages of a host', () => {
  it('are unknown without a statement for their stream, even if their versions could be compared', async () => {
    const host = await newHost();
    const fips = {
      ...bindUtils,
      name: 'openssl',
      version: '10:3.0.7-18.el9_2_fips',
      sourceName: 'openssl',
      vendor: 'Oracle America',
    };
    await upload(host, [fips], {
      platform: { osFamily: 'rpm', osId: 'ol', osVersionId: '9.4', osVersion: '9.4', architecture: 'x86_64' },
    } as Changes); // A snapshot consists of its fields.
    const rows = await get(`/hosts/${host.id}/packages`);
    expect(rows[0]).toMatchObject({ verdict: 'unknown', verdict_reason: 'other_line' });
  });
});

describe('an erratum of which some CVEs are fixed on a host already', () => {
  const rhel = {
    osFamily: 'rpm',
    osId: 'rhel',
    osVersionId: '9.4',
    osVersion: '9.4',
    architecture: 'x86_64',
  };
  const rhsa = (id: string, cves: readonly string[], fixed: string) => ({
    id,
    schema_version: '1.7.0',
    upstream: cves,
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    affected: [
      {
        package: { ecosystem: 'Red Hat:enterprise_linux:9::baseos', name: 'openssl-libs' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
      },
    ],
  });
  const rated = (name: string, threat_severity: string) => ({
    name,
    threat_severity,
    package_state: [
      { cpe: 'cpe:/o:redhat:enterprise_linux:9', fix_state: 'Affected', package_name: 'compat-openssl11' },
    ],
  });

  it('has the severity of the open ones in the list, the counts and its explanation, and follows the vendor', async () => {
    const host = await newHost();
    const records = [
      rhsa('RHSA-2024:0001', ['CVE-2024-1001'], '1:3.0.7-20.el9'),
      rhsa('RHSA-2024:0002', ['CVE-2024-1001', 'CVE-2024-1002'], '1:3.0.7-28.el9'),
      rated('CVE-2024-1001', 'Critical'),
    ];
    await importOsv(api.database, records);
    await upload(
      host,
      [
        {
          ...bindUtils,
          name: 'openssl-libs',
          version: '1:3.0.7-25.el9',
          sourceName: 'openssl',
          vendor: 'Red Hat, Inc.',
        },
      ],
      {
        platform: rhel,
      } as Changes,
    ); // A snapshot consists of its fields.
    const advisoryOf = async () => {
      const [row] = await get(`/hosts/${host.id}/packages/vulnerable`);
      const [{ id, severity, severity_source }] = row.advisories;
      const codes = row.evidence.notes.map(({ code }: { code: string }) => code);
      return {
        id,
        severity,
        severity_source,
        row: row.severity,
        isNoted: codes.includes('cves_fixed_before'),
      };
    };
    const id = 'RHSA-2024:0002';
    const noted = { id, isNoted: true };
    expect(await advisoryOf()).toEqual({
      ...noted,
      severity: 'critical',
      severity_source: 'cvss',
      row: 'critical',
    });
    await importOsv(api.database, [rated('CVE-2024-1002', 'Low')]);
    expect(await advisoryOf()).toEqual({ ...noted, severity: 'low', severity_source: 'cves', row: 'low' });
    expect(await get(`/hosts/${host.id}`)).toMatchObject({ critical_count: 0, low_count: 1 });
    const explained = await get(
      `/hosts/${host.id}/packages/openssl-libs/explain?advisory=${encodeURIComponent(id)}`,
    );
    expect(explained.packages[0]).toMatchObject({ severity: 'low', statements: [{ severity: 'low' }] });
    await importOsv(api.database, [rated('CVE-2024-1002', 'Moderate')]);
    expect(await advisoryOf()).toEqual({
      ...noted,
      severity: 'moderate',
      severity_source: 'cves',
      row: 'moderate',
    });
    expect(await get(`/hosts/${host.id}`)).toMatchObject({ low_count: 0, moderate_count: 1 });
  });
});

describe('a core package that was updated', () => {
  const kernelPosture = async (host: EnrolledHost) => {
    const { reboot_state, reboot_reasons } = await get(`/hosts/${host.id}/kernel-posture`);
    const counted = (await get(`/hosts/${host.id}`)).reboot_state;
    return { reboot_state, counted, codes: reboot_reasons.map(({ code }: { code: string }) => code) };
  };
  const needed = { reboot_state: 'needed', counted: 'needed', codes: ['core_package_updated'] };

  it('after the boot needs a reboot until the next boot, even if nothing else changes', async () => {
    const host = await newHost();
    const packages = [kernelPart('kernel-core'), basesystem(), core(minutesAgo(60))];
    const boot = bootedAt(minutesAgo(10));
    await upload(host, packages, bootedAt(minutesAgo(600)));
    expect(await kernelPosture(host)).toEqual(needed);
    expect(await upload(host, packages, boot)).toBe('queued');
    expect(await kernelPosture(host)).toMatchObject({
      reboot_state: 'unknown',
      counted: 'unknown',
      codes: [],
    });
    expect(await upload(host, packages, boot)).toBe('unchanged');
  });

  it('needs no reboot if the host booted before any part of it was installed', async () => {
    const host = await newHost();
    await upload(host, [kernelPart('kernel-core'), core(minutesAgo(60))], bootedAt(minutesAgo(600)));
    expect(await kernelPosture(host)).toMatchObject({
      reboot_state: 'unknown',
      counted: 'unknown',
      codes: [],
    });
  });

  it('to the same version needs no reboot; to another version it does', async () => {
    const host = await newHost();
    const boot = bootedAt(minutesAgo(600));
    const others = [kernelPart('kernel-core'), basesystem()];
    await upload(host, [...others, core(minutesAgo(900))], boot);
    // The host is known from now on: later installations are observed.
    await api.database.db.pool.query(
      "UPDATE host_state SET first_snapshot_at = now() - interval '800 minutes' WHERE host_id = $1",
      [host.id],
    );
    await upload(host, [...others, core(minutesAgo(60))], boot);
    expect(await kernelPosture(host)).toMatchObject({
      reboot_state: 'unknown',
      counted: 'unknown',
      codes: [],
    });
    await upload(host, [...others, core(minutesAgo(5), '2.28-251.el8_10.11')], boot);
    expect(await kernelPosture(host)).toEqual(needed);
  });
});
