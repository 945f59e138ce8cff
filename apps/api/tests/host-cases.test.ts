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

describe('where packages come from', () => {
  // aptly-dev/aptly issue 306; algorand/go-algorand pull request 39.
  it('an operator states that an archive mirrors Debian, for all hosts or by tag', async () => {
    await importOsv(api.database, [debianRecord('CVE-2024-0001', 'openssl', { fixed: '3.0.15-1~deb12u1' })]);
    const lists = aptLists(
      'openssl',
      '3.0.11-1~deb12u1',
      '3.0.15-1~deb12u1',
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
});

// kolide/launcher issue 2205; bkbilly/lnxlink issue 234; PatchMon/PatchMon issue 150.
it('an update that is offered to other hosts first is phased, not held, and not among the available ones', async () => {
  const [installed, newer] = ['3.24.41-4ubuntu1.2', '3.24.41-4ubuntu1.3'];
  const lists = aptLists(
    'libgtk-3-0t64',
    installed,
    newer,
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

it.each([
  ['CentOS Linux 8', 'centos', '8', 'baseos', '2022-01-01'],
  ['CentOS Stream 8', 'centos', '8', 'baseos', '2024-06-01'],
  ['SLES 15 SP5', 'sles', '15.5', 'SLES15-SP5-LTSS-Updates', '2028-01-01'],
])('%s has an end of support of its own', async (name, osId, number, repository, end) => {
  const id = await hostWith('rpm', {
    'os-release': osRelease({ ID: osId, VERSION_ID: number, PRETTY_NAME: name }),
    rpm: rpmLine('bash', '1-1'),
    repositories: `tool\tdnf\nRepo-id : ${repository}\nRepo-status : enabled\nRepo-baseurl : https://repo.example/`,
  });
  const host = await get(`/hosts/${id}`);
  expect(host.support_ends_at).toBe(`${end}T00:00:00.000Z`);
  expect(host.coverage === 'eol').toBe(end < '2026');
  expect(host.overall_action === 'upgrade_release').toBe(end < '2026');
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
  const [{ text, source_url }] = records[0].workarounds;
  expect(vulnerabilities).toMatchObject([{ workaround: text }]);
  const [finding] = await get(`/hosts/${id}/packages/vulnerable?include_unfixed=true`);
  expect(finding.advisories).toMatchObject([{ workarounds: [{ text, source_url }] }]);
  for (const by of ['advisory', 'cve']) {
    const csv = (await api.admin.get(`/api/v1/findings.csv?group_by=${by}&cve=CVE-2023-38545`)).text;
    expect([by, csv.includes('CURLPROXY_')]).toEqual([by, true]);
  }
});
