import jwt from 'jsonwebtoken';
import { accessRuleOf } from '../src/oidc/oidc-settings.ts';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';
import { createBrowser } from './oidc/browser.ts';
import { forge, json, type Lies, type LyingProvider, startLyingProvider } from './oidc/lying-provider.ts';
import { oidcSettings } from './oidc/oidc-settings.ts';

let api: ApiUnderTest;
let provider: LyingProvider;
/** The API's clock is ahead by this: its copy of the provider's description is old after ten minutes. */
let aheadMs = 0;

beforeAll(async () => {
  provider = await startLyingProvider({ clientId: 'plimsoll', groupsClaim: 'groups' });
  api = await startApi(
    { oidc: { ...oidcSettings(provider.issuer), access: [accessRuleOf('web-team=viewer')] } },
    () => new Date(Date.now() + aheadMs),
  );
  await setUp(api);
});
afterAll(async () => {
  await api.stop();
  await provider.stop();
});
beforeEach(() => {
  aheadMs += 11 * 60_000;
});

/** Signs in while the provider lies; the reason on the sign-in page, or null once signed in. */
async function signIn(lies: Lies): Promise<string | null> {
  provider.lie(lies);
  const page = await createBrowser().open(`${api.url}/api/v1/auth/oidc/start`);
  expect(page.url.origin).toBe(api.url);
  return page.url.pathname === '/sign-in' ? page.url.searchParams.get('refused') : null;
}

async function countUsers(): Promise<number> {
  return (await api.admin.get('/api/v1/users')).body.length;
}

const seconds = () => Math.floor(Date.now() / 1000);

describe('a provider that tells the truth', () => {
  it('signs a user in', async () => {
    expect(await signIn({})).toBeNull();
  });

  it('may change its keys between two sign-ins', async () => {
    expect(await signIn({})).toBeNull();
    const refused = await signIn({
      sign: (claims, { other }) => jwt.sign(claims, other, { algorithm: 'RS256', keyid: 'second' }),
      keys: ({ other }) => {
        const { n, e } = other.export({ format: 'jwk' });
        return [{ kty: 'RSA', n, e, kid: 'second', use: 'sig', alg: 'RS256' }];
      },
    });
    expect(refused).toBeNull();
  });
});

describe('an ID token', () => {
  const lies: Readonly<Record<string, Lies>> = {
    'that has expired': { claims: (claims) => ({ ...claims, exp: seconds() - 60 }) },
    'that never expires': { claims: ({ exp: _, ...claims }) => claims },
    'that is not valid yet': { claims: (claims) => ({ ...claims, nbf: seconds() + 600 }) },
    'for another nonce': { claims: (claims) => ({ ...claims, nonce: 'another' }) },
    'without a nonce': { claims: ({ nonce: _, ...claims }) => claims },
    'for another client': { claims: (claims) => ({ ...claims, aud: 'another' }) },
    'for several clients, given to another': {
      claims: (claims) => ({ ...claims, aud: ['plimsoll', 'another'], azp: 'another' }),
    },
    'of another issuer': { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) },
    'without a subject': { claims: ({ sub: _, ...claims }) => claims },
    'with a subject that no database stores': { claims: (claims) => ({ ...claims, sub: 'mal\0lory' }) },
    'with an endless subject': { claims: (claims) => ({ ...claims, sub: 'm'.repeat(100_000) }) },
    'signed with a key that is not published': {
      sign: (claims, { other }) => jwt.sign(claims, other, { algorithm: 'RS256', keyid: 'first' }),
    },
    'that names a key that is not published': {
      sign: (claims, { own }) => jwt.sign(claims, own, { algorithm: 'RS256', keyid: 'unknown' }),
    },
    'without a signature': { sign: (claims) => forge({ alg: 'none' }, claims, null) },
    'without a signature, which the description allows': {
      description: { id_token_signing_alg_values_supported: ['none', 'RS256'] },
      sign: (claims) => forge({ alg: 'none' }, claims, null),
    },
    'signed by HMAC with the public key as the secret': {
      description: { id_token_signing_alg_values_supported: ['HS256', 'RS256'] },
      sign: (claims, { publicPem }) => forge({ alg: 'HS256', kid: 'first' }, claims, publicPem),
    },
    'signed by HMAC with the secret of the client': {
      description: { id_token_signing_alg_values_supported: ['HS256'] },
      sign: (claims) => forge({ alg: 'HS256' }, claims, oidcSettings('').clientSecret),
    },
    'that brings its own key': {
      sign: (claims, { other }) => {
        const { n, e } = other.export({ format: 'jwk' });
        return jwt.sign(claims, other, {
          algorithm: 'RS256',
          header: { alg: 'RS256', jwk: { kty: 'RSA', n, e } } as jwt.JwtHeader,
        });
      },
    },
    'with a changed part': {
      sign: (claims, { own }) => {
        const [header, , signature] = jwt
          .sign(claims, own, { algorithm: 'RS256', keyid: 'first' })
          .split('.');
        const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url');
        return `${header}.${changed}.${signature}`;
      },
    },
    'that is no token': { sign: () => 'no token' },
  };
  it.each(Object.keys(lies))('%s is refused', async (name) => {
    const before = await countUsers();
    expect(await signIn(lies[name] ?? {})).toBe('provider_invalid');
    expect(await countUsers()).toBe(before);
  });

  it('of an earlier sign-in is refused', async () => {
    expect(await signIn({})).toBeNull();
    const earlier = provider.lastIdToken();
    expect(await signIn({ sign: () => earlier })).toBe('provider_invalid');
  });
});

