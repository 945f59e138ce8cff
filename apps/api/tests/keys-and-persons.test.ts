import { isPersonal, type OperationId, operationIds, operationOf } from '@plimsoll/contract';
import type { UserRole } from '@plimsoll/model';
import { apiPerFile } from './api-under-test.ts';

const unknownId = '019a0000-0000-7000-8000-000000000000';
const mark = 'of-the-person';

const api = apiPerFile();
const groups = { own: '', shared: '' };
const keys = {} as Record<UserRole, string>;

beforeAll(async () => {
  groups.own = await makeGroup({ name: mark, filter: { tag: mark } });
  groups.shared = await makeGroup({ name: 'staging', filter: { tag: 'staging' }, shared: true });
  for (const role of ['admin', 'operator', 'viewer'] as const) {
    const json = { name: role, role, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    keys[role] = (await api.admin.post('/api/v1/api-keys', { json })).body.key;
  }
});

async function makeGroup(json: object): Promise<string> {
  const { status, body } = await api.admin.post('/api/v1/groups', { json });
  expect(status).toBe(201);
  return body.id;
}
const groupsOf = async (token: string) => (await api.get('/api/v1/groups', { token })).body;
const changeShared = (key: string, json: object) =>
  api.patch(`/api/v1/groups/${groups.shared}`, { token: key, json });

/** Bodies with which an operation gets further than its checks. */
const bodies: Partial<Record<OperationId, object>> = {
  updateGroup: { name: 'taken', shared: true },
  savePlan: { name: 'x', filter: {} },
  makePlan: { filter: {} },
};

/** It has what every user did, for admins and their scripts. */
const ofTheWholeInstallation: readonly OperationId[] = ['listAuditEvents'];

describe('an API key of an admin, with each role', () => {
  const forUsers = operationIds.filter((id) => operationOf(id).auth === 'user' && id !== 'streamEvents');

  it.each(forUsers)('%s shows and changes nothing of its owner as a person', async (id) => {
    const operation = operationOf(id);
    const json = bodies[id] ?? (operation.body.kind === 'json' ? {} : undefined);
    for (const key of Object.values(keys)) {
      const ask = async (about: string) => {
        const path = operation.path.replaceAll(/\{\w+\}/g, about);
        const { status, body, text } = await api[operation.method](path, {
          token: key,
          ...(json === undefined ? {} : { json }),
        });
        return { ended: [status, body?.code], hasMark: (text ?? '').includes(mark) };
      };
      const answer = await ask(groups.own);
      if (isPersonal(operation)) expect(answer.ended).toEqual([403, 'forbidden']);
      // What belongs to the person does not exist.
      else if (operation.params !== null) expect(answer.ended).toEqual((await ask(unknownId)).ended);
      expect(answer.hasMark && !ofTheWholeInstallation.includes(id)).toBe(false);
    }
    const { rows } = await api.database.db.pool.query('SELECT name, shared FROM host_groups WHERE id = $1', [
      groups.own,
    ]);
    expect(rows).toEqual([{ name: mark, shared: false }]);
  });
});

describe('groups for an API key', () => {
  it('are the shared ones, none of them its own', async () => {
    for (const key of Object.values(keys)) {
      const seen = await groupsOf(key);
      expect(seen.map(({ name, is_own }: { name: string; is_own: boolean }) => [name, is_own])).toEqual([
        ['staging', false],
      ]);
    }
    expect(await groupsOf(api.admin.token)).toHaveLength(2);
  });

  it('are changed and deleted only by keys of operators', async () => {
    expect((await changeShared(keys.viewer, { filter: { tag: 'production' } })).status).toBe(403);
    expect((await api.delete(`/api/v1/groups/${groups.shared}`, { token: keys.viewer })).status).toBe(403);
    expect((await changeShared(keys.operator, { filter: { tag: 'stage' } })).status).toBe(200);
    expect((await changeShared(keys.admin, { filter: { tag: 'staging' } })).status).toBe(200);
  });

  it('do not become private, and tell no name of a private one', async () => {
    expect((await changeShared(keys.admin, { shared: false })).status).toBe(403);
    const create = (json: object) => api.post('/api/v1/groups', { token: keys.operator, json });
    expect((await create({ name: 'mine', filter: {} })).status).toBe(403);
    expect(
      (
        await api.post('/api/v1/groups', {
          token: keys.viewer,
          json: { name: 'x', filter: {}, shared: true },
        })
      ).status,
    ).toBe(403);
    const made = await create({ name: mark, filter: {}, shared: true });
    expect(made.status).toBe(201);
    expect((await api.delete(`/api/v1/groups/${made.body.id}`, { token: keys.operator })).status).toBe(204);
  });
});
