import { enrol } from './api-under-test.ts';
import type { Admin, Deeds } from './deeds.ts';
import { fleetOf } from './fleet.ts';
import { sampleReport } from './sample-report.ts';
import { sshFleetOf } from './ssh-fleet.ts';

const fingerprint = `SHA256:${'A'.repeat(43)}`;

/** Calls of operations on hosts, their groups and tokens. */
export function hostDeeds({ api, token }: Admin): Deeds {
  const addGroup = () =>
    api.post('/api/v1/groups', {
      token,
      json: { name: `Group ${Math.random()}`, filter: { tag: 'web' } },
    });

  async function addToken() {
    return api.post('/api/v1/registration-tokens', { token, json: { name: 'test' } });
  }

  return {
    createManualHost: () =>
      api.post('/api/v1/hosts/manual', { token, json: { display_name: 'A', hostname: 'a.example.org' } }),
    updateHost: async () =>
      api.patch(`/api/v1/hosts/${await fleetOf(api, token).addHost()}`, { token, json: { tags: ['x'] } }),
    deleteHost: async () => api.delete(`/api/v1/hosts/${await fleetOf(api, token).addHost()}`, { token }),
    approveHost: async () => {
      const { id } = await enrol(api, token, { autoApprove: false });
      return api.post(`/api/v1/hosts/${id}/approve`, { token });
    },
    actOnHosts: async () => {
      const hosts = [await fleetOf(api, token).addHost()];
      return api.post('/api/v1/hosts/actions', { token, json: { action: 'retire', hosts } });
    },
    createGroup: addGroup,
    updateGroup: async () =>
      api.patch(`/api/v1/groups/${(await addGroup()).body.id}`, { token, json: { shared: true } }),
    deleteGroup: async () => api.delete(`/api/v1/groups/${(await addGroup()).body.id}`, { token }),
    createSshHost: () => sshFleetOf(api, token).create(),
    createSshHosts: () =>
      api.post('/api/v1/hosts/ssh/batch', {
        token,
        json: { hosts: [{ display_name: 'B', hostname: 'b.example.org', ssh_user: 'plimsoll' }] },
      }),
    pullHostNow: async () => {
      const fleet = sshFleetOf(api, token);
      return fleet.pullNow(await fleet.add());
    },
    acceptHostKey: async () =>
      api.post(`/api/v1/hosts/${await sshFleetOf(api, token).add()}/ssh/accept-host-key`, {
        token,
        json: { fingerprint },
      }),
    rotateSshKey: async () =>
      api.post(`/api/v1/hosts/${await sshFleetOf(api, token).add()}/ssh/rotate-key`, { token }),
    uploadReport: async () => {
      const fleet = fleetOf(api, token);
      return fleet.send(await fleet.addHost(), sampleReport(), { query: '?force=true' });
    },
    createRegistrationToken: addToken,
    revokeRegistrationToken: async () =>
      api.delete(`/api/v1/registration-tokens/${(await addToken()).body.id}`, { token }),
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
