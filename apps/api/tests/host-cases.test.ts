import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { UploadId } from '@plimsoll/model';
import { apiPerFile } from './api-under-test.ts';
import {
  alma9,
  aptLists,
  bookworm,
  type CaseSections,
  caseReport,
  osRelease,
  rpmLine,
} from './case-reports.ts';
import { debianRecord } from './debian-fleet.ts';
import { fleetOf } from './fleet.ts';
import { importOsv, parseAndMatch } from './pipeline.ts';

// Cases from public reports of the field, each with its source.
const api = apiPerFile();
const get = async (path: string) => (await api.admin.get(`/api/v1${path}`)).body;

async function hostWith(family: 'apt' | 'rpm', sections: CaseSections): Promise<string> {
  const id = await fleetOf(api).addHost();
  const { status, body } = await fleetOf(api).sendAndWait(id, caseReport(family, sections));
  expect([status, body.errors ?? []]).toEqual([200, []]);
  return id;
}

/** The packages of a host: `name verdict reason`. */
async function verdictsOf(id: string): Promise<readonly string[]> {
  const rows = await get(`/hosts/${id}/packages`);
  return rows.map((row: { name: string; verdict: string; verdict_reason: string | null }) =>
    [row.name, row.verdict, row.verdict_reason ?? ''].join(' ').trim(),
  );
}

describe('kernels by what boots', () => {
  const kernel = (release: string) => ({
    'os-release': alma9,
    kernel: `release\t${release}\nversion\t#1 SMP`,
  });

  // anchore/grype issue 2446; MicrosoftDocs/azure-docs pull request 127358.
  it('a unified kernel image alone is the kernel', async () => {
    const version = '5.14.0-503.14.1.el9_5';
    const id = await hostWith('rpm', {
      ...kernel(`${version}.x86_64`),
      rpm: [rpmLine('kernel-uki-virt', version), rpmLine('kernel-modules-core', version)].join('\n'),
    });
    expect(await get(`/hosts/${id}/kernel-posture`)).toMatchObject({
      reboot_state: 'not_needed',
      installed_kernels: [{ package: 'kernel-uki-virt', running: true }],
    });
  });

  // TAPPaaS issues 274 and 275; BassT23/Proxmox issue 50.
  it.each([
    ['7.0.2-6-pve', 'needed'],
    ['7.0.6-2-pve', 'not_needed'],
  ])('of Proxmox, %s runs: a reboot is %s', async (release, state) => {
    const versions = ['7.0.2-6', '7.0.6-2'];
    const id = await hostWith('apt', {
      'os-release': bookworm,
      kernel: `release\t${release}\nversion\t#1 SMP PREEMPT_DYNAMIC PMX ${release.replace('-pve', '')} (2026-05-11T09:00Z)`,
      dpkg: versions
        .map((v) => `ii \tproxmox-kernel-${v}-pve-signed\tamd64\t${v}\tproxmox-kernel-signed-7.0\t${v}`)
        .join('\n'),
    });
    const posture = await get(`/hosts/${id}/kernel-posture`);
    expect(posture.reboot_state).toBe(state);
    const [reason] = posture.reboot_reasons;
    if (state === 'needed') {
      expect(reason.code).toBe('newer_kernel_installed');
      expect(reason.detail).toContain('7.0.6-2-pve');
    }
  });
});

