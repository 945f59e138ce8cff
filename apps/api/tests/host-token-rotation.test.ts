import { waitFor } from '@plimsoll/testing';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol, setUp, startApi } from './api-under-test.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

const api = apiPerFile();

let hosts = 0;
async function newHost(): Promise<EnrolledHost> {
  hosts += 1;
  return enrol(api, { hostname: `rotated-${hosts}.example.org` });
}

/** Makes the tokens of a host older than the interval. */
const age = ({ id }: EnrolledHost) =>
  api.database.db.pool.query(
    `UPDATE host_access_tokens SET created_at = created_at - interval '31 days' WHERE host_id = $1`,
    [id],
  );

const accepted = { 'plimsoll-new-token': 'accepted' };
async function upload(token: string, accepts = true): Promise<{ status: number; given: string | undefined }> {
  const { status, body } = await uploadBytes(api, { token }, sampleSnapshot(), accepts ? accepted : {});
  return { status, given: body.host_access_token };
}

const statusWith = async (hostToken: string) =>
  (await api.get('/api/v1/agent/config', { token: hostToken })).status;

async function live({ id }: EnrolledHost): Promise<number> {
  const { rows } = await api.database.db.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM host_access_tokens WHERE host_id = $1 AND revoked_at IS NULL',
    [id],
  );
  return rows[0]?.n ?? 0;
}

const actionsOf = async ({ id }: EnrolledHost): Promise<readonly string[]> =>
  (await api.admin.get(`/api/v1/audit-events?actor=${id}`)).body.map(
    ({ action }: { action: string }) => action,
  );

describe('a host token', () => {
  it('is replaced when it is old and the agent accepts a new one, and ends with the first use of the new one', async () => {
    const host = await newHost();
    expect(await upload(host.token)).toEqual({ status: 202, given: undefined });
    await age(host);
    expect((await upload(host.token, false)).given).toBeUndefined();
    const { given = '' } = await upload(host.token);
    expect(given).toMatch(/^plh_[\w-]{43}$/);
    expect([await statusWith(host.token), await live(host)]).toEqual([200, 2]);
    expect([await statusWith(given), await statusWith(host.token), await live(host)]).toEqual([200, 401, 1]);
    expect(await upload(given)).toMatchObject({ given: undefined });
    expect(await actionsOf(host)).toContain('host_token.rotated');
  });

  it('is given again after a lost answer, and only the newest one is valid besides the old one', async () => {
    const host = await newHost();
    await upload(host.token);
    await age(host);
    const lost = (await upload(host.token)).given ?? '';
    const second = (await upload(host.token)).given ?? '';
    expect(second).not.toBe(lost);
    expect(await live(host)).toBe(2);
    expect([await statusWith(lost), await statusWith(host.token), await statusWith(second)]).toEqual([
      401, 200, 200,
    ]);
    expect(await statusWith(host.token)).toBe(401);
  });

  it('leaves at most two when many uploads are answered at once', async () => {
    const host = await newHost();
    await upload(host.token);
    await age(host);
    const given = (await Promise.all([upload(host.token), upload(host.token), upload(host.token)])).map(
      (each) => each.given,
    );
    expect(await live(host)).toBe(2);
    const statuses = await Promise.all(given.map((each) => statusWith(each ?? '')));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await live(host)).toBe(1);
  });

  it('that another one took the place of while it was checked ends nothing', async () => {
    const host = await newHost();
    await upload(host.token);
    await age(host);
    const first = (await upload(host.token)).given ?? '';
    const client = await api.database.db.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        'SELECT FROM host_access_tokens WHERE host_id = $1 AND replaces_id IS NULL FOR UPDATE',
        [host.id],
      );
      const answer = statusWith(first);
      await waitFor('the check of the token to wait', async () => {
        const { rows } = await client.query<{ waits: boolean }>(
          'SELECT EXISTS (SELECT FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))) AS waits',
        );
        return rows[0]?.waits === true;
      });
      // As a further request of the host does.
      await client.query(
        `UPDATE host_access_tokens SET token_hash = sha256('newer') WHERE host_id = $1 AND replaces_id IS NOT NULL`,
        [host.id],
      );
      await client.query('COMMIT');
      expect(await answer).toBe(401);
    } finally {
      client.release();
    }
    expect(await statusWith(host.token)).toBe(200);
  });

  it('that was replaced is refused, and its use is in the audit log', async () => {
    const host = await newHost();
    await upload(host.token);
    await age(host);
    await statusWith((await upload(host.token)).given ?? '');
    expect((await upload(host.token)).status).toBe(401);
    await waitFor('the event', async () => (await actionsOf(host)).includes('host_token.reused'));
  });

  it('that waits for its first use does not let an earlier enrolment be repeated', async () => {
    const issued = await api.admin.post('/api/v1/registration-tokens', {
      json: { name: 'x', auto_approve: true, max_uses: 2 },
    });
    const register = () =>
      api.post('/api/v1/agent/register', {
        json: {
          registration_token: issued.body.token,
          hostname: 'again.example.org',
          machine_id: 'again-machine',
        },
        headers: { 'idempotency-key': 'the-same-key' },
      });
    const { body } = await register();
    const host = { id: body.host_id, token: body.host_access_token };
    await upload(host.token);
    await age(host);
    await upload(host.token);
    expect((await register()).body.host_id).not.toBe(host.id);
    expect(await statusWith(host.token)).toBe(200);
  });

  it('is never replaced if the setting says so', async () => {
    const never = await startApi({ hostTokenDays: 0 });
    try {
      await setUp(never);
      const host = await enrol(never, { hostname: 'never.example.org' });
      await never.database.db.pool.query(
        `UPDATE host_access_tokens SET created_at = created_at - interval '9 years'`,
      );
      const { body } = await uploadBytes(never, host, sampleSnapshot(), accepted);
      expect(body).toEqual({ snapshot_id: expect.any(String), status: 'queued' });
    } finally {
      await never.stop();
    }
  });
});

