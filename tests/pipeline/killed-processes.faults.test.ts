import {
  type Client,
  type EnrolledHost,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';
import { debianFeed, debianMachine, encodedMachine, installed } from './debian-machine.ts';
import { queues, startPipeline } from './pipeline-under-test.ts';
import type { Uploads } from './uploads.ts';

// After a kill, a job waits until its worker's lock has expired.
describe.each(queues)('the pipeline on %s whose processes are killed', (_name, queue) => {
  let database: TestDatabase;
  let service: TestService;
  let client: Client;
  let uploads: Uploads;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ database, service, client, uploads, stop } = await startPipeline(queue));
  });
  afterAll(() => stop());

  const hostOf = async (hostId: string) => (await client.get(`/hosts/${hostId}`)).body as Host;

  const kill = async (app: 'advisory-worker' | 'scheduler'): Promise<void> => {
    for (const child of service.processes(app)) child.kill('SIGKILL');
    await waitFor(`${app} to end`, () => service.processes(app).length === 0);
  };
  /** The number of transactions that wrote the rows of uploads last. */
  const writersOf = async (ids: readonly string[]): Promise<number | undefined> => {
    const { rows } = await database.db.pool.query<{ count: number }>(
      'SELECT count(DISTINCT xmin::text)::int AS count FROM uploads WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return rows[0]?.count;
  };

  /** Enrols hosts whose machines have nothing new in them. */
  const enrolKnown = async (marks: readonly string[]): Promise<readonly EnrolledHost[]> => {
    const teacher = await client.enrol(`teacher of ${marks[0]}`);
    const everything = {
      packages: [...debianMachine().packages, ...marks.map((mark) => installed('mark', `1.0-${mark}`))],
    };
    await uploads.ended(teacher.id, await uploads.send(teacher, encodedMachine('taught', everything)));
    const hosts = await Promise.all(marks.map((mark) => client.enrol(mark)));
    await database.db.pool.query('UPDATE hosts SET shares_allowance_until = NULL');
    return hosts;
  };

  it('loses no upload when the worker is killed in the middle of a job for several uploads', async () => {
    // So many that the API stores them beside the upload that is held up below, with one statement: one job.
    const names = Array.from({ length: 17 }, (_unused, index) => `joined-${index}`);
    const [held, ...hosts] = await enrolKnown(names);
    if (held === undefined) throw new Error('no host was enrolled');
    // Without the scheduler, which rings for unfinished uploads, only the job itself can bring them to an end.
    await kill('scheduler');
    await kill('advisory-worker');
    const holder = await database.db.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM hosts WHERE id = $1 FOR UPDATE', [held.id]);
      const first = uploads.send(held, encodedMachine(names[0] ?? ''));
      await waitFor('the first upload to be held up', () => isBlocked(database, 'api'));
      const ids = await Promise.all(
        hosts.map((host, index) => uploads.send(host, encodedMachine(names[index + 1] ?? ''))),
      );
      await holder.query('COMMIT');
      const all = new Map([
        ...hosts.map(({ id }, index) => [id, ids[index] ?? ''] as const),
        [held.id, await first],
      ]);
      expect(await writersOf(ids)).toBe(1);
      // Ending this upload is among the last things that matching does.
      await holder.query('BEGIN');
      await holder.query('SELECT FROM uploads WHERE id = $1 FOR UPDATE', [ids.at(-1)]);
      service.start('advisory-worker');
      await waitFor('the worker to be in the middle of the job', () =>
        isBlocked(database, 'advisory-worker'),
      );
      await kill('advisory-worker');
      await holder.query('COMMIT');
      const states = await Promise.all(hosts.map(async ({ id }) => (await uploads.of(id))[0]?.state));
      expect(new Set(states)).toEqual(new Set(['parsed']));
      service.start('advisory-worker');
      for (const [hostId, uploadId] of all) {
        expect((await uploads.ended(hostId, uploadId)).state).toBe('matched');
        expect(await uploads.of(hostId)).toHaveLength(1);
      }
      // The first alone, the others in jobs of their own.
      expect(await writersOf(ids)).toBeGreaterThan(1);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
      service.start('scheduler');
    }
  });

  describe('counting the hosts of changed advisories', () => {
    const uncounted = async (): Promise<number> => {
      const { rows } = await database.db.pool.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM version_changes WHERE NOT counted',
      );
      return rows[0]?.count ?? 0;
    };
    const countOf = async ({ id }: EnrolledHost): Promise<number> => {
      const { critical_count, important_count, moderate_count } = await hostOf(id);
      return critical_count + important_count + moderate_count;
    };

    it('goes on when the worker is killed between an import and counting', async () => {
      expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
      const host = await client.enrol('uncounted');
      await uploads.ended(host.id, await uploads.send(host, encodedMachine('uncounted')));
      const before = await countOf(host);
      expect(before).toBeGreaterThan(0);
      const holder = await database.db.pool.connect();
      let importId = '';
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM host_state FOR UPDATE');
        const file = debianFeed((record) => ({ ...record, withdrawn: '2026-01-01T00:00:00Z' }));
        const posted = await fetch(`${service.url}/api/v1/feeds/import`, {
          method: 'POST',
          headers: { authorization: client.authorization, 'content-type': 'application/octet-stream' },
          body: new Uint8Array(file),
        });
        expect(posted.status).toBe(202);
        importId = ((await posted.json()) as { import_id: string }).import_id;
        await waitFor('the import to change the records', async () => (await uncounted()) > 0, {
          timeoutMs: 60_000,
        });
        await kill('advisory-worker');
      } finally {
        await holder.query('ROLLBACK');
        holder.release();
      }
      expect(await uncounted()).toBeGreaterThan(0);
      expect(await countOf(host)).toBe(before);
      service.start('advisory-worker');
      await waitFor('the hosts to be counted', async () => (await uncounted()) === 0, { timeoutMs: 60_000 });
      expect(await countOf(host)).toBe(0);
      const importState = async () =>
        ((await client.get(`/feeds/imports/${importId}`)).body as { status: string }).status;
      await waitFor('the import to end', async () => (await importState()) === 'done', { timeoutMs: 60_000 });
      expect(await importState()).toBe('done');
    });

    it('is done by any worker that runs, without a start, a sync or an import', async () => {
      const host = await client.enrol('left-behind');
      await uploads.ended(host.id, await uploads.send(host, encodedMachine('left-behind')));
      const counted = await countOf(host);
      // As a process leaves it that dies after its import.
      await database.db.pool.query('UPDATE host_state SET moderate = moderate + 7');
      await database.db.pool.query(
        "INSERT INTO version_changes (ids, releases, counted) VALUES ('', '{debian:12}', false)",
      );
      await waitFor('the hosts to be counted', async () => (await uncounted()) === 0, { timeoutMs: 60_000 });
      expect(await countOf(host)).toBe(counted);
    });
  });
});

/** Whether a statement of an app waits for a lock. */
async function isBlocked({ db }: TestDatabase, app: string): Promise<boolean> {
  const { rows } = await db.pool.query<{ blocked: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND application_name LIKE $1 || '%') AS blocked`,
    [`plimsoll ${app}`],
  );
  return rows[0]?.blocked === true;
}

interface Host {
  readonly critical_count: number;
  readonly important_count: number;
  readonly moderate_count: number;
}
