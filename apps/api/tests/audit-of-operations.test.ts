import { operationIds, operationOf } from '@plimsoll/contract';
import { adminEmail, apiPerFile, enrol, startApi } from './api-under-test.ts';
import { auditedDeeds } from './audited-deeds.ts';
import type { Deeds } from './deeds.ts';
import { fleetOf } from './fleet.ts';
import { publicUrl } from './second-factor-users.ts';

const api = apiPerFile(() => startApi({ publicUrl }));
let deeds: Deeds;

beforeAll(async () => {
  await api.context.stores.feeds.ensure(['debian-osv']);
  deeds = auditedDeeds(api);
});

interface Event {
  readonly id: string;
  readonly action: string;
  readonly actor_kind: string;
  readonly actor_name: string;
  readonly request_id: string | null;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const audited = operationIds.filter((id) => operationOf(id).audit.length > 0);
const changing = operationIds.filter((id) => operationOf(id).method !== 'get');

describe('every changing operation', () => {
  it.each(changing)('%s: declares its audit entry or why it has none', (id) => {
    const { audit, unaudited } = operationOf(id);
    expect(audit.length > 0).toBe(unaudited === null);
  });

  it('is carried out below', () => {
    expect(Object.keys(deeds).sort()).toEqual([...audited].sort());
  });

  it.each(audited.filter((id) => id !== 'completeSetup'))(
    '%s: is in the audit log, with the request that did it and nothing secret',
    async (id) => {
      const deed = deeds[id];
      if (deed === undefined) throw new Error('no call for this operation');
      const known = new Set((await list()).map((event) => event.id));
      const answer = await deed();
      expect(answer.status).toBeLessThan(300);
      const added = (await list()).filter((event) => !known.has(event.id));
      const own = added.filter((event) => event.request_id === answer.headers['x-request-id']);
      expect(own.length).toBeGreaterThan(0);
      const actions: readonly string[] = operationOf(id).audit;
      for (const { action, details } of own) {
        expect(actions).toContain(action);
        expect(JSON.stringify(details)).not.toMatch(/pl[hrkif]_|\$2[aby]\$|long password|battery|PRIVATE/);
      }
    },
  );

  it('completeSetup: is in the audit log', async () => {
    expect((await list()).at(-1)).toMatchObject({
      action: 'setup.completed',
      actor_name: adminEmail,
      target_name: adminEmail,
    });
  });
});

describe('what reads', () => {
  it.each(operationIds.filter((id) => operationOf(id).method === 'get'))('%s: is no event', (id) => {
    expect([operationOf(id).audit, operationOf(id).unaudited]).toEqual([[], null]);
  });
});

describe('the audit log', () => {
  it('has both values of each changed field and no unchanged ones', async () => {
    const host = await fleetOf(api).addHost();
    await api.admin.patch(`/api/v1/hosts/${host}`, { json: { display_name: 'A', tags: ['b'] } });
    await api.admin.patch(`/api/v1/hosts/${host}`, { json: { display_name: 'A', tags: ['b'] } });
    await api.admin.patch(`/api/v1/hosts/${host}`, { json: { tags: ['b', 'c'] } });
    const events = await list(`?target_id=${host}&action=host.updated`);
    expect(events.map(({ details }) => details)).toEqual([
      { tags: { from: ['b'], to: ['b', 'c'] } },
      { display_name: { from: expect.any(String), to: 'A' }, tags: { from: [], to: ['b'] } },
    ]);
  });

  it('records the approval of a host once', async () => {
    const { id } = await enrol(api, { hostname: 'twice.example.org', autoApprove: false });
    for (let n = 0; n < 2; n += 1) await api.admin.post(`/api/v1/hosts/${id}/approve`);
    const events = await list(`?target_id=${id}`);
    expect(events.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
      ['host.approved', 'user'],
      ['host.enrolled', 'host'],
    ]);
  });

  it('records failed sign-ins under the given name, at most sixty a minute', async () => {
    const email = 'nobody@example.org';
    for (let n = 0; n < 65; n += 1)
      await api.post('/api/v1/auth/login', { json: { email, password: 'not the right one' } });
    const { headers, body } = await api.admin.get('/api/v1/audit-events?action=user.login_failed&limit=1');
    expect(Number(headers['x-total-count'])).toBe(60);
    expect(body[0]).toMatchObject({ actor_id: null, actor_name: email, target_id: null });
    // A flood of unknown names does not hide a guess at the password of a user.
    await api.post('/api/v1/auth/login', { json: { email: adminEmail, password: 'not the right one' } });
    const [guess] = await list('?action=user.login_failed&limit=1');
    expect(guess).toMatchObject({ actor_name: adminEmail, target_id: expect.any(String) });
  });

  it('is filtered by actor, action, target and time, and gives the total', async () => {
    const host = await fleetOf(api).addHost();
    const [event] = await list(`?target_id=${host}`);
    const { rows } = await api.database.db.pool.query<{ at: Date }>(
      'SELECT at FROM audit_events WHERE id = $1',
      [event?.id],
    );
    const at = rows[0]?.at.getTime() ?? 0;
    const time = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
    const numbers = await Promise.all(
      [
        `target_id=${host}&actor=${adminEmail}&action=host.`,
        `target_id=${host}&from=${time(at)}&to=${time(at + 1)}`,
        `target_id=${host}&to=${time(at)}`,
        `target_id=${host}&from=${time(at + 1)}`,
        `target_id=${host}&action=user.`,
        `target_id=${host}&actor=somebody@example.org`,
      ].map(async (query) => {
        const { body, headers } = await api.admin.get(`/api/v1/audit-events?${query}`);
        expect(headers['x-total-count']).toBe(String(body.length));
        return body.length;
      }),
    );
    expect(numbers).toEqual([1, 1, 0, 0, 0, 0]);
  });
});

async function list(query = '?limit=1000'): Promise<readonly Event[]> {
  return (await api.admin.get(`/api/v1/audit-events${query}`)).body;
}
