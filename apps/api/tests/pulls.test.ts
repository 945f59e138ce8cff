import { waitFor } from '@plimsoll/testing';
import { apiPerFile, enrol } from './api-under-test.ts';
import { type SshFleet, sshFleetOf } from './ssh-fleet.ts';

const api = apiPerFile();
let fleet: SshFleet;

beforeAll(async () => {
  fleet = sshFleetOf(api);
});

const waiting = async () => (await api.context.queue.counts(5_000))['ssh-pull'].waiting;

describe('a pull on request', () => {
  it('is queued and rung for, and reported with all its fields', async () => {
    const id = await fleet.add();
    const before = await waiting();
    const { status, body } = await fleet.pullNow(id);
    expect([status, body]).toEqual([
      202,
      {
        id: expect.any(String),
        host_id: id,
        trigger: 'manual',
        status: 'queued',
        queued_at: expect.any(String),
        started_at: null,
        finished_at: null,
        error_code: null,
        error_message: null,
        snapshot_id: null,
      },
    ]);
    await waitFor('the job', async () => (await waiting()) === before + 1); // the answer does not wait for the queue
    expect(await fleet.jobsOf(id)).toEqual([body]);
  });

  it('twenty times at once is one job', async () => {
    const id = await fleet.add();
    const answers = await Promise.all(Array.from({ length: 20 }, () => fleet.pullNow(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await fleet.jobsOf(id)).toHaveLength(1);
  });

  it('during a running one is that one, and rings again', async () => {
    const id = await fleet.add();
    const first = await fleet.pullNow(id);
    const run = await fleet.begin(first.body.id);
    const { ring } = api.context.queue;
    const rung = jest.spyOn(api.context.queue, 'ring').mockImplementation(ring.bind(api.context.queue));
    const second = await fleet.pullNow(id);
    expect(second.body).toMatchObject({
      id: first.body.id,
      status: 'running',
      started_at: expect.any(String),
    });
    expect(rung.mock.calls).toEqual([['ssh-pull', { pullJobId: first.body.id }]]);
    await fleet.succeed(run);
    expect((await fleet.pullNow(id)).body.id).not.toBe(first.body.id);
  });

  it('is made for a paused host too', async () => {
    const id = await fleet.add();
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { pull_paused: true } });
    expect((await fleet.pullNow(id)).status).toBe(202);
  });

  it('is not made for a host that is not pulled or not approved', async () => {
    const agent = await enrol(api);
    expect((await fleet.pullNow(agent.id)).body.code).toBe('not_an_ssh_host');
    const manual = await api.admin.post('/api/v1/hosts/manual', {
      json: { display_name: 'x', hostname: 'x' },
    });
    expect((await fleet.pullNow(manual.body.id)).body.code).toBe('not_an_ssh_host');
    const id = await fleet.add();
    await api.database.db.prisma.host.update({ where: { id }, data: { approvalStatus: 'pending' } });
    expect((await fleet.pullNow(id)).body.code).toBe('not_approved');
    expect(await fleet.jobsOf(id)).toEqual([]);
  });
});

describe('a pull that is waited for', () => {
  /** Requests a pull and waits for its result, while `work` is done with it. */
  async function pullWhile(id: string, work: (jobId: string) => Promise<unknown>) {
    const working = waitFor('the job', async () => (await fleet.jobsOf(id)).length > 0).then(async () =>
      work((await fleet.jobsOf(id))[0].id),
    );
    const answer = await fleet.pullNow(id, { Prefer: 'wait=20' });
    await working;
    return answer;
  }

  it('is answered with its snapshot once that is parsed', async () => {
    const id = await fleet.add();
    const answer = await pullWhile(id, async (jobId) => fleet.succeed(await fleet.begin(jobId)));
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, 'wait=20']);
    const { body: snapshot } = await api.admin.get(`/api/v1/hosts/${id}/snapshot`);
    expect(answer.body).toMatchObject({
      status: 'succeeded',
      finished_at: expect.any(String),
      error_code: null,
      snapshot_id: snapshot.id,
    });
    expect(snapshot.source).toBe('ssh');
    expect(await fleet.hostOf(id)).toMatchObject({ status: 'active', os_family: 'apt' });
  });

  it('is answered with its error if it failed', async () => {
    const id = await fleet.add();
    const answer = await pullWhile(id, () => fleet.failPull(id, { code: 'auth_failed', message: 'Paste.' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'failed',
      error_code: 'auth_failed',
      error_message: 'Paste.',
      snapshot_id: null,
    });
  });

  it('is answered in its current state if it takes too long', async () => {
    const id = await fleet.add();
    const { body } = await fleet.pullNow(id);
    await fleet.begin(body.id);
    const answer = await fleet.pullNow(id, { Prefer: 'wait=1' });
    expect([answer.status, answer.body.status]).toEqual([202, 'running']);
    expect(answer.headers['preference-applied']).toBe('wait=1');
  });

  it('ends with its host', async () => {
    const id = await fleet.add();
    const answer = await pullWhile(id, () => api.admin.delete(`/api/v1/hosts/${id}`));
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});

describe('the pulls of a host', () => {
  it('are the last ten, newest first', async () => {
    const id = await fleet.add();
    const asked: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      asked.push((await fleet.pullNow(id)).body.id);
      await fleet.failPull(id);
    }
    const jobs = await fleet.jobsOf(id);
    expect(jobs.map((job: { id: string }) => job.id)).toEqual(asked.slice(2).reverse());
  });

  it('do not exist for a host that is not pulled', async () => {
    expect(await fleet.jobsOf((await enrol(api)).id)).toEqual([]);
  });
});

describe('a host', () => {
  const unreachable = async () =>
    (await api.admin.get('/api/v1/hosts?status=unreachable')).body.map(({ id }: { id: string }) => id);

  it('is unreachable after three failures if it was reached before, and listed as such until it recovers', async () => {
    const id = await fleet.add();
    const pull = async () => fleet.succeed(await fleet.begin((await fleet.pullNow(id)).body.id));
    await pull();
    for (const status of ['active', 'active', 'unreachable']) {
      await fleet.failPull(id);
      expect((await fleet.hostOf(id)).status).toBe(status);
    }
    expect((await fleet.hostOf(id)).ssh.failures).toBe(3);
    expect(await unreachable()).toEqual([id]);
    await pull();
    expect(await fleet.hostOf(id)).toMatchObject({ status: 'active', ssh: { failures: 0 } });
    expect(await unreachable()).toEqual([]);
  });

  it('that was never reached stays new, however often it fails', async () => {
    const id = await fleet.add();
    for (let n = 0; n < 4; n += 1) await fleet.failPull(id, { code: 'auth_failed' });
    expect(await fleet.hostOf(id)).toMatchObject({ status: 'new', ssh: { failures: 4 } });
    expect(await unreachable()).toEqual([]);
  });
});
