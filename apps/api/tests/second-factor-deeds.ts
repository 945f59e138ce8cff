import type { ApiUnderTest } from './api-under-test.ts';
import type { Deeds } from './deeds.ts';
import { addApp, addPasskey, codeAt, place } from './second-factor-users.ts';
import { createSoftwareAuthenticator } from './software-authenticator.ts';

/** A user that was added and signs in. */
interface FreshUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

/** A call of each operation on second factors that is in the audit log; `fresh` adds a user and signs it in. */
export function secondFactorDeeds(api: ApiUnderTest, fresh: () => Promise<FreshUser>): Deeds {
  const withApp = async () => {
    const user = await fresh();
    return { ...user, ...(await addApp(api, user.token)) };
  };
  const withPasskey = async () => {
    const user = await fresh();
    const { device, id: passkeyId } = await addPasskey(api, user.token);
    return { ...user, device, passkeyId };
  };
  return {
    answerSecondFactor: async () => {
      const { email, password, codes } = await withApp();
      const asked = await api.post('/api/v1/auth/login', { json: { email, password } });
      const json = { challenge: asked.body.challenge, recovery_code: codes[0] };
      return api.post('/api/v1/auth/second-factor', { json });
    },
    signInWithPasskey: async () => {
      const { device } = await withPasskey();
      const { options } = (await api.post('/api/v1/auth/passkeys/sign-in/options')).body;
      const json = { challenge: options.challenge, passkey: device.get(options) };
      return api.post('/api/v1/auth/passkeys/sign-in', { json });
    },
    reauthenticate: async () => {
      const { token, password } = await fresh();
      return api.post('/api/v1/auth/reauthenticate', { token, json: { password } });
    },
    confirmTotp: async () => {
      const { token } = await fresh();
      const { secret } = (await api.post('/api/v1/auth/totp', { token })).body;
      const json = { code: codeAt(secret, api.context.clock()) };
      return api.post('/api/v1/auth/totp/confirm', { token, json });
    },
    removeTotp: async () => api.delete('/api/v1/auth/totp', { token: (await withApp()).token }),
    makeRecoveryCodes: async () =>
      api.post('/api/v1/auth/recovery-codes', { token: (await withApp()).token }),
    addPasskey: async () => {
      const { token } = await fresh();
      const { options } = (await api.post('/api/v1/auth/passkeys/options', { token })).body;
      const credential = createSoftwareAuthenticator(place).create(options);
      const json = { name: 'key', challenge: options.challenge, credential };
      return api.post('/api/v1/auth/passkeys', { token, json });
    },
    removePasskey: async () => {
      const { token, passkeyId } = await withPasskey();
      return api.delete(`/api/v1/auth/passkeys/${passkeyId}`, { token });
    },
    resetSecondFactor: async () => api.admin.delete(`/api/v1/users/${(await withApp()).id}/second-factor`),
  };
}