describe('where packages come from', () => {
  const debianList = 'v=12.9,o=Debian,a=oldstable,n=bookworm,l=Debian,c=main,b=amd64';

  // aquasecurity/trivy issues 722 and 649; wazuh/wazuh issue 6430.
  it('what no repository has is not the distribution’s', async () => {
    const packages = [
      'openssl 3.0.15-1~deb12u1',
      'nodejs [20.19.0-1nodesource1] >18.19.0+dfsg-6~deb12u2',
      'google-chrome-stable [120.0.6099.109-1]',
    ];
    const id = await hostWith('apt', { 'os-release': bookworm, ...aptLists(packages, debianList) });
    expect(await verdictsOf(id)).toEqual([
      'google-chrome-stable unknown no_repository',
      'nodejs unknown no_repository',
      'openssl comparable',
    ]);
  });

  it('an rpm package without vendor and signature is not the distribution’s', async () => {
    const id = await hostWith('rpm', {
      'os-release': alma9,
      rpm: [
        rpmLine('bash', '5.1.8-9.el9'),
        rpmLine('mine', '1-1', '(none)', ''),
        rpmLine('kept', '1-1', '(none)'),
      ].join('\n'),
    });
    expect(await verdictsOf(id)).toEqual([
      'bash comparable',
      'kept comparable',
      'mine unknown not_the_distributions',
    ]);
  });

  // aptly-dev/aptly issue 306; algorand/go-algorand pull request 39.
  it('an operator states that an archive mirrors Debian, for all hosts or by tag', async () => {
    await importOsv(api.database, [debianRecord('CVE-2024-0001', 'openssl', { fixed: '3.0.15-1~deb12u1' })]);
    const lists = aptLists(
      ['openssl 3.0.11-1~deb12u1 <3.0.15-1~deb12u1'],
      'o=. bookworm,a=bookworm,n=bookworm,l=. bookworm,c=main,b=amd64',
    );
    const sections = {
      'os-release': bookworm,
      ...lists,
      'apt-upgrade':
        'Inst openssl [3.0.11-1~deb12u1] (3.0.15-1~deb12u1 . bookworm:bookworm [amd64])\n1 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.',
    };
    const id = await hostWith('apt', sections);
    const found = async () =>
      (await get(`/hosts/${id}/packages/vulnerable`)).map((row: { fix_state: string }) => row.fix_state);
    const state = async (rules: readonly object[]) => {
      const { status } = await api.admin.put('/api/v1/policies/origins', { json: rules });
      expect(status).toBe(200);
      await readAgain();
    };
    const tag = async (...tags: readonly string[]) => {
      await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags } });
      await readAgain();
    };
    const readAgain = async () => {
      const uploads = await fleetOf(api).uploadsOf(id);
      await parseAndMatch(
        api.database,
        uploads
          .filter((one: { state: string }) => one.state === 'received')
          .map((one: { id: UploadId }) => one.id),
      );
    };
    expect(await verdictsOf(id)).toEqual(['openssl unknown not_the_distributions']);
    const rule = { origin: '. Bookworm', mirrors: 'debian' };
    const preview = await api.admin.post('/api/v1/policies/origins/preview', { json: [rule] });
    expect(preview.body).toEqual({ rules: [{ hosts: 1, packages: 1, unchecked: 1 }] });
    await state([rule]);
    expect(await verdictsOf(id)).toEqual(['openssl comparable']);
    expect(await found()).toEqual(['installable']);
    const [row] = await get(`/hosts/${id}/packages`);
    expect(row.origin_evidence).toBe('". bookworm" is stated to mirror debian.');
    await state([{ ...rule, label: '. Bookworm' }]);
    expect(await verdictsOf(id)).toEqual(['openssl unknown not_the_distributions']);
    await state([
      { ...rule, label: 'other' },
      { ...rule, label: '. bookworm' },
    ]);
    expect(await found()).toEqual(['installable']);
    await state([{ ...rule, tags: ['lab'] }]);
    expect(await found()).toEqual([]);
    await tag('lab');
    expect(await found()).toEqual(['installable']);
    await tag('other');
    expect(await found()).toEqual([]);
    expect(await get('/policies/origins')).toEqual([{ ...rule, tags: ['lab'] }]);
    const [event] = (await get('/audit-events?action=origin_rules.changed')) as { details: object }[];
    expect(event?.details).toEqual({
      rules: {
        from: [
          '. Bookworm with the label other mirrors debian',
          '. Bookworm with the label . bookworm mirrors debian',
        ],
        to: ['. Bookworm mirrors debian for lab'],
      },
    });
  });
});

