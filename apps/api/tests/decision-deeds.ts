import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import type { Admin, Deeds } from './deeds.ts';
import { fleetOf } from './fleet.ts';
import { importOsv } from './pipeline.ts';

/** Calls of operations on policies, waivers, plans, evidence and feeds. */
export function decisionDeeds({ api, token }: Admin): Deeds {
  /** A document about a finding of a host. */
  async function importVex() {
    const cves = ['CVE-2024-0001'];
    await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2', cves })]);
    await reportingHost(api, token, 'waived', { packages: [debianPackage('openssh', '1')] as never });
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
    return api.post(`/api/v1/waivers/import?all_hosts=true&expires_at=${inADay()}`, { token, json });
  }

  async function waive() {
    const json = {
      kind: 'mitigated',
      packages: ['curl'],
      all_hosts: true,
      reason: 'none',
      expires_at: inADay(),
    };
    return api.post('/api/v1/waivers', { token, json });
  }

  async function savePlan() {
    const hosts = [await fleetOf(api, token).addHost()];
    return api.post('/api/v1/saved-plans', { token, json: { name: 'Monday', hosts } });
  }

  return {
    setDuePolicy: () => api.put('/api/v1/policies/due-dates', { token, json: { preset: 'by-severity' } }),
    setExposureRules: () =>
      api.put('/api/v1/policies/exposure', {
        token,
        json: { rules: [{ tag: 'web', exposure: 'public' }] },
      }),
    setTagRules: () =>
      api.put('/api/v1/policies/tags', { token, json: { rules: [{ name: 'web-*', tags: ['web'] }] } }),
    savePlan,
    createEvidenceKey: () => api.post('/api/v1/evidence/keys', { token }),
    createWaiver: waive,
    importWaivers: importVex,
    updateWaiver: async () =>
      api.patch(`/api/v1/waivers/${(await waive()).body.id}`, { token, json: { reason: 'other' } }),
    endWaiver: async () => api.delete(`/api/v1/waivers/${(await waive()).body.id}`, { token }),
    deleteSavedPlan: async () => api.delete(`/api/v1/saved-plans/${(await savePlan()).body.id}`, { token }),
    syncFeed: () => api.post('/api/v1/feeds/debian-osv/sync', { token }),
    importFeed: () =>
      api.post('/api/v1/feeds/import', {
        token,
        bytes: Buffer.from('{"id":"X"}\n'),
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
  };
}

function inADay(): string {
  return new Date(Date.now() + 86_400_000).toISOString();
}
