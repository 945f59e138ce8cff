import { apiPerFile } from './api-under-test.ts';
import { debianOffer, debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const packages = [
  debianPackage('bash', '5.2-1'),
  debianPackage('curl', '7.88-1'),
  debianPackage('jq', '1.6-1'),
];
const upgradable = [
  debianOffer('bash', { isSecurity: true }, '5.2-1', '5.2-2'),
  debianOffer('curl', { isSecurity: false }, '7.88-1', '7.88-2'),
  debianOffer('jq', { isSecurity: true }, '1.6-1', '1.6-2'),
];

const api = apiPerFile();
let host: string;

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'curl', {
      fixed: '7.88-2',
      urgency: 'high',
      cves: ['CVE-2024-0001'],
    }),
    debianRecord('DEBIAN-CVE-2024-0002', 'jq', { fixed: '1.6-2', urgency: 'low', cves: ['CVE-2024-0002'] }),
  ]);
  host = (await reportingHost(api, 'web', { packages, upgradable })).id;
});

const list = async (id: string) => (await api.admin.get(`/api/v1/hosts/${id}/disagreements`)).body;
const metric = async () => /^plimsoll_disagreements (\S+)$/m.exec((await api.get('/metrics')).text)?.[1];

it('are listed with both statements, and counted on the host and in the fleet', async () => {
  expect(await list(host)).toEqual([
    {
      kind: 'security_update_without_finding',
      name: 'bash',
      architecture: 'amd64',
      installed_version: '5.2-1',
      candidate_version: '5.2-2',
      package_manager: { is_security: true, repository: 'debian-security', advisory_ids: [] },
      plimsoll: { reason: 'not_affected', severity: null, fixed_version: null, advisory_ids: [] },
    },
    {
      kind: 'finding_without_security_update',
      name: 'curl',
      architecture: 'amd64',
      installed_version: '7.88-1',
      candidate_version: '7.88-2',
      package_manager: { is_security: false, repository: 'debian-security', advisory_ids: [] },
      plimsoll: {
        reason: 'affected',
        severity: 'important',
        fixed_version: '7.88-2',
        advisory_ids: ['DEBIAN-CVE-2024-0001'],
      },
    },
  ]);
  const { body } = await api.admin.get(`/api/v1/hosts/${host}`);
  expect(body.disagreement_count).toBe(2);
  expect(await metric()).toBe('2');
});

it('disappear when an advisory explains the update', async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0002', 'jq', { fixed: '1.6-2', urgency: 'low', cves: ['CVE-2024-0002'] }),
    debianRecord('DEBIAN-CVE-2024-0003', 'bash', { fixed: '5.2-2', urgency: 'low', cves: ['CVE-2024-0003'] }),
  ]);
  expect(await list(host)).toEqual([]);
  expect(await metric()).toBe('0');
});

it('of hosts that are not approved do not count in the fleet', async () => {
  const pending = await reportingHost(api, 'pending', {
    packages,
    upgradable: upgradable.slice(1, 2).map((offer) => ({ ...offer, isSecurity: true })),
    autoApprove: false,
  });
  expect((await api.admin.get(`/api/v1/hosts/${pending.id}`)).body.disagreement_count).toBe(1);
  expect(await list(pending.id)).toHaveLength(1);
  expect(await metric()).toBe('0');
});