// canonical/ubuntu-pro-client issue 2181.
it('CVEs that a live patch client names in lower case are live patched', async () => {
  const id = await hostWith('apt', {
    'os-release': osRelease({ ID: 'ubuntu', VERSION_ID: '22.04', VERSION_CODENAME: 'jammy' }),
    kernel: 'release\t5.15.0-91-generic\nversion\t#101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023',
    dpkg: 'ii \tlinux-image-5.15.0-91-generic\tamd64\t5.15.0-91.101\tlinux-signed\t5.15.0-91.101',
    livepatch:
      '{"Status":[{"Kernel":"5.15.0-91.101-generic","Running":true,"Livepatch":{"State":"applied","Version":"104.1","Fixes":[{"Name":"cve-2023-6817","Patched":true}]}}]}',
  });
  await importOsv(api.database, [
    {
      schema_version: '1.7.0',
      id: 'UBUNTU-CVE-2023-6817',
      modified: '2024-12-05T14:55:52Z',
      upstream: ['CVE-2023-6817'],
      affected: [
        {
          package: { ecosystem: 'Ubuntu:22.04:LTS', name: 'linux' },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '5.15.0-92.102' }] }],
        },
      ],
    },
  ]);
  const rows = await get(`/hosts/${id}/packages/vulnerable`);
  expect(rows.map((row: { fix_state: string }) => row.fix_state)).toEqual(['livepatched']);
});

describe('the command that a system takes', () => {
  // avocado-framework/avocado pull request 6165; rpm-software-management/dnf issue 2108.
  it('in image mode is bootc, and a playbook leaves it out', async () => {
    const id = await hostWith('rpm', {
      'os-release': `${alma9}\nOSTREE_VERSION='9.20250601'`,
      rpm: ['curl', 'bootc', 'ostree', 'dnf'].map((name) => rpmLine(name, '7.76.1-31.el9')).join('\n'),
      updates: 'tool\tdnf\ncurl.x86_64 7.76.1-40.el9_8.5 baseos',
    });
    expect(await get(`/hosts/${id}/plan`)).toMatchObject({
      package_manager: 'bootc',
      commands: [{ scope: 'full', command: 'bootc upgrade' }],
      reboot: { state: 'needed', reasons: [{ code: 'new_system' }] },
    });
    const plan = await api.admin.post('/api/v1/plans', {
      json: { hosts: [id], upgrades: 'all', versions: 'pinned' },
    });
    expect(plan.body.hosts[0]).toMatchObject({ command: 'bootc upgrade' });
    const notes = plan.body.hosts[0].notes.map(({ code }: { code: string }) => code);
    expect(notes).toEqual(expect.arrayContaining(['image_based', 'no_playbook']));
  });

  // uyuni-project/uyuni pull request 9607; uyuni-rfc pull request 73.
  it('of SL Micro is transactional-update', async () => {
    const suse = 'SUSE LLC <https://www.suse.com/>';
    const id = await hostWith('rpm', {
      'os-release': osRelease({ ID: 'sl-micro', ID_LIKE: 'suse', VERSION_ID: '6.1' }),
      rpm: ['curl', 'transactional-update'].map((name) => rpmLine(name, '1-1', suse)).join('\n'),
      updates:
        'tool\tzypper\nS | Repository | Name | Current Version | Available Version | Arch\n--+------------+------+-----------------+-------------------+-----\nv | r | curl | 1-1 | 1-2 | x86_64',
      advisories: 'tool\tzypper\nNo updates found.',
    });
    const { package_manager: manager, commands } = await get(`/hosts/${id}/plan`);
    expect([manager, commands[0].command]).toEqual(['transactional-update', 'transactional-update up']);
  });
});

// kolide/launcher issue 2205; bkbilly/lnxlink issue 234; PatchMon/PatchMon issue 150.
it('an update that is offered to other hosts first is phased, not held, and not among the available ones', async () => {
  const [installed, newer] = ['3.24.41-4ubuntu1.2', '3.24.41-4ubuntu1.3'];
  const lists = aptLists(
    [`libgtk-3-0t64 ${installed} <${newer}`],
    'v=24.04,o=Ubuntu,a=noble-updates,n=noble,l=Ubuntu,c=main,b=amd64',
  );
  const id = await hostWith('apt', {
    'os-release': osRelease({ ID: 'ubuntu', VERSION_ID: '24.04', VERSION_CODENAME: 'noble' }),
    ...lists,
    'apt-policy': (lists['apt-policy'] ?? '').replace(`${newer} 500`, `${newer} 500 (phased 30%)`),
    'apt-upgrade':
      'The following upgrades have been deferred due to phasing:\n  libgtk-3-0t64\n0 upgraded, 0 newly installed, 0 to remove and 1 not upgraded.',
  });
  expect(await get(`/hosts/${id}`)).toMatchObject({ available_updates: 0, phased_updates: 1 });
  expect(await get(`/hosts/${id}/packages/upgradable`)).toMatchObject([
    { name: 'libgtk-3-0t64', phased: true, held: false },
  ]);
  expect((await get(`/hosts/${id}/plan`)).left_out).toMatchObject([{ reason: 'phased' }]);
});

