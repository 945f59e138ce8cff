import { type ApiUnderTest, adminEmail, adminPassword } from './api-under-test.ts';
import type { Deeds } from './deeds.ts';
import { secondFactorDeeds } from './second-factor-deeds.ts';

const password = 'a long password of theirs';

/** Calls of operations on users, their sessions and keys. */
export function accountDeeds(api: ApiUnderTest): Deeds {
  let made = 0;

  const addKey = () =>
    api.admin.post('/api/v1/api-keys', {
      json: { name: 'A', role: 'viewer', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    });

  async function addUser() {
    made += 1;
    const json = { email: `user${made}@example.org`, role: 'viewer', password };
    return api.admin.post('/api/v1/users', { json });
  }

  async function invite() {
    made += 1;
    const json = { email: `invited${made}@example.org`, role: 'viewer' };
    return api.admin.post('/api/v1/users/invitations', { json });
  }

  async function signIn() {
    const { body } = await addUser();
    return api.post('/api/v1/auth/login', { json: { email: body.email, password } });
  }

  return {
    completeSetup: () => api.get('/api/v1/setup/status'),
    login: () => api.post('/api/v1/auth/login', { json: { email: adminEmail, password: adminPassword } }),
    logout: async () => api.post('/api/v1/auth/logout', { token: (await signIn()).body.token }),
    changePassword: async () =>
      api.post('/api/v1/auth/password', {
        token: (await signIn()).body.token,
        json: { current_password: password, new_password: 'another long password' },
      }),
    ...secondFactorDeeds(api, async () => {
      const { body } = await addUser();
      const signedIn = await api.post('/api/v1/auth/login', { json: { email: body.email, password } });
      return { id: body.id, email: body.email, password, token: signedIn.body.token };
    }),
    createApiKey: addKey,
    endApiKey: async () => api.admin.delete(`/api/v1/api-keys/${(await addKey()).body.id}`),
    createInvitation: invite,
    revokeInvitation: async () => api.admin.delete(`/api/v1/users/invitations/${(await invite()).body.id}`),
    acceptInvitation: async () =>
      api.post('/api/v1/auth/accept-invitation', { json: { token: (await invite()).body.token, password } }),
    endSession: async () => {
      await signIn();
      const { body } = await api.admin.get('/api/v1/sessions?limit=1');
      return api.admin.delete(`/api/v1/sessions/${body[0].id}`);
    },
    endSessions: async () => api.delete('/api/v1/sessions', { token: (await signIn()).body.token }),
    createUser: addUser,
    updateUser: async () =>
      api.admin.patch(`/api/v1/users/${(await addUser()).body.id}`, {
        json: { role: 'operator', password: 'yet another long password' },
      }),
    deleteUser: async () => api.admin.delete(`/api/v1/users/${(await addUser()).body.id}`),
  };
}
