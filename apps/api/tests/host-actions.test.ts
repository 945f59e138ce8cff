import { apiPerFile, enrol } from './api-under-test.ts';
import { fleetOf } from './fleet.ts';
import { sshFleetOf } from './ssh-fleet.ts';
import { addUser } from './users.ts';

const unknownId = '019a0000-0000-7000-8000-000000000000';

const api = apiPerFile();
const act = (json: object, by = api.admin.token) => api.post('/api/v1/hosts/actions', { token: by, json });
const hostOf = async (id: string) => (await api.admin.get(`/api/v1/hosts/${id}`)).body;
const addManual = async (tags: readonly string[]): Promise<string> => {
  const json = { display_name: `Host of ${tags.length} tags`, hostname: 'host.example.org', tags };
  return (await api.admin.post('/api/v1/hosts/manual', { json })).body.id;
};
const auditOf = async (id: string): Promise<readonly { action: string; details: object }[]> =>
  (await api.admin.get(`/api/v1/audit-events?target_id=${id}`)).body;

describe('an action on hosts', () => {
  it('approves forty at once, with an audit event for each', async () => {
    const waiting = [];
    for (let n = 0; n < 40; n += 1)
      waiting.push((await enrol(api, { hostname: `new-${n}.example.org`, autoApprove: false })).id);
    const answer = await act({ action: 'approve', filter: { approval_status: 'pending' }, expected: 40 });
    expect([answer.status, answer.body.done, answer.body.refused]).toEqual([200, 40, 0]);
    const left = await api.admin.get('/api/v1/hosts?approval_status=pending&limit=1');
    expect(left.headers['x-total-count']).toBe('0');
    for (const id of waiting.slice(0, 3))
      expect((await auditOf(id)).map(({ action }) => action)).toEqual(['host.approved', 'host.enrolled']);
  });

  it('does nothing if its filter selects another number of hosts than expected', async () => {
    const id = await addManual(['counted']);
    const answer = await act({ action: 'delete', filter: { tag: 'counted' }, expected: 2 });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect((await hostOf(id)).id).toBe(id);
  });

  it('says of every host what was done or why not, and counts repeated ids once', async () => {
    const [manual, pulled] = [await addManual(['mixed']), await sshFleetOf(api).add()];
    const { body } = await act({ action: 'pull_now', hosts: [manual, pulled, unknownId, pulled] });
    expect(body.hosts).toEqual([
      expect.objectContaining({ host_id: manual, outcome: 'refused', code: 'not_an_ssh_host' }),
      expect.objectContaining({ host_id: pulled, outcome: 'done', pull_job_id: expect.any(String) }),
      expect.objectContaining({ host_id: unknownId, outcome: 'refused', code: 'not_found' }),
    ]);
    expect([body.done, body.refused]).toEqual([1, 2]);
    const again = await act({ action: 'pull_now', hosts: [pulled] });
    expect(again.body.hosts[0].pull_job_id).toBe(body.hosts[1].pull_job_id);
  });

  it('sets the exposure of many, and takes back what was set', async () => {
    const [one, other] = [await addManual(['edge']), await addManual(['edge'])];
    const set = await act({ action: 'set_exposure', exposure: 'internal', hosts: [one, other] });
    expect([set.body.done, (await hostOf(other)).exposure_source]).toEqual([2, 'operator']);
    expect((await auditOf(one))[0]?.details).toEqual({ exposure: { from: null, to: 'internal' } });
    const again = await act({ action: 'set_exposure', exposure: 'internal', hosts: [one] });
    expect(again.body.unchanged).toBe(1);
    await act({ action: 'set_exposure', exposure: null, hosts: [one] });
    expect([(await hostOf(one)).exposure, (await hostOf(other)).exposure]).toEqual(['unknown', 'internal']);
    const json = { display_name: 'Known', hostname: 'known.example.org', exposure: 'public' };
    expect((await api.admin.post('/api/v1/hosts/manual', { json })).body.exposure).toBe('public');
    for (const wrong of [{ exposure: 'internal' }, { action: 'set_exposure' }])
      expect((await act({ action: 'approve', hosts: [one], ...wrong })).status).toBe(422);
  });

  it('has the ids of all hosts that a filter selects, and exports a selection', async () => {
    const [one, other] = [await addManual(['chosen']), await addManual(['chosen', 'x'])];
    const ids = await api.admin.get('/api/v1/hosts/ids?tag=chosen');
    expect(ids.body.sort()).toEqual([one, other].sort());
    const rows = await api.admin.post('/api/v1/hosts/export', {
      json: { hosts: [one, unknownId], format: 'json' },
    });
    expect([rows.headers['x-total-count'], rows.body]).toEqual(['1', [expect.objectContaining({ id: one })]]);
    const table = await api.admin.post('/api/v1/hosts/export', { json: { filter: { tag: 'chosen' } } });
    // They never reported.
    expect(table.headers['content-disposition']).toBe('attachment; filename="plimsoll-hosts-incomplete.csv"');
    expect(table.text.trim().split('\r\n')).toHaveLength(3);
  });

  it('adds and removes tags, and leaves out hosts that need no change', async () => {
    const [one, other] = [await addManual(['a', 'b']), await addManual(['b'])];
    const added = await act({ action: 'add_tags', tags: ['a', 'c'], hosts: [one, other] });
    expect(added.body.done).toBe(2);
    const removed = await act({ action: 'remove_tags', tags: ['b', 'x'], hosts: [one] });
    expect(removed.body.done).toBe(1);
    const none = await act({ action: 'remove_tags', tags: ['x'], hosts: [one, other] });
    expect(none.body.unchanged).toBe(2);
    expect([(await hostOf(one)).tags, (await hostOf(other)).tags]).toEqual([
      ['a', 'c'],
      ['b', 'a', 'c'],
    ]);
    expect((await auditOf(one))[0]).toMatchObject({
      action: 'host.updated',
      details: { tags: { from: ['a', 'b', 'c'], to: ['a', 'c'] } },
    });
  });

  it('refuses more than 50 tags of a host', async () => {
    const id = await addManual(Array.from({ length: 49 }, (_, n) => `tag-${n}`));
    const { body } = await act({ action: 'add_tags', tags: ['x', 'y'], hosts: [id] });
    expect(body.hosts[0]).toMatchObject({ outcome: 'refused', code: 'validation_failed' });
  });

  it('pauses and resumes pulls', async () => {
    const id = await sshFleetOf(api).add();
    expect((await act({ action: 'pause_pulls', hosts: [id] })).body.done).toBe(1);
    expect((await act({ action: 'pause_pulls', hosts: [id] })).body.unchanged).toBe(1);
    expect((await hostOf(id)).ssh).toMatchObject({ pull_paused: true, next_pull_at: null });
    await act({ action: 'resume_pulls', hosts: [id] });
    expect((await hostOf(id)).ssh.pull_paused).toBe(false);
  });

  it.each([
    [{ action: 'retire' }, '/hosts'],
    [{ action: 'retire', hosts: [unknownId], filter: {} }, '/hosts'],
    [{ action: 'add_tags', hosts: [unknownId] }, '/tags'],
    [{ action: 'retire', hosts: [unknownId], tags: ['x'] }, '/tags'],
    [{ action: 'retire', hosts: [unknownId], expected: 1 }, '/expected'],
    [{ action: 'retire', filter: { tga: 'x' } }, '/filter'],
    [{ action: 'retire', filter: { status: 'asleep' } }, '/filter/status'],
  ])('%j is refused at %s', async (json, pointer) => {
    const { status, body } = await act(json);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('of a limited operator reaches only hosts of its tags, and takes the last of these from none', async () => {
    const { token: own } = await addUser(api, 'operator', { tags: ['db', 'web'] });
    const [mine, foreign] = [await addManual(['web', 'x']), await addManual(['mail', 'x'])];
    const { body } = await act({ action: 'retire', hosts: [foreign] }, own);
    expect(body.hosts).toEqual([
      {
        host_id: foreign,
        display_name: null,
        outcome: 'refused',
        code: 'not_found',
        detail: 'No host has this id.',
        pull_job_id: null,
      },
    ]);
    const selected = await act({ action: 'add_tags', tags: ['y'], filter: { tag: 'x' } }, own);
    expect(selected.body.hosts.map(({ host_id }: { host_id: string }) => host_id)).toEqual([mine]);
    const last = await act({ action: 'remove_tags', tags: ['web'], hosts: [mine] }, own);
    expect(last.body.hosts[0]).toMatchObject({ outcome: 'refused', code: 'validation_failed' });
    expect((await hostOf(foreign)).tags).toEqual(['mail', 'x']);
  });

  it('answers for a thousand hosts', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await fleetOf(api).addHost());
    const unknown = Array.from({ length: 997 }, (_, n) => unknownId.replace(/0{4}$/, String(n + 1000)));
    const { body } = await act({ action: 'delete', hosts: [...ids, ...unknown] });
    expect([body.done, body.refused, body.hosts.length]).toEqual([3, 997, 1000]);
    const more = await act({ action: 'delete', hosts: [...unknown, ...ids, unknownId] });
    expect(more.status).toBe(422);
  });
});