describe('which release, and until when it has support', () => {
  // which-distro/os-release: puppy/10.0.8, opensuse/13.2, sles/11.4.
  it.each([
    [
      'apt',
      { ID: 'debian', VERSION_ID: '10.0.8', VERSION_CODENAME: 'bookworm', NAME: 'Puppy' },
      'debian:12',
      '2028-07-01',
    ],
    ['rpm', { ID: 'opensuse', VERSION_ID: '13.2' }, 'opensuse:13.2', '2017-01-18'],
    ['rpm', { ID: 'sles', VERSION_ID: '11.4' }, 'suse:11.4', '2019-04-01'],
    ['rpm', { ID: 'centos', VERSION_ID: '8', PRETTY_NAME: 'CentOS Stream 8' }, 'centos:8', '2024-06-01'],
    ['rpm', { ID: 'centos', VERSION_ID: '8', PRETTY_NAME: 'CentOS Linux 8' }, 'centos:8', '2022-01-01'],
  ] as const)('%s %j is %s, until %s', async (family, fields, release, end) => {
    const packages: CaseSections =
      family === 'apt'
        ? { dpkg: 'ii \topenssl\tamd64\t3.0.11-1~deb12u1\topenssl\t3.0.11-1~deb12u1' }
        : { rpm: rpmLine('bash', '1-1', 'SUSE LLC <https://www.suse.com/>') };
    const id = await hostWith(family, { 'os-release': osRelease(fields), ...packages });
    const host = await get(`/hosts/${id}`);
    expect(host).toMatchObject({ judged_as: release, support_ends_at: `${end}T00:00:00.000Z` });
    expect(host.coverage === 'eol').toBe(end < '2026');
    expect(host.overall_action === 'upgrade_release').toBe(end < '2026');
  });

  it('extended support that the repositories show is support', async () => {
    const sections = (alias: string): CaseSections => ({
      'os-release': osRelease({ ID: 'sles', VERSION_ID: '15.5' }),
      rpm: rpmLine('bash', '1-1', 'SUSE LLC <https://www.suse.com/>'),
      repositories: `tool\tzypper\n# | Alias | Name | Enabled | GPG Check | Refresh | URI\n--+-------+------+---------+-----------+---------+----\n1 | ${alias} | x | Yes | (r ) Yes | Yes | https://updates.suse.com/x/`,
    });
    const [without, covered] = [
      await hostWith('rpm', sections('SLE-Updates')),
      await hostWith('rpm', sections('SLES15-SP5-LTSS-Updates')),
    ];
    expect(await get(`/hosts/${without}`)).toMatchObject({ coverage: 'eol', support_extended: false });
    const host = await get(`/hosts/${covered}`);
    expect(host).toMatchObject({ support_extended: true, support_ends_at: '2028-01-01T00:00:00.000Z' });
    expect(host.coverage).not.toBe('eol');
  });
});

it('what a vendor advises without a fix is shown and exported', async () => {
  const sample = '../../../packages/advisories/testdata/redhat/CVE-2023-38545.vex.json';
  await importOsv(
    api.database,
    [JSON.parse(readFileSync(path.resolve(__dirname, sample), 'utf8')) as object],
    'redhat-vex',
  );
  const { records } = await get('/advisories/CVE-2023-38545');
  expect(records[0].workarounds).toMatchObject([
    {
      text: expect.stringContaining('CURLPROXY_'),
      source_url: 'https://access.redhat.com/security/cve/CVE-2023-38545',
      packages: expect.arrayContaining(['curl']),
    },
  ]);
  const id = await hostWith('rpm', {
    'os-release': osRelease({ ID: 'rhel', VERSION_ID: '9.3' }),
    rpm: rpmLine('curl', '7.76.1-23.el9', 'Red Hat, Inc.'),
  });
  const { vulnerabilities } = await get(`/hosts/${id}/sbom`);
  expect(vulnerabilities).toMatchObject([{ workaround: records[0].workarounds[0].text }]);
});
