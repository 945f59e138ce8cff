import { randomBytes } from 'node:crypto';
import type { UploadId } from '@plimsoll/model';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerTest, type EnrolledHost, enrol } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';
import { judgeRepositoriesNow, parseAndMatch } from './pipeline.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';

const api = apiPerTest();

const dayMs = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);

interface Said {
  readonly published?: Date;
  readonly until?: Date;
  readonly error?: string;
  readonly suite?: string;
}

function snapshotWith(said: Readonly<Record<string, Said>>): Uint8Array {
  return sampleSnapshot({
    repositories: Object.entries(said).map(([id, { suite = id }]) => ({
      id,
      url: 'http://archive.ubuntu.com/ubuntu',
      enabled: true,
      suite,
      origin: 'Ubuntu',
    })),
    observed: {
      refreshed: Object.entries(said).map(([repositoryId, { published, until, error }]) => ({
        repositoryId,
        at: protobufTime(ago(0)),
        ...(published === undefined ? {} : { publishedAt: protobufTime(published) }),
        ...(until === undefined ? {} : { validUntil: protobufTime(until) }),
        error: error ?? '',
      })),
    },
  });
}

async function report(host: EnrolledHost, said: Readonly<Record<string, Said>>): Promise<string> {
  const answer = await uploadBytes(api, host, snapshotWith(said));
  expect(answer.status).toBe(202);
  const id: UploadId = answer.body.snapshot_id;
  if (answer.body.status === 'queued') await parseAndMatch(api.database, [id]);
  else await judgeRepositoriesNow(api.database);
  return answer.body.status;
}

async function newHosts(count: number): Promise<EnrolledHost[]> {
  const hosts: EnrolledHost[] = [];
  for (let n = 0; n < count; n++) hosts.push(await enrol(api, { hostname: `web-${n}.example.org` }));
  return hosts;
}

const get = async (path: string) => (await api.admin.get(`/api/v1/${path}`)).body;
const stateOf = async ({ id }: EnrolledHost) => (await get(`hosts/${id}`)).repositories_state;
const copyOf = async ({ id }: EnrolledHost) => (await get(`hosts/${id}/repositories`))[0];

