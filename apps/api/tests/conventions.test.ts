import { once } from 'node:events';
import net from 'node:net';
import {
  hostSortFields,
  methods,
  type OperationId,
  operationIds,
  operationOf,
  problemSchema,
} from '@plimsoll/contract';
import { hostSortColumns } from '@plimsoll/db';
import request from 'supertest';
import { sortColumns } from '../src/operations/hosts/host-selection.ts';
import { adminEmail, adminPassword, apiPerFile, enrol, startApi } from './api-under-test.ts';
import { connectRaw } from './raw-client.ts';

const someId = '019a0000-0000-7000-8000-000000000000';

/** Valid bodies for operations that require one. */
const bodies: Partial<Record<OperationId, object>> = {
  acceptHostKey: { fingerprint: `SHA256:${'A'.repeat(43)}` },
};

/** Valid queries for operations that require one. */
const queries: Partial<Record<OperationId, string>> = {
  explainPackage: '?advisory=CVE-2024-6387',
  getHostVex: '?format=openvex',
  listPackageHosts: '?name=bash',
};

/** A path of a template, with parameters of the right form. */
function somePath(template: string): string {
  return template
    .replace('{id}/sync', 'debian/sync')
    .replace('{sha256}', '0'.repeat(64))
    .replace('cves/{id}', 'cves/CVE-2024-6387')
    .replace(/\{\w+\}/g, someId);
}

const api = apiPerFile();

/** Sends bytes unchanged and returns all received text once the connection ends. */
async function sendRaw(text: string): Promise<string> {
  const socket = net.connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.end(text);
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece;
  });
  await once(socket, 'close');
  return answer;
}

it('hosts can be sorted by all fields that the contract and the database name', () => {
  expect(Object.keys(sortColumns).sort()).toEqual([...hostSortFields].sort());
  expect(Object.values(sortColumns).sort()).toEqual([...hostSortColumns].sort());
});