describe('an answer', () => {
  it.each<[string, Lies, string]>([
    ['of another issuer (mix-up)', { callback: { iss: 'https://evil.example' } }, 'provider_invalid'],
    ['without the issuer that the description promises', { callback: { iss: null } }, 'provider_invalid'],
    ['with another state', { callback: { state: 'another' } }, 'expired'],
    ['without a state', { callback: { state: null } }, 'expired'],
    ['without a code', { callback: { code: null } }, 'provider_invalid'],
    ['with an ID token of its own', { callback: { id_token: 'x' } }, 'provider_invalid'],
    ['that denies', { callback: { code: null, error: 'access_denied' } }, 'denied'],
    ['that the server failed', { callback: { code: null, error: 'server_error' } }, 'provider_unreachable'],
    ['with an error nobody knows', { callback: { error: 'whatever' } }, 'provider_invalid'],
  ])('%s is refused', async (_, lies, reason) => {
    expect(await signIn(lies)).toBe(reason);
  });
});

describe('a description', () => {
  it.each<[string, Lies]>([
    ['of another issuer', { description: { issuer: 'https://evil.example' } }],
    ['without a token endpoint', { description: { token_endpoint: undefined } }],
    ['without keys', { description: { jwks_uri: undefined } }],
    ['with a token endpoint that is no http', { description: { token_endpoint: 'file:///etc/passwd' } }],
    [
      'that is no JSON',
      { answers: { '/.well-known/openid-configuration': (_, response) => response.end('<html>') } },
    ],
    [
      'that redirects',
      {
        answers: {
          '/.well-known/openid-configuration': (_, response) =>
            response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
        },
      },
    ],
    [
      'without an end',
      {
        answers: {
          '/.well-known/openid-configuration': (_, response) => {
            const more = () => {
              if (response.write('x'.repeat(64 * 1024))) setImmediate(more);
              else response.once('drain', more);
            };
            response.writeHead(200, { 'content-type': 'application/json' });
            more();
            response.on('error', () => undefined);
          },
        },
      },
    ],
  ])('%s is refused', async (_, lies) => {
    expect(await signIn(lies)).toBe('provider_invalid');
  });

  it('with keys on a metadata server is not followed there', async () => {
    expect(await signIn({ description: { jwks_uri: 'http://169.254.169.254/keys' } })).toBe(
      'provider_unreachable',
    );
  });

  it('is asked for once by many browsers', async () => {
    provider.lie({});
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${api.url}/api/v1/auth/oidc/start`, { redirect: 'manual' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(303));
    expect(provider.asked('/.well-known/openid-configuration')).toBe(1);
  });
});

describe('a provider that fails', () => {
  it.each<[string, Lies]>([
    ['closes the connection', { answers: { '/token': (request) => request.socket.destroy() } }],
    [
      'closes it while it describes itself',
      { answers: { '/.well-known/openid-configuration': (request) => request.socket.destroy() } },
    ],
    ['has no keys just now', { answers: { '/keys': (request) => request.socket.destroy() } }],
  ])('%s: it is said that it cannot be reached', async (_, lies) => {
    expect(await signIn(lies)).toBe('provider_unreachable');
  });

  it('answers with an error of its own: it is refused', async () => {
    expect(
      await signIn({ answers: { '/token': (_, response) => response.writeHead(500).end('a stack') } }),
    ).toBe('provider_invalid');
  });

  it('says that the code was used: the sign-in has expired', async () => {
    const answers: Lies['answers'] = {
      '/token': (_, response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: 'invalid_grant' }));
      },
    };
    expect(await signIn({ answers })).toBe('expired');
  });

  it('stops nothing else while it is silent', async () => {
    const waiting: (() => void)[] = [];
    provider.lie({ answers: { '/token': (_, response) => void waiting.push(() => json(response, {})) } });
    const slow = createBrowser().open(`${api.url}/api/v1/auth/oidc/start`);
    while (waiting.length === 0) await new Promise(setImmediate);
    expect((await api.admin.get('/api/v1/auth/me')).status).toBe(200);
    for (const answer of waiting) answer();
    expect((await slow).url.searchParams.get('refused')).toBe('provider_invalid');
  });
});

describe('a session', () => {
  it.each([
    ['is as old a proof as the one at the provider', { auth_time: seconds() - 7200 }, true],
    ['is no proof of the future', { auth_time: seconds() + 7200 }, false],
    ['is a proof of now if the provider does not say when', {}, false],
  ])('%s', async (_, said, isOld) => {
    expect(await signIn({ claims: (claims) => ({ ...claims, ...said }) })).toBeNull();
    const { rows } = await api.database.db.pool.query<{ age: number }>(
      `SELECT extract(epoch FROM created_at - authenticated_at)::float8 AS age FROM sessions
       WHERE method = 'oidc' ORDER BY id DESC LIMIT 1`,
    );
    const age = rows[0]?.age ?? Number.NaN;
    expect(isOld ? age >= 7200 : age === 0).toBe(true);
  });
});

describe('a refused sign-in', () => {
  it('is in the audit log with its reason, and in the log without any secret', async () => {
    expect(await signIn({ claims: (claims) => ({ ...claims, nonce: 'another' }) })).toBe('provider_invalid');
    const { body } = await api.admin.get('/api/v1/audit-events?action=user.login_failed&limit=1');
    expect(body[0]).toMatchObject({
      actor_id: null,
      details: { method: 'oidc', reason: 'provider_invalid' },
    });
    const line = api.log.lines.find(({ requestId }) => requestId === body[0].request_id);
    expect(line).toMatchObject({ reason: 'provider_invalid', why: expect.stringContaining('nonce') });
    expect(JSON.stringify(api.log.lines)).not.toContain(provider.lastIdToken());
    expect(JSON.stringify(api.log.lines)).not.toContain('an access token');
  });
});