describe('client certificates', () => {
  it('are required where a header for their names is set: of a trusted proxy, and with the name of the host', async () => {
    const behind = await startApi({ clientNameHeader: 'X-Client-Name', trustedProxies: ['127.0.0.1'] });
    try {
      const adminToken = await setUp(behind);
      const issued = await behind.post('/api/v1/registration-tokens', {
        token: adminToken,
        json: { name: 'x', max_uses: 5 },
      });
      const register = (name: string | undefined) =>
        behind.post('/api/v1/agent/register', {
          json: { registration_token: issued.body.token, hostname: 'web-1.example.org', machine_id: 'm-1' },
          headers: name === undefined ? {} : { 'x-client-name': name },
        });
      expect((await register(undefined)).status).toBe(401);
      expect((await register('web-2.example.org')).status).toBe(401);
      const { status, body } = await register('WEB-1.example.org');
      expect(status).toBe(201);
      const config = async (headers: Record<string, string>) =>
        (await behind.get('/api/v1/agent/config', { token: body.host_access_token, headers })).status;
      expect(await config({})).toBe(401);
      expect(await config({ 'x-client-name': 'web-2.example.org' })).toBe(401);
      expect(await config({ 'x-client-name': 'web-1.example.org' })).toBe(200);
    } finally {
      await behind.stop();
    }
  });

  it('are not believed from others than a trusted proxy', async () => {
    const open = await startApi({ clientNameHeader: 'X-Client-Name', trustedProxies: ['192.0.2.9'] });
    try {
      await setUp(open);
      const { status } = await open.post('/api/v1/agent/register', {
        json: { registration_token: 'plr_x', hostname: 'web-1.example.org', machine_id: 'm-1' },
        headers: { 'x-client-name': 'web-1.example.org' },
      });
      expect(status).toBe(401);
    } finally {
      await open.stop();
    }
  });
});
