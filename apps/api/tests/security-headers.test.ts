import { request as httpRequest } from 'node:http';
import { apiPerFile, startApi } from './api-under-test.ts';

const api = apiPerFile(() =>
  startApi({ trustedProxies: ['127.0.0.1'], metricsToken: 'token-for-monitoring' }),
);

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A request as a proxy on this machine passes it on. */
function ask(url: string, path: string, headers: Record<string, string> = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(new URL(path, url), { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    asked.on('error', reject).end();
  });
}

describe('Strict-Transport-Security', () => {
  it.each(['/', '/api/v1/hosts', '/nothing'])(
    'is sent where a trusted proxy says https, on %s',
    async (path) => {
      const { headers } = await ask(api.url, path, { 'x-forwarded-proto': 'https', accept: 'text/html' });
      expect(headers['strict-transport-security']).toBe('max-age=2592000');
      expect((await ask(api.url, path)).headers['strict-transport-security']).toBeUndefined();
    },
  );

  it('is not sent because another client says https, nor if the setting says so', async () => {
    const other = await startApi({ trustedProxies: [] });
    const off = await startApi({ trustedProxies: ['127.0.0.1'], hstsDays: 0 });
    try {
      for (const { url } of [other, off]) {
        const { headers } = await ask(url, '/healthz', { 'x-forwarded-proto': 'https' });
        expect(headers['strict-transport-security']).toBeUndefined();
      }
    } finally {
      await other.stop();
      await off.stop();
    }
  });
});

describe('Permissions-Policy', () => {
  it('allows passkeys and copying, and nothing else', async () => {
    const policy = String((await ask(api.url, '/healthz')).headers['permissions-policy']);
    expect(
      policy
        .split(', ')
        .filter((entry) => !entry.endsWith('=()'))
        .sort(),
    ).toEqual([
      'clipboard-write=(self)',
      'publickey-credentials-create=(self)',
      'publickey-credentials-get=(self)',
    ]);
    expect(policy).toContain('camera=()');
  });
});

describe('metrics and details of readiness', () => {
  it('need the token if there is one, also from this machine', async () => {
    expect((await ask(api.url, '/metrics')).status).toBe(401);
    expect((await ask(api.url, '/metrics', { authorization: 'Bearer another' })).status).toBe(401);
    const headers = { authorization: 'Bearer token-for-monitoring-2' };
    expect((await ask(api.url, '/metrics', headers)).status).toBe(401);
  });

  it('are given with the token, and readiness says only whether without', async () => {
    const monitored = await startApi({ metricsToken: 'token-for-monitoring' });
    try {
      const headers = { authorization: 'Bearer token-for-monitoring' };
      const metrics = await ask(monitored.url, '/metrics', headers);
      expect([metrics.status, metrics.text.includes('plimsoll_')]).toEqual([200, true]);
      expect(JSON.parse((await ask(monitored.url, '/readyz', headers)).text)).toEqual({
        status: 'ready',
        database: 'up',
        migrations: 'applied',
        queue: 'up',
        failing_rounds: [],
      });
      expect(JSON.parse((await ask(monitored.url, '/readyz')).text)).toEqual({ status: 'ready' });
    } finally {
      await monitored.stop();
    }
  });

  it('without a token in the settings are for this machine itself, not for clients of a proxy on it', async () => {
    const local = await startApi({ trustedProxies: ['127.0.0.1'] });
    try {
      expect((await ask(local.url, '/metrics')).status).toBe(200);
      for (const headers of [
        { 'x-forwarded-for': '127.0.0.1' },
        { forwarded: 'for=127.0.0.1' },
        { via: '1.1 proxy' },
      ]) {
        expect((await ask(local.url, '/metrics', headers)).status).toBe(401);
        expect(JSON.parse((await ask(local.url, '/readyz', headers)).text)).toEqual({ status: 'ready' });
      }
    } finally {
      await local.stop();
    }
  });
});
