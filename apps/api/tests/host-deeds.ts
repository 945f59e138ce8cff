import { type ApiUnderTest, enrol } from './api-under-test.ts';
import type { Deeds } from './deeds.ts';
import { fleetOf } from './fleet.ts';
import { sampleReport } from './sample-report.ts';
import { sshFleetOf } from './ssh-fleet.ts';

const fingerprint = `SHA256:${'A'.repeat(43)}`;

/** Calls of operations on hosts, their groups and tokens. */
export function hostDeeds(api: ApiUnderTest): Deeds {
  const addGroup = () =>
    api.admin.post('/api/v1/groups', { json: { name: `Group ${Math.random()}`, filter: { tag: 'web' } } });

  async function addToken() {
    return api.admin.post('/api/v1/registration-tokens', { json: { name: 'test' } });
  }

  return {
    createManualHost: () =>
      api.admin.post('/api/v1/hosts/manual', { json: { display_name: 'A', hostname: 'a.example.org' } }),
    updateHost: async () =>
      api.admin.patch(`/api/v1/hosts/${await fleetOf(api).addHost()}`, { json: { tags: ['x'] } }),
    deleteHost: async () => api.admin.delete(`/api/v1/hosts/${await fleetOf(api).addHost()}`),
    approveHost: async () => {
      const { id } = await enrol(api, { autoApprove: false });
      return api.admin.post(`/api/v1/hosts/${id}/approve`);
    },
    actOnHosts: async () => {
      const hosts = [await fleetOf(api).addHost()];
      return api.admin.post('/api/v1/hosts/actions', { json: { action: 'retire', hosts } });
    },
    createGroup: addGroup,
    updateGroup: async () =>
      api.admin.patch(`/api/v1/groups/${(await addGroup()).body.id}`, { json: { shared: true } }),
    deleteGroup: async () => api.admin.delete(`/api/v1/groups/${(await addGroup()).body.id}`),
    createSshHost: () => sshFleetOf(api).create(),
    createSshHosts: () =>
      api.admin.post('/api/v1/hosts/ssh/batch', {
        json: { hosts: [{ display_name: 'B', hostname: 'b.example.org', ssh_user: 'plimsoll' }] },
      }),
    pullHostNow: async () => {
      const fleet = sshFleetOf(api);
      return fleet.pullNow(await fleet.add());
    },
    acceptHostKey: async () =>
      api.admin.post(`/api/v1/hosts/${await sshFleetOf(api).add()}/ssh/accept-host-key`, {
        json: { fingerprint },
      }),
    rotateSshKey: async () => api.admin.post(`/api/v1/hosts/${await sshFleetOf(api).add()}/ssh/rotate-key`),
    uploadReport: async () => {
      const fleet = fleetOf(api);
      return fleet.send(await fleet.addHost(), sampleReport(), { query: '?force=true' });
    },
    retryUploads: async () => {
      const host = await fleetOf(api).addHost();
      await fleetOf(api).send(host, 'no report', { query: '?force=true' });
      await api.database.db.pool.query(
        `UPDATE uploads SET state = 'rejected', error_code = 'internal', ended_at = now() WHERE host_id = $1`,
        [host],
      );
      return api.admin.post('/api/v1/quarantine/uploads/retry', { json: { reason: 'internal' } });
    },
    createRegistrationToken: addToken,
    revokeRegistrationToken: async () =>
      api.admin.delete(`/api/v1/registration-tokens/${(await addToken()).body.id}`),
    registerAgent: async () =>
      api.post('/api/v1/agent/register', {
        json: {
          registration_token: (await addToken()).body.token,
          hostname: 'new.example.org',
          machine_id: 'machine-of-new',
        },
      }),
  };
}
