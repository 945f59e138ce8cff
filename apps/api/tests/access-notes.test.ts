import { createAuditStore, newId } from '@plimsoll/db';
import type { HostId, UserId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { type Access, type AccessNotes, createAccessNotes } from '../src/auth/access-notes.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import { createTestLogger } from './test-logger.ts';
import { addUser } from './users.ts';

const api = apiPerFile();

interface Event {
  readonly action: string;
  readonly actor_kind: string;
  readonly actor_name: string;
  readonly request_id: string | null;
  readonly target_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const eventsOf = async (query: string): Promise<readonly Event[]> =>
  (await api.admin.get(`/api/v1/audit-events?limit=1000&${query}`)).body;

async function eventOf(query: string): Promise<Event | undefined> {
  await waitFor('the event', async () => (await eventsOf(query)).length > 0);
  return (await eventsOf(query))[0];
}

describe('the audit log', () => {
  it('has a user whose role is too low, with the operation', async () => {
    const viewer = await addUser(api, 'viewer');
    const { status, headers } = await api.get('/api/v1/users', { token: viewer.token });
    expect(status).toBe(403);
    expect(await eventOf(`action=access.denied&actor=${viewer.id}`)).toMatchObject({
      actor_kind: 'user',
      actor_name: viewer.email,
      request_id: headers['x-request-id'],
      details: { operation: 'listUsers', code: 'forbidden' },
    });
  });

  it('has the use of a token whose session has ended, and nothing for a token that was never one', async () => {
    const user = await addUser(api, 'viewer');
    await api.post('/api/v1/auth/logout', { token: user.token });
    expect((await api.get('/api/v1/hosts', { token: user.token })).status).toBe(401);
    expect(await eventOf(`action=access.denied&actor=${user.id}`)).toMatchObject({
      actor_name: user.email,
      details: { operation: 'listHosts', code: 'unauthenticated' },
    });
    const known = await eventsOf('action=access.denied');
    expect((await api.get('/api/v1/hosts', { token: 'unknown' })).status).toBe(401);
    expect(await eventsOf('action=access.denied')).toEqual(known);
  });

  it('has reads of raw reports, exports and lists of tokens', async () => {
    const user = await addUser(api, 'operator');
    const { id } = await enrol(api, { hostname: 'read.example.org', autoApprove: true });
    expect((await api.get('/api/v1/hosts.csv', { token: user.token })).status).toBe(200);
    expect((await api.get('/api/v1/registration-tokens', { token: user.token })).status).toBe(200);
    expect((await api.get(`/api/v1/hosts/${id}/snapshot`, { token: user.token })).status).toBe(404);
    await waitFor('both events', async () => (await eventsOf(`actor=${user.id}`)).length >= 3);
    const found = (await eventsOf(`actor=${user.id}`)).filter(({ action }) => action !== 'user.logged_in');
    expect(found.map(({ action, details }) => [action, details['operation']]).sort()).toEqual([
      ['data.exported', 'exportHosts'],
      ['keys.read', 'listRegistrationTokens'],
    ]);
  });
});

describe('notes of access', () => {
  const notesOf = (): AccessNotes =>
    createAccessNotes({
      audit: createAuditStore(api.database.db),
      names: {
        users: { findById: async () => null },
        enrolments: { hostName: async (id) => `name of ${id}` },
      },
      log: createTestLogger().logger,
      beforeClose: () => undefined,
    });
  const accessOf = (id: string, hostId: string | null = null): Access => ({
    action: 'payload.read',
    caller: { kind: 'host', id, name: null },
    operation: 'getSnapshot',
    code: null,
    hostId,
    address: '192.0.2.1',
    requestId: 'r1',
  });

  it('fold the repetitions of a caller into one event with their number and hosts', async () => {
    const notes = notesOf();
    const id = newId<HostId>();
    const hosts = Array.from({ length: 30 }, () => newId<HostId>());
    for (let n = 0; n < 500; n += 1) notes.note(accessOf(id, hosts[n % 30] ?? null));
    await notes.flush();
    const events = await eventsOf(`actor=${id}`);
    const [one, folded] = [...events].sort(
      (a, b) => Number(a.target_id === null) - Number(b.target_id === null),
    );
    expect([one?.target_id, one?.details['repeats']]).toEqual([hosts[0], undefined]);
    expect([folded?.target_id, folded?.details['repeats']]).toEqual([null, 499]);
    expect(events.flatMap(({ details }) => details['hosts'] ?? [])).toHaveLength(20);
    await notes.flush();
    expect(await eventsOf(`actor=${id}`)).toHaveLength(2);
  });

  it('name the other addresses from which a caller repeats a request', async () => {
    const notes = notesOf();
    const id = newId<HostId>();
    for (const address of ['192.0.2.1', '198.51.100.7', '192.0.2.1']) {
      notes.note({ ...accessOf(id), address });
    }
    await notes.flush();
    const folded = (await eventsOf(`actor=${id}`)).find(({ details }) => details['repeats'] === 2);
    expect(folded?.details['addresses']).toEqual(['198.51.100.7']);
  });

  it('of reads are not hidden by a flood of denied requests', async () => {
    const notes = notesOf();
    for (let n = 0; n < 500; n += 1) {
      notes.note({ ...accessOf(newId<HostId>()), action: 'access.denied', code: 'forbidden' });
    }
    const id = newId<HostId>();
    notes.note(accessOf(id));
    await notes.flush();
    expect((await eventsOf(`actor=${id}`)).map(({ action }) => action)).toEqual(['payload.read']);
  });

  it('of many callers are bounded, and the rest is counted', async () => {
    const before = (await eventsOf('action=payload.read')).length;
    const notes = notesOf();
    const ids = Array.from({ length: 1_000 }, () => newId<UserId>());
    for (const id of [...ids, ...ids]) notes.note(accessOf(id));
    await notes.flush();
    const written = (await eventsOf('action=payload.read')).length - before;
    expect(written).toBe(100 + 200);
    const others = (await eventsOf('actor=api')).at(0)?.details['others'];
    // Every request is either an event, a repetition of one, or counted here.
    const repeats = (await eventsOf('action=payload.read')).slice(0, 300);
    const counted = repeats.reduce((sum, { details }) => sum + Number(details['repeats'] ?? 1), 0);
    expect(counted + Number(others)).toBe(2_000);
  });
});