describe('a repository that is behind', () => {
  it('is detected with three approved hosts, not with two', async () => {
    const [old, ...others] = await newHosts(4);
    if (old === undefined) throw new Error('no host');
    await report(old, { 'noble-security': { published: ago(20) } });
    const states: string[] = [];
    const newerOnTwo = {
      reason_code: 'newer_on_few',
      reason: '2 other hosts have a copy of noble-security that is 19 days newer.',
      newest_known_source: 'few_hosts',
    };
    for (const [index, host] of others.entries()) {
      states.push(await stateOf(old));
      await report(host, { 'noble-security': { published: ago(1 - index / 10) } });
      if (index === 1) expect(await copyOf(old)).toMatchObject(newerOnTwo);
    }
    // With two others, three hosts have reached its date and two have a newer one: neither outdated nor current.
    expect(states).toEqual(['unknown', 'unknown', 'unknown']);
    expect(await stateOf(old)).toBe('outdated');
    expect(await copyOf(old)).toMatchObject({
      id: 'noble-security',
      state: 'outdated',
      reason: 'This copy of noble-security is 19 days older than on 3 other hosts.',
      newest_known_source: 'hosts',
      hosts_with_newer: 3,
    });
    for (const host of others) expect(await stateOf(host)).toBe('current');
    expect((await get('fleet/summary')).by_repositories_state).toMatchObject({ outdated: 1, current: 3 });
  });

  it('is judged again if only the observation of an unchanged upload changes', async () => {
    const [first, ...others] = await newHosts(4);
    if (first === undefined) throw new Error('no host');
    for (const host of others) await report(host, { 'noble-security': { published: ago(1) } });
    await report(first, { 'noble-security': { published: ago(20) } });
    expect(await stateOf(first)).toBe('outdated');
    expect(await report(first, { 'noble-security': { published: ago(1) } })).toBe('unchanged');
    expect(await stateOf(first)).toBe('current');
  });

  it('causes no write for an unchanged upload with the same dates', async () => {
    const [host] = await newHosts(1);
    if (host === undefined) throw new Error('no host');
    const said = { 'noble-security': { published: ago(1) } };
    await report(host, said);
    const versions = async () => {
      const { rows } = await api.database.db.pool.query(
        `SELECT r.xmin, h.xmin AS copy, r.due FROM host_refreshes r JOIN host_repositories h USING (host_id)`,
      );
      return rows;
    };
    const before = await versions();
    await api.database.db.pool.query(`UPDATE host_refreshes SET due = false`);
    const settled = await versions();
    expect(before).toHaveLength(1);
    // The same fetch times as well: the observation is unchanged.
    const bytes = snapshotWith(said);
    const send = () => uploadBytes(api, host, bytes);
    await send();
    const once = await versions();
    await send();
    expect(await versions()).toEqual(once);
    expect(once[0].copy).toEqual(settled[0].copy);
    expect(once[0].due).toBe(false);
  });

  it('is told apart even if another host sends names of the longest allowed size', async () => {
    const [hostile, honest] = await newHosts(2);
    if (hostile === undefined || honest === undefined) throw new Error('no host');
    // Random, because PostgreSQL compresses repetitions before it refuses an index entry that is too long.
    const suite = randomBytes(3000).toString('base64').slice(0, 4000);
    await report(hostile, { noble: { published: ago(1), suite } });
    await report(honest, { noble: { published: ago(1), until: ago(-1) } });
    expect(await copyOf(hostile)).toMatchObject({ suite: expect.stringMatching(/^.{100,4000}$/) });
    expect(await copyOf(honest)).toMatchObject({ id: 'noble', state: 'current' });
  });

  it('is detected among healthy ones, and a date in the future changes no other state', async () => {
    const [stuck, liar, ...others] = await newHosts(5);
    if (stuck === undefined || liar === undefined) throw new Error('no host');
    const healthy = { noble: { published: ago(300) }, 'noble-updates': { published: ago(1) } };
    for (const host of others) await report(host, { ...healthy, 'noble-security': { published: ago(1) } });
    await report(stuck, { ...healthy, 'noble-security': { published: ago(12) } });
    await report(liar, { ...healthy, 'noble-security': { published: ago(-3000) } });
    expect(await stateOf(stuck)).toBe('outdated');
    expect(await stateOf(liar)).toBe('unknown');
    for (const host of others) expect(await stateOf(host)).toBe('current');
    expect((await get('repositories?outdated=true')).map(({ name }: { name: string }) => name)).toEqual([
      'noble-security',
    ]);
  });

  it('is outdated at its Valid-Until, without another report', async () => {
    const [host] = await newHosts(1);
    if (host === undefined) throw new Error('no host');
    await report(host, { 'noble-security': { published: ago(6), until: ago(-1) } });
    expect(await stateOf(host)).toBe('current');
    await api.database.db.pool.query(
      `UPDATE host_contacts SET repositories_valid_until = now() - interval '1 second'`,
    );
    await api.database.db.pool.query(
      `UPDATE host_repositories SET valid_until = now() - interval '1 second'`,
    );
    expect(await stateOf(host)).toBe('outdated');
    expect(await copyOf(host)).toMatchObject({ state: 'outdated', reason_code: 'expired' });
  });

  it('is unknown if it cannot be fetched or names no date', async () => {
    const [failing, silent, ...others] = await newHosts(5);
    if (failing === undefined || silent === undefined) throw new Error('no host');
    for (const host of others) await report(host, { 'noble-security': { published: ago(1) } });
    const error = 'the key CA1A68703EA236C5 that signs it has expired';
    await report(failing, { 'noble-security': { published: ago(1), error } });
    await report(silent, { 'noble-security': {} });
    expect(await copyOf(failing)).toMatchObject({ state: 'unknown', error, reason_code: 'failed' });
    expect(await copyOf(silent)).toMatchObject({ state: 'unknown', reason_code: 'no_date' });
  });

  it('follows approvals and tags', async () => {
    const [old, ...others] = await newHosts(4);
    if (old === undefined) throw new Error('no host');
    for (const host of others) await report(host, { 'noble-security': { published: ago(1) } });
    await report(old, { 'noble-security': { published: ago(20) } });
    expect(await stateOf(old)).toBe('outdated');
    await api.admin.patch(`/api/v1/hosts/${old.id}`, { json: { tags: ['ring-2'] } });
    const rings = { defaultDays: 7, exceptions: [{ repository: null, tag: 'ring-2', days: 30 }] };
    await judgeRepositoriesNow(api.database, rings);
    expect(await stateOf(old)).toBe('current');
    await judgeRepositoriesNow(api.database);
    expect(await stateOf(old)).toBe('outdated');
    for (const { id } of others.slice(1)) {
      expect((await api.admin.delete(`/api/v1/hosts/${id}`)).status).toBe(204);
    }
    await judgeRepositoriesNow(api.database);
    expect(await stateOf(old)).toBe('unknown');
  });
});

describe('the repositories of the fleet', () => {
  it('are listed in pages, with their hosts, outdated hosts and oldest copy', async () => {
    const hosts = await newHosts(4);
    for (const [index, host] of hosts.entries()) {
      await report(host, {
        noble: { published: ago(300) },
        'noble-security': { published: ago(index === 0 ? 20 : 1) },
      });
    }
    const pages = await readPages(api.admin, '/api/v1/repositories?limit=1');
    expect(totalsOf(pages)).toEqual(['2']);
    const [first, second] = pages.map(({ body }) => body);
    expect(first).toMatchObject([{ name: 'noble', hosts: 4, outdated_hosts: 0 }]);
    expect(second).toMatchObject([
      {
        name: 'noble-security',
        origin: 'Ubuntu',
        architecture: 'amd64',
        address: '',
        hosts: 4,
        outdated_hosts: 1,
        newest_known_source: 'hosts',
      },
    ]);
    expect(pages).toHaveLength(2);
  });
});