describe('a request id', () => {
  it.each(['a', 'req-1.2_3:4/5+6=7@8~9', 'x'.repeat(128)])(
    '%s is echoed and is in every log line',
    async (id) => {
      const answer = await api.admin.get('/api/v1/auth/me', { headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).toBe(id);
      expect(api.log.lines.filter(({ requestId }) => requestId === id)).toEqual([
        expect.objectContaining({
          msg: 'request done',
          route: '/api/v1/auth/me',
          status: 200,
          method: 'GET',
        }),
      ]);
    },
  );

  it.each(['', 'a b', 'x'.repeat(129), 'a"b', '<script>', 'ä'])(
    '%j is replaced by one of ours',
    async (id) => {
      const answer = await api.get('/healthz', { headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('that is sent twice is replaced by a new one', async () => {
    const answer = await sendRaw(
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
  });
});

describe('a header', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'called %s changes nothing',
    async (name) => {
      const head = (path: string, rest: string) =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\n${name}: x\r\n${name}: y\r\n${rest}Connection: close\r\n\r\n`;
      const answerTo = async (text: string) => {
        const client = await connectRaw(api.url, text);
        await once(client.socket, 'end');
        client.close();
        return client.received();
      };
      expect(await answerTo(head('/healthz', ''))).toMatch(/^HTTP\/1\.1 200 .*\{"status":"ok"\}$/s);
      expect(await answerTo(head('/api/v1/auth/me', ''))).toMatch(/^HTTP\/1\.1 401 /);
      const signedIn = `Authorization: Bearer ${api.admin.token}\r\n`;
      expect(await answerTo(head('/api/v1/auth/me', signedIn))).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});

describe('a body', () => {
  it.each([
    ['PATCH', '/users/{id}', 'users'],
    ['POST', '/users', 'users'],
    ['POST', '/hosts/manual', 'hosts'],
    ['POST', '/registration-tokens', 'registration_tokens'],
  ])(
    'of %s %s with __proto__ and constructor is refused, and changes nothing',
    async (method, route, table) => {
      const rowsOf = async () =>
        (await api.database.db.pool.query(`SELECT t::text FROM ${table} t ORDER BY 1`)).rows;
      const before = await rowsOf();
      const { rows } = await api.database.db.pool.query<{ id: string }>('SELECT id FROM users LIMIT 1');
      const url = `${api.url}/api/v1${route.replace('{id}', rows[0]?.id ?? '')}`;
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        const polluting = `{"${name}":{"polluted":true,"role":"admin","auto_approve":true}}`;
        const answer = await fetch(url, {
          method,
          headers: { authorization: `Bearer ${api.admin.token}`, 'content-type': 'application/json' },
          body: polluting,
        });
        expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(`"/${name}"`)]);
      }
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      expect(await rowsOf()).toEqual(before);
    },
  );
});

describe('JSON', () => {
  const document = (levels: number) =>
    Buffer.from(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
  const send = (bytes: Buffer) => {
    const headers = { 'Content-Type': 'application/json' };
    return api.admin.post('/api/v1/waivers/import?all_hosts=true&expires_at=2099-01-01T00:00:00Z', {
      bytes,
      headers,
    });
  };

  it.each([65, 6_000, 1_000_000])('of %s levels is refused', async (levels) => {
    const { status, body } = await send(document(levels));
    expect([status, body.code, body.detail]).toEqual([
      400,
      'invalid_json',
      'The body is nested more than 64 levels deep.',
    ]);
  });

  it('of 64 levels is read, and brackets in texts and beside one another do not count', async () => {
    const texts = `{"a\\"${'['.repeat(99)}":"${'{'.repeat(99)}\\\\","b":[${'[],{},'.repeat(99)}0]}`;
    for (const bytes of [document(64), Buffer.from(texts)])
      expect((await send(bytes)).body.code).toBe('validation_failed');
  });
});

describe('the origin of a request', () => {
  const proxied = apiPerFile(() => startApi({ trustedProxies: ['127.0.0.0/8', '::1'] }));

  const bodiesByPath = {
    '/api/v1/auth/download': { path: '/api/v1/hosts.csv' },
    '/api/v1/registration-tokens': { name: 'x' },
    '/api/v1/auth/login': { email: adminEmail, password: adminPassword, refresh_cookie: true },
  };
  it.each([
    { Host: 'x.test:99999' },
    { Host: '[::1' },
    { Host: 'xn--.test' },
    { Host: "x'y" },
    { Host: 'x.test/path' },
    { 'X-Forwarded-Proto': "x'y" },
    { 'X-Forwarded-Proto': 'ftp, https' },
  ])('is refused if it is none: %j', async (headers) => {
    for (const [path, json] of Object.entries(bodiesByPath)) {
      const { status, body } = await proxied.admin.post(path, { json, headers });
      expect([path, status, body.code]).toEqual([path, 400, 'bad_request']);
    }
  });

  it('is its Host with the protocol of a trusted proxy, never X-Forwarded-Host', async () => {
    const headers = { Host: 'plimsoll.test', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https' };
    const { body } = await proxied.admin.post('/api/v1/registration-tokens', {
      json: { name: 'x' },
      headers,
    });
    expect(body.install_command).toContain('https://plimsoll.test');
    expect(body.install_command).not.toContain('evil.test');
  });
});

describe('an unknown path', () => {
  it.each([
    '/nothing',
    '/api',
    '/api/v1',
    '/api/v2/hosts',
    '/api/v1/Hosts',
    '/api/v1/hosts/',
    '/api/v1//hosts',
    '/api/v1/hosts/%',
    '/api/v1/hosts/%E0%A4%A',
    '/api/v1/flocks',
    '/api/v1/fleet',
  ])('%s is 404, with a token and without', async (path) => {
    for (const call of [{}, { token: api.admin.token }]) {
      const answer = await api.get(path, call);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }
  });
});

describe('an id of the wrong form', () => {
  const paths = operationIds
    .filter((id) => operationOf(id).params !== null)
    .map((id) => [id, operationOf(id)] as const);

  it.each(paths)('is 404 for %s', async (_, { method, path, body }) => {
    for (const wrong of [
      'x',
      '1',
      someId.slice(1),
      '%00',
      "'%20OR%201=1",
      'A'.repeat(300),
      '..%2f..%2fetc',
    ]) {
      const json = body.kind === 'json' ? {} : undefined;
      const answer = await api[method](path.replace(/\{\w+\}/g, wrong), { token: api.admin.token, json });
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }
  });

  it.each(paths)('is answered for %s only to users', async (_, { method, path }) => {
    expect((await api[method](path.replace(/\{\w+\}/g, 'x'))).status).toBe(401);
  });

  it.each(paths)('is 404 for %s, as for an unknown id', async (id, { method, path, body }) => {
    const sent =
      body.kind === 'bytes'
        ? { bytes: Buffer.from('x'), headers: { 'Content-Type': body.contentTypes[0] ?? '' } }
        : { json: body.kind === 'json' ? (bodies[id] ?? {}) : undefined };
    const url = path.replace(/\{\w+\}/g, someId) + (queries[id] ?? '');
    const answer = await api[method](url, { token: api.admin.token, ...sent });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});

describe('a query', () => {
  let hostId: string;
  beforeAll(async () => {
    ({ id: hostId } = await enrol(api));
  });

  const reads = operationIds.filter((id) => {
    const { auth, method, query } = operationOf(id);
    return auth === 'user' && method === 'get' && query !== null;
  });
  it.each(reads)('of %s is refused where it has an unknown name, limit or cursor', async (id) => {
    const { path, query } = operationOf(id);
    const url = somePath(path.replace('hosts/{id}', `hosts/${hostId}`));
    const known = Object.keys(query?.shape ?? {});
    for (const [name, text] of [
      ['colour', 'red'],
      ['limit', '0'],
      ['limit', '1001'],
      ['cursor', 'abc'],
      ['cursor', Buffer.from('{"n":"a\\u0000","k":99999999999,"id":"x"}').toString('base64url')],
    ] as const) {
      if (name !== 'colour' && !known.includes(name)) continue;
      const first = queries[id] ?? '?';
      const { status, body } = await api.admin.get(
        `${url}${first}${first === '?' ? '' : '&'}${name}=${text}`,
      );
      expect([name, text, status]).toEqual([name, text, 422]);
      expect(body.errors).toContainEqual(expect.objectContaining({ pointer: `/${name}` }));
    }
  });
});

describe('a method that a path does not take', () => {
  const byPath = new Map<string, string[]>();
  for (const id of operationIds) {
    const { path, method } = operationOf(id);
    byPath.set(path, [...(byPath.get(path) ?? []), method]);
  }

  it.each([...byPath])('is 405 with Allow on %s', async (template, known) => {
    const path = somePath(template);
    const allow = [
      ...methods.filter((method) => known.includes(method)),
      ...(known.includes('get') ? ['head'] : []),
      'options',
    ];
    for (const method of [...methods, 'put', 'head', 'trace'] as const) {
      if (known.includes(method) || (method === 'head' && known.includes('get'))) continue;
      const answer = await request(api.server)[method](path);
      expect([answer.status, answer.headers['allow']]).toEqual([405, allow.join(', ').toUpperCase()]);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      if (method !== 'head')
        expect(problemSchema.parse(JSON.parse(answer.text)).code).toBe('method_not_allowed');
    }
  });

  it.each([...byPath])('is listed by OPTIONS on %s', async (template) => {
    const answer = await request(api.server).options(somePath(template));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['allow']).toContain('OPTIONS');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('HEAD', () => {
  it.each(['/healthz', '/readyz', '/metrics', '/api/v1/openapi.json', '/api/v1/hosts', '/api/v1/auth/me'])(
    'has the headers of GET and no body on %s',
    async (path) => {
      const [get, head] = [
        await api.admin.get(path),
        await request(api.server).head(path).set('Authorization', `Bearer ${api.admin.token}`),
      ];
      expect([head.status, head.headers['content-type']]).toEqual([get.status, get.headers['content-type']]);
      expect(head.text).toBeUndefined();
    },
  );

  it('without a token has no body either', async () => {
    const head = await request(api.server).head('/api/v1/hosts');
    expect([head.status, head.text]).toEqual([401, undefined]);
  });
});

describe('a credential', () => {
  it('for registration is not accepted elsewhere', async () => {
    const issued = await api.admin.post('/api/v1/registration-tokens', { json: { name: 'x' } });
    for (const path of ['/api/v1/hosts', '/api/v1/agent/config']) {
      expect((await api.get(path, { token: issued.body.token })).status).toBe(401);
    }
  });

  it('that is sent twice is not accepted', async () => {
    const header = `Authorization: Bearer ${api.admin.token}\r\n`;
    const answer = await sendRaw(
      `GET /api/v1/hosts HTTP/1.1\r\nHost: x\r\n${header}${header}Connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('every answer', () => {
  it.each(['/', '/healthz', '/nothing', '/api/v1/hosts'])('of %s has the security headers', async (path) => {
    const { headers } = await request(api.server).get(path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['an unknown method', 'FROB / HTTP/1.1\r\n\r\n'],
    ['no header', 'GET / HTTP/1.1\r\nx y\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
    ['headers that are too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    [
      'two lengths',
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
  ])('gets a problem, too: %s', async (_, text) => {
    const [head = '', body = ''] = (await sendRaw(text)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toContain('\r\nContent-Type: application/problem+json\r\n');
    expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(problemSchema.parse(JSON.parse(body)).code).toBe('bad_request');
  });
});
