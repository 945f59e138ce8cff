import type { ApiUnderTest } from './api-under-test.ts';

/** Requests around the enrolment of hosts. */
export interface EnrolmentRequests {
  /** Issues a registration token, as the admin. */
  issue(json?: object): Promise<{ id: string; token: string; install_command: string }>;
  /** Enrols a host; its machine id is new unless `changes` has one. */
  register(
    registrationToken: string,
    changes?: object,
    headers?: Record<string, string>,
  ): ReturnType<ApiUnderTest['post']>;
  /** The API's answer about a host, as the admin. */
  hostOf(id: string): Promise<Awaited<ReturnType<ApiUnderTest['get']>>['body']>;
}

/** The requests to `api`. */
export function enrolmentRequests(api: ApiUnderTest): EnrolmentRequests {
  let machines = 0;
  return {
    async issue(json = {}) {
      const answer = await api.admin.post('/api/v1/registration-tokens', { json: { name: 'web', ...json } });
      expect(answer.status).toBe(201);
      return answer.body;
    },
    register(registrationToken, changes = {}, headers = {}) {
      machines += 1;
      const json = {
        registration_token: registrationToken,
        hostname: 'web-1',
        machine_id: `machine-${machines}`,
        ...changes,
      };
      return api.post('/api/v1/agent/register', { json, headers });
    },
    hostOf: async (id) => (await api.admin.get(`/api/v1/hosts/${id}`)).body,
  };
}
