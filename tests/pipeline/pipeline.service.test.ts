import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { serviceApps } from '@plimsoll/model';
import { loweredPriority } from '@plimsoll/process/lower-priority';
import type { Client, TestDatabase, TestService } from '@plimsoll/testing';
import { debianFeed, debianMachine, encodedMachine, installed } from './debian-machine.ts';
import { queues, startPipeline } from './pipeline-under-test.ts';
import type { Uploads } from './uploads.ts';

describe.each(queues)('the pipeline on %s', (_name, queue) => {
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
  const findingsOf = async (hostId: string, query = '') =>
    (await client.get(`/hosts/${hostId}/packages/vulnerable${query}`)).body as Finding[];

  it('brings an upload to findings, counts and kernel posture', async () => {
    const host = await client.enrol('web-1');
    expect(await hostOf(host.id)).toMatchObject({
      status: 'new',
      overall_action: 'unknown',
      coverage: 'none',
    });
    const uploadId = await uploads.send(host, encodedMachine('first'));
    expect(await uploads.ended(host.id, uploadId)).toMatchObject({
      state: 'matched',
      door: 'agent',
      snapshot_id: uploadId,
    });
    expect(await hostOf(host.id)).toMatchObject({
      status: 'active',
      os_name: 'debian',
      os_version: '12.8',
      available_updates: 1,
      critical_count: 0,
    });
    expect(await findingsOf(host.id)).toEqual([]);

    const imported = await client.importFeed(debianFeed());
    expect(imported).toMatchObject({ status: 200, body: { status: 'done', records_rejected: 0 } });
    const findings = await findingsOf(host.id);
    expect(findings.map(({ name, fix_state }) => [name, fix_state])).toEqual(
      expect.arrayContaining([
        ['openssh-server', 'installable'],
        ['openssh-client', 'not_in_repositories'],
      ]),
    );
    expect(findings.map(({ name }) => name)).not.toContain('bash');
    expect((await findingsOf(host.id, '?include_unfixed=true')).map(({ name }) => name)).toContain('zlib1g');
    const counted = await hostOf(host.id);
    for (const severity of ['critical', 'important', 'moderate'] as const) {
      expect(counted[`${severity}_count`]).toBe((await findingsOf(host.id, `?severity=${severity}`)).length);
    }
    expect((await client.get(`/hosts/${host.id}/kernel-posture`)).body).toMatchObject({
      running_kernel: '6.1.0-29-amd64',
      running_is_latest: true,
      reboot_state: 'not_needed',
    });
  });

  it('changes nothing when the same file is imported again, and says so', async () => {
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
    expect(await client.importFeed(debianFeed())).toMatchObject({
      status: 200,
      body: { records_changed: 0 },
    });
  });

  it('matches hosts again when a record changes, and their findings keep their age', async () => {
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
    const host = await client.enrol('web-2');
    await uploads.ended(host.id, await uploads.send(host, encodedMachine('second')));
    const before = (await findingsOf(host.id)).find(({ name }) => name === 'openssh-server');
    const withdrawn = debianFeed((record) =>
      record['id'] === 'CVE-2024-6387' ? { ...record, withdrawn: '2026-01-01T00:00:00Z' } : null,
    );
    expect(await client.importFeed(withdrawn)).toMatchObject({ body: { records_changed: 1 } });
    const without = (await findingsOf(host.id)).flatMap(({ advisories }) => advisories.map(({ id }) => id));
    expect(without).not.toContain('CVE-2024-6387');
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { records_changed: 1 } });
    const after = (await findingsOf(host.id)).find(({ name }) => name === 'openssh-server');
    expect(after).toEqual(before);
  });

  it('recognises an unchanged snapshot, and supersedes one older than the newest', async () => {
    const host = await client.enrol('web-3');
    const first = await uploads.send(host, encodedMachine('third'));
    expect((await client.upload(host.token, encodedMachine('third'))).body).toEqual({
      snapshot_id: first,
      status: 'unchanged',
    });
    await uploads.ended(host.id, first);
    const ids: string[] = [];
    for (const mark of ['a', 'b', 'c', 'd']) ids.push(await uploads.send(host, encodedMachine(mark)));
    for (const id of ids)
      expect(['matched', 'superseded']).toContain((await uploads.ended(host.id, id)).state);
    expect((await uploads.ended(host.id, ids.at(-1) ?? '')).state).toBe('matched');
    const packages = (await client.get(`/hosts/${host.id}/packages?q=mark`)).body as { version: string }[];
    expect(packages.map(({ version }) => version)).toEqual(['1.0-d']);
  });

  it('ends a fixed finding, and keeps its first day after an upgrade between affected versions', async () => {
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
    const host = await client.enrol('web-4');
    await uploads.ended(host.id, await uploads.send(host, encodedMachine('fourth')));
    const age = async () =>
      (await findingsOf(host.id)).find(({ name }) => name === 'openssh-server')?.first_seen_at;
    const before = await age();
    expect(before).toMatch(/^\d{4}-\d\d-\d\dT/);
    const upgradedTo = (version: string) => ({
      packages: [
        ...debianMachine().packages.filter(({ name }) => name !== 'openssh-server'),
        installed('openssh-server', version, { name: 'openssh' }),
      ],
    });
    await uploads.ended(
      host.id,
      await uploads.send(host, encodedMachine('fourth', upgradedTo('1:9.2p1-2+deb12u2~1'))),
    );
    expect(await age()).toBe(before);
    await uploads.ended(
      host.id,
      await uploads.send(host, encodedMachine('fourth', upgradedTo('1:9.2p1-2+deb12u7'))),
    );
    expect(await age()).toBeUndefined();
  });

  it('leaves no row of a host that is deleted during its uploads', async () => {
    const host = await client.enrol('doomed');
    for (const mark of ['x', 'y', 'z']) await uploads.send(host, encodedMachine(mark));
    expect((await client.send('DELETE', `/hosts/${host.id}`)).status).toBe(204);
    expect((await client.upload(host.token, encodedMachine('late'))).status).toBe(401);
    const survivor = await client.enrol('survivor');
    await uploads.ended(survivor.id, await uploads.send(survivor, encodedMachine('survivor')));
    const tables = [
      'uploads',
      'snapshots',
      'host_state',
      'host_contacts',
      'host_access_tokens',
      'package_changes',
    ];
    for (const table of tables) {
      const { rows } = await database.db.pool.query(
        `SELECT count(*)::int AS n FROM ${table} WHERE host_id = $1`,
        [host.id],
      );
      expect([table, rows[0]?.n]).toEqual([table, 0]);
    }
  });

  it("sends Redis only commands that the apps' users may run", async () => {
    expect(await service.queueRefusals()).toEqual([]);
  });

  it('has after all increments the same state as matching everything at once', async () => {
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
    const state = async () =>
      (await database.db.pool.query('SELECT * FROM host_state ORDER BY host_id')).rows as readonly unknown[];
    const before = await state();
    await database.db.pool.query(`UPDATE advisories SET digest = 'another'`);
    await database.db.pool.query(
      'UPDATE host_state SET critical = 99, important = 99, moderate = 99, low = 99, unrated = 99, unfixed = 99',
    );
    await database.db.pool.query('DELETE FROM package_version_advisories');
    expect(await client.importFeed(debianFeed())).toMatchObject({ body: { status: 'done' } });
    expect(await state()).toEqual(before);
  });

  it('gives the processor to the API before the workers', async () => {
    for (const app of serviceApps) {
      for (const { pid = 0 } of service.processes(app)) {
        const all = await nicenessOf(pid);
        expect([app, Math.min(...all)]).toEqual([app, app === 'api' ? getPriority() : loweredPriority]);
      }
    }
  });
});

interface Host {
  readonly critical_count: number;
  readonly important_count: number;
  readonly moderate_count: number;
}

interface Finding {
  readonly name: string;
  readonly fix_state: string;
  readonly first_seen_at: string;
  readonly advisories: readonly { readonly id: string }[];
}

/** The `nice` values of the threads of a process. */
async function nicenessOf(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  return Promise.all(
    tasks.map(async (task) => {
      const stat = await readFile(`/proc/${pid}/task/${task}/stat`, 'utf8');
      // Field 19 of proc(5), counted after the name, which may contain blanks.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    }),
  );
}
