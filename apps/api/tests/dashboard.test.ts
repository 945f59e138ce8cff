import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMetrics } from '@plimsoll/process';
import request from 'supertest';
import { createApp } from '../src/create-app.ts';
import { readDashboard } from '../src/dashboard/read-dashboard.ts';
import { apiPerFile } from './api-under-test.ts';

const api = apiPerFile();

const page = (place: string) => request(api.server).get(place).set('Accept', 'text/html,*/*;q=0.8');
const script = '/assets/main-0a1b2c3d.js';

describe('the dashboard', () => {
  it.each(['/', '/hosts', '/hosts/0190?tab=updates', '/sign-in'])(
    'is one page at %s, which may run only scripts of its own',
    async (place) => {
      const answer = await page(place);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      const policy = answer.headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default");
    },
  );

  it('has a new nonce for its styles in each answer', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { headers, text } = await page('/');
        const nonce = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '')?.[1] ?? 'none';
        expect(text).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it('has files that browsers cache, compressed if they accept that', async () => {
    const plain = await request(api.server).get(script).set('Accept-Encoding', 'identity');
    expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' });
    expect(plain.headers['content-type']).toMatch(/^text\/javascript/);
    const compressed = await request(api.server).get(script).set('Accept-Encoding', 'gzip');
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.text).toBe(plain.text);
  });

  it('has a file that a browser downloads again only after a change', async () => {
    const { headers } = await request(api.server).get(script);
    const again = await request(api.server)
      .get(script)
      .set('If-None-Match', headers['etag'] ?? '');
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is served from memory after its files were removed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-dashboard-'));
    await cp(path.resolve(__dirname, '../testdata/dashboard'), folder, { recursive: true });
    const dashboard = await readDashboard(folder);
    const app = createApp({ ...api.context, metrics: createMetrics(), dashboard });
    await rm(folder, { recursive: true });
    const answer = await request(app).get(script).set('Accept-Encoding', 'identity');
    expect([answer.status, answer.text.length > 0]).toEqual([200, true]);
    expect((await request(app).get('/hosts').set('Accept', 'text/html')).status).toBe(200);
    expect((await request(app).get('/assets/other.js')).status).toBe(404);
  });

  it.each(['/api/v1/nothing', '/assets/gone.js', '/favicon.ico', '/%2e%2e/package.json', '/..%2findex.html'])(
    'is not at %s',
    async (place) => {
      const answer = await page(place);
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json']);
    },
  );

  it('is not an answer to requests for other types or to other methods', async () => {
    expect((await request(api.server).get('/hosts').set('Accept', 'application/json')).status).toBe(404);
    expect((await request(api.server).post('/hosts').set('Accept', 'text/html')).status).toBe(404);
  });

  it('that is not built is an error with instructions', async () => {
    await expect(readDashboard(path.resolve(__dirname, '../testdata'))).rejects.toThrow(
      'npm run build -w @plimsoll/dashboard',
    );
  });
});
