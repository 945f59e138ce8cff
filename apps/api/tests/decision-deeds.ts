import type { ApiUnderTest } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import type { Deeds } from './deeds.ts';
import { fleetOf } from './fleet.ts';
import { importOsv } from './pipeline.ts';

/** Calls of operations on policies, waivers, plans, evidence and feeds. */
export function decisionDeeds(api: ApiUnderTest): Deeds {
  /** A document about a finding of a host. */
  async function importVex() {
    const cves = ['CVE-2024-0001'];
    await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2', cves })]);
    await reportingHost(api, 'waived', { packages: [debianPackage('openssh', '1')] as never });
    const json = {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      statements: [
        {
          vulnerability: { name: cves[0] },
          products: [{ '@id': 'pkg:deb/debian/openssh' }],
          status: 'not_affected',
        },
      ],
    };
    return api.admin.post(`/api/v1/waivers/import?all_hosts=true&expires_at=${inADay()}`, { json });
  }

  async function waive() {
    const json = {
      kind: 'mitigated',
      packages: ['curl'],
      all_hosts: true,
      reason: 'none',
      expires_at: inADay(),
    };
    return api.admin.post('/api/v1/waivers', { json });
  }

  async function savePlan() {
    const hosts = [await fleetOf(api).addHost()];
    return api.admin.post('/api/v1/saved-plans', { json: { name: 'Monday', hosts } });
  }

  return {
    setDuePolicy: () => api.admin.put('/api/v1/policies/due-dates', { json: { preset: 'by-severity' } }),
    setExposureRules: () =>
      api.admin.put('/api/v1/policies/exposure', { json: { rules: [{ tag: 'web', exposure: 'public' }] } }),
    setOriginRules: () =>
      api.admin.put('/api/v1/policies/origins', { json: [{ origin: '. bookworm', mirrors: 'debian' }] }),
    setTagRules: () =>
      api.admin.put('/api/v1/policies/tags', { json: { rules: [{ name: 'web-*', tags: ['web'] }] } }),
    savePlan,
    createEvidenceKey: () => api.admin.post('/api/v1/evidence/keys'),
    createWaiver: waive,
    importWaivers: importVex,
    updateWaiver: async () =>
      api.admin.patch(`/api/v1/waivers/${(await waive()).body.id}`, { json: { reason: 'other' } }),
    endWaiver: async () => api.admin.delete(`/api/v1/waivers/${(await waive()).body.id}`),
    deleteSavedPlan: async () => api.admin.delete(`/api/v1/saved-plans/${(await savePlan()).body.id}`),
    syncFeed: () => api.admin.post('/api/v1/feeds/debian-osv/sync'),
    importFeed: () =>
      api.admin.post('/api/v1/feeds/import', {
        bytes: Buffer.from('{"id":"X"}\n'),
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
  };
}

function inADay(): string {
  return new Date(Date.now() + 86_400_000).toISOString();
}
