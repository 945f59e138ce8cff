import { adminEmail, adminPassword } from './api-under-test.ts';
import type { Admin, Deeds } from './deeds.ts';
import { secondFactorDeeds } from './second-factor-deeds.ts';

const password = 'a long password of theirs';

/** Calls of operations on users, their sessions and keys. */
export function accountDeeds({ api, token }: Admin): Deeds {
  let made = 0;

  const addKey = () =>
    api.post('/api/v1/api-keys', {
      token,
      json: { name: 'A', role: 'viewer', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    });

  async function addUser() {
    made += 1;
    const json = { email: `user${made}@example.org`, role: 'viewer', password };
    return api.post('/api/v1/users', { token, json });
  }

  async function invite() {
    made += 1;
    const json = { email: `invited${made}@example.org`, role: 'viewer' };
    return api.post('/api/v1/users/invitations', { token, json });
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
    ...secondFactorDeeds({ api, token }, async () => {
      const { body } = await addUser();
      const signedIn = await api.post('/api/v1/auth/login', { json: { email: body.email, password } });
      return { id: body.id, email: body.email, password, token: signedIn.body.token };
    }),
    createApiKey: addKey,
    endApiKey: async () => api.delete(`/api/v1/api-keys/${(await addKey()).body.id}`, { token }),
    createInvitation: invite,
    revokeInvitation: async () =>
      api.delete(`/api/v1/users/invitations/${(await invite()).body.id}`, { token }),
    acceptInvitation: async () =>
      api.post('/api/v1/auth/accept-invitation', { json: { token: (await invite()).body.token, password } }),
    endSession: async () => {
      await signIn();
      const { body } = await api.get('/api/v1/sessions?limit=1', { token });
      return api.delete(`/api/v1/sessions/${body[0].id}`, { token });
    },
    endSessions: async () => api.delete('/api/v1/sessions', { token: (await signIn()).body.token }),
    createUser: addUser,
    updateUser: async () =>
      api.patch(`/api/v1/users/${(await addUser()).body.id}`, {
        token,
        json: { role: 'operator', password: 'yet another long password' },
      }),
    deleteUser: async () => api.delete(`/api/v1/users/${(await addUser()).body.id}`, { token }),
  };
}
