import { waitFor } from '@plimsoll/testing';
import { loginLimits } from '../src/auth/login-limits.ts';
import { warnOfOpenSetup } from '../src/auth/warn-of-open-setup.ts';
import { adminEmail, adminPassword, emptyApiPer, startApi } from './api-under-test.ts';
import { createTestLogger } from './test-logger.ts';

const code = 'the code of the cellar';
const api = emptyApiPer('test', () =>
  startApi({ setupCode: code, loginLimits: { ...loginLimits, failuresPerPair: 3 } }),
);

const complete = (setup_code?: string) =>
  api.post('/api/v1/setup/complete', {
    json: { email: adminEmail, password: adminPassword, ...(setup_code !== undefined && { setup_code }) },
  });

describe('a setup with a code', () => {
  it('reports that it requires one', async () => {
    const answer = await api.get('/api/v1/setup/status');
    expect(answer.body).toEqual({ setup_required: true, setup_code_required: true });
  });

  it('creates a user only with the right code', async () => {
    const answers = [await complete(), await complete('the code of the attic')];
    expect(answers.map(({ status, body }) => [status, body.errors])).toEqual([
      [422, [{ pointer: '/setup_code', detail: 'is required' }]],
      [422, [{ pointer: '/setup_code', detail: 'is not the setup code of this installation' }]],
    ]);
    expect((await api.get('/api/v1/setup/status')).status).toBe(200);
    expect((await complete(code)).status).toBe(201);
    expect((await complete(code)).status).toBe(404);
  });

  it('limits guessing', async () => {
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await complete(`guess number ${n}`)).status);
    const refused = await complete(code);
    expect([...statuses, refused.status]).toEqual([422, 422, 422, 429]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('writes the code into no log', async () => {
    await complete(code);
    await complete(`${code} and more`);
    expect(JSON.stringify(api.log.lines)).not.toContain(code);
  });
});

it('without a configured code accepts any, so that a client can send the same body everywhere', async () => {
  const open = await startApi();
  try {
    expect((await open.get('/api/v1/setup/status')).body).toEqual({ setup_required: true });
    const json = { email: adminEmail, password: adminPassword, setup_code: 'whatever' };
    expect((await open.post('/api/v1/setup/complete', { json })).status).toBe(201);
  } finally {
    await open.stop();
  }
});

describe('the warning of an open setup', () => {
  const warn = async (host: string, setupCode: string | null, signal: AbortSignal, everyMs?: number) => {
    const log = createTestLogger();
    const warned = warnOfOpenSetup({
      config: { 'api.host': host, 'api.setup_code': setupCode },
      users: api.context.stores.users,
      log: log.logger,
      signal,
      ...(everyMs !== undefined && { everyMs }),
    });
    return { log, warned };
  };
  const warnings = (lines: readonly unknown[]) =>
    lines.filter((line) => JSON.stringify(line).includes('can become its admin'));

  it('is repeated until there is a user', async () => {
    const { log, warned } = await warn('0.0.0.0', null, new AbortController().signal, 1);
    await waitFor('the third warning', async () => warnings(log.lines).length >= 3);
    await complete(code);
    await warned;
    expect(warnings(log.lines).length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['127.0.0.1', null],
    ['127.1.2.3', null],
    ['::1', null],
    ['localhost', null],
    ['0.0.0.0', code],
  ])('is not said where the API listens on %s with the code %s', async (host, setupCode) => {
    const { log, warned } = await warn(host, setupCode, new AbortController().signal);
    await warned;
    expect(log.lines).toEqual([]);
  });

  it('is not logged if there is a user, and ends with the API', async () => {
    const stopping = new AbortController();
    const open = await warn('::', null, stopping.signal);
    await waitFor('the warning', async () => warnings(open.log.lines).length === 1);
    stopping.abort();
    await open.warned;
    await complete(code);
    const { log, warned } = await warn('192.0.2.1', null, new AbortController().signal);
    await warned;
    expect(log.lines).toEqual([]);
  });
});
