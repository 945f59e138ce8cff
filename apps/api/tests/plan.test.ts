import type { UpgradePlan } from '@plimsoll/contract';
import { TriState } from '@plimsoll/proto';
import { apiPerFile, enrol } from './api-under-test.ts';
import {
  critical,
  debianKernel,
  debianOffer,
  debianPackage,
  debianRecord,
  freshLists,
  type HostFacts,
  reportingHost,
  runs,
} from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { protobufTime } from './sample-snapshot.ts';

const api = apiPerFile();

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2', cvss: critical }),
    debianRecord('DEBIAN-CVE-2024-0002', 'openssh', { fixed: '3' }),
    debianRecord('DEBIAN-CVE-2024-0003', 'curl', { urgency: 'medium' }),
    debianRecord('DEBIAN-CVE-2024-0004', 'zlib', { fixed: '2' }),
    debianRecord('DEBIAN-CVE-2024-0005', 'linux', { fixed: '6.1.123-1' }),
    debianRecord('DEBIAN-CVE-2024-0006', 'evil', { fixed: '2' }),
  ]);
});

async function planOf(hostname: string, facts: HostFacts): Promise<UpgradePlan> {
  const host = await reportingHost(api, hostname, { observed: freshLists(), ...facts });
  const answer = await api.admin.get(`/api/v1/hosts/${host.id}/plan`);
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('GET /hosts/{id}/plan', () => {
  it('lists what is upgraded, what that closes, and what stays open and why', async () => {
    const plan = await planOf('a.example.org', {
      packages: ['openssh', 'curl', 'zlib', 'less'].map((name) =>
        debianPackage(name, '1', { held: name === 'zlib' }),
      ),
      upgradable: [
        debianOffer('openssh', { isSecurity: true }),
        debianOffer('less'),
        debianOffer('zlib', { held: true, isSecurity: true }),
      ],
    });
    expect(plan.packages.map(({ name, to_version, severity }) => [name, to_version, severity])).toEqual([
      ['less', '2', null],
      ['openssh', '2', 'critical'],
    ]);
    expect(plan.left_out.map(({ name, reason }) => [name, reason])).toEqual([['zlib', 'held']]);
    expect(plan.closes).toEqual([
      {
        id: 'DEBIAN-CVE-2024-0001',
        severity: 'critical',
        known_exploited: false,
        packages: ['openssh'],
        after_reboot: false,
      },
    ]);
    expect(plan.stays_open.map(({ id, packages, fix_state }) => [id, packages, fix_state])).toEqual([
      ['DEBIAN-CVE-2024-0003', ['curl'], 'no_fix'],
      ['DEBIAN-CVE-2024-0002', ['openssh'], 'not_in_repositories'],
      ['DEBIAN-CVE-2024-0004', ['zlib'], 'held'],
    ]);
    expect(plan.commands).toEqual([
      {
        scope: 'full',
        command: 'apt-get update && apt-get upgrade --with-new-pkgs',
        unpinned: null,
        packages: 2,
      },
      {
        scope: 'security',
        command: 'apt-get update && apt-get install --only-upgrade openssh=2',
        unpinned: 'apt-get update && apt-get install --only-upgrade openssh',
        packages: 1,
      },
    ]);
    expect(plan.restarts.state).toBe('unknown');
  });

  it('omits versions lower than the installed one and installed versions', async () => {
    const plan = await planOf('downgrade.example.org', {
      packages: ['openssh', 'curl', 'less'].map((name) => debianPackage(name, '1')),
      upgradable: [
        debianOffer('openssh', { candidateVersion: '1', isSecurity: true }),
        debianOffer('curl', { candidateVersion: '0.9', isSecurity: true }),
        debianOffer('less', { candidateVersion: '0:1' }),
      ],
    });
    expect(plan.packages).toEqual([]);
    expect(plan.commands).toEqual([]);
    expect(plan.left_out).toEqual([
      {
        name: 'curl',
        architecture: 'amd64',
        from_version: '1',
        to_version: '0.9',
        severity: null,
        reason: 'downgrade',
      },
    ]);
  });

  const kernel: HostFacts = {
    packages: [
      debianKernel('6.1.0-28-amd64', '6.1.119-1'),
      debianPackage('linux-image-amd64', '6.1.119-1', {
        sourceName: 'linux-signed-amd64',
        sourceVersion: '6.1.119+1',
      }),
    ],
    upgradable: [
      debianOffer(
        'linux-image-amd64',
        { sourceName: 'linux-signed-amd64', sourceVersion: '6.1.123+1', isSecurity: true },
        '6.1.119-1',
        '6.1.123-1',
      ),
    ],
    kernel: { runningRelease: '6.1.0-28-amd64' },
  };

  it('predicts a reboot where a kernel is among it, which its advisories wait for', async () => {
    const plan = await planOf('c.example.org', kernel);
    expect(plan.reboot.state).toBe('needed');
    expect(plan.reboot.reasons).toEqual([{ code: 'kernel_upgraded', detail: 'linux-image-amd64' }]);
    expect(plan.closes.map(({ id, after_reboot }) => [id, after_reboot])).toEqual([
      ['DEBIAN-CVE-2024-0005', true],
    ]);
  });

  it('predicts no reboot in a container', async () => {
    const plan = await planOf('d.example.org', { ...kernel, virtualization: 'lxc' });
    expect(plan.reboot).toEqual({ state: 'not_needed', reasons: [] });
  });

  it('predicts no quiet upgrade where more may be offered than is known', async () => {
    const after = async (hostname: string, listsAt: Date) => {
      const { reboot, restarts } = await planOf(hostname, {
        packages: [debianKernel('6.1.0-28-amd64', '6.1.119-1')],
        ...runs(undefined, undefined, { rebootRequired: TriState.NO }),
        services: { restartRequired: TriState.NO },
        observed: { ...freshLists(), refreshed: [{ repositoryId: 'main', at: protobufTime(listsAt) }] },
      });
      return [reboot.state, restarts.state];
    };
    expect(await after('i.example.org', new Date())).toEqual(['not_needed', 'not_needed']);
    const threeWeeksAgo = new Date(Date.now() - 21 * 86_400_000);
    expect(await after('j.example.org', threeWeeksAgo)).toEqual(['unknown', 'unknown']);
  });

  it('predicts a reboot where a core package is among it', async () => {
    const plan = await planOf('e.example.org', {
      packages: [debianPackage('libc6', '1', { sourceName: 'glibc' })],
      upgradable: [debianOffer('libc6', { sourceName: 'glibc' })],
    });
    expect(plan.reboot.reasons).toEqual([{ code: 'core_package_upgraded', detail: 'libc6' }]);
  });

  it('predicts no reboot in a container where a core package is among it', async () => {
    const plan = await planOf('h.example.org', {
      packages: [debianPackage('libc6', '1', { sourceName: 'glibc' })],
      upgradable: [debianOffer('libc6', { sourceName: 'glibc' })],
      virtualization: 'lxc',
    });
    expect(plan.reboot).toEqual({ state: 'not_needed', reasons: [] });
    expect(plan.restarts.state).toBe('unknown');
  });

  it('puts no invalid name into a command, and does not claim to upgrade it', async () => {
    const name = "evil';$(reboot)";
    const plan = await planOf('f.example.org', {
      packages: [debianPackage(name, '1', { sourceName: 'evil' }), debianPackage('openssh', '1')],
      upgradable: [
        debianOffer(name, { sourceName: 'evil', isSecurity: true }),
        debianOffer('openssh', { isSecurity: true }),
      ],
    });
    expect(plan.left_out.map(({ reason }) => reason)).toEqual(['unsafe_name']);
    expect(plan.commands.map(({ scope }) => scope)).toEqual(['security']);
    expect(JSON.stringify(plan.commands)).not.toContain('reboot');
    expect(plan.closes.map(({ id }) => id)).toEqual(['DEBIAN-CVE-2024-0001']);
    expect(plan.stays_open.map(({ id }) => id)).toContain('DEBIAN-CVE-2024-0006');
  });

  it('offers no full upgrade that would install a package with an invalid name', async () => {
    const plan = await planOf('g.example.org', {
      packages: [debianPackage('openssh', '1')],
      upgradable: [debianOffer('openssh'), debianOffer('-o=evil', { installedVersion: '' })],
    });
    expect(plan.packages.map(({ name }) => name)).toEqual(['openssh']);
    expect(plan.commands.map(({ scope }) => scope)).toEqual(['security']);
    expect(JSON.stringify(plan.commands)).not.toContain('evil');
  });

  it('has nothing for a host without a report', async () => {
    const { id } = await enrol(api, { hostname: 'new.example.org' });
    const { body } = await api.admin.get(`/api/v1/hosts/${id}/plan`);
    expect(body).toMatchObject({ snapshot_id: null, updates_state: 'unknown', packages: [], commands: [] });
    expect(body.reboot.state).toBe('unknown');
  });
});
