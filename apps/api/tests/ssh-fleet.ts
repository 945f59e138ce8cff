import { createHash } from 'node:crypto';
import { createPullRunStore, createUploadStore, type PullFailure, type PullToRun } from '@plimsoll/db';
import type { HostId, UploadId } from '@plimsoll/model';
import { readReportFacts, takeReport } from '@plimsoll/pipeline/intake';
import type { Response } from 'supertest';
import type { ApiUnderTest } from './api-under-test.ts';
import { parseAndMatch } from './pipeline.ts';
import { sampleReport } from './sample-report.ts';

/** Fingerprints of two host keys. */
export const givenKey = `SHA256:${'A'.repeat(43)}`;
export const seenKey = `SHA256:${'B'.repeat(42)}A`;

/** The request body for a host to pull. */
export const newHost = { display_name: 'Web 1', hostname: 'web-1.example.org', ssh_user: 'plimsoll' };

/** Pulled hosts of an API under test, and the actions of an ssh-worker on them. */
export interface SshFleet {
  /** Requests a host; missing fields are as in `newHost`. */
  create(json?: object): Promise<Response>;
  /** Adds a host; returns its id. */
  add(json?: object): Promise<string>;
  hostOf(id: string): Promise<Response['body']>;
  pullNow(id: string, headers?: Record<string, string>): Promise<Response>;
  jobsOf(id: string): Promise<Response['body']>;
  /** How many rows about pulls a host has. */
  rowsOf(id: string): Promise<Record<string, number>>;
  /** The SHA-256 of the collector that lines pin now. */
  collectorHash(): string;
  /** Starts a pull as a worker does. */
  begin(jobId: string): Promise<PullToRun>;
  /** Fails a pull of a host. */
  failPull(id: string, failure?: Partial<PullFailure>): Promise<void>;
  /** Stores a pulled report; `collectorPin` is the collector that the host's line pins, if any. */
  succeed(run: PullToRun, collectorPin?: Uint8Array | null, report?: string): Promise<UploadId>;
}

const leaseSeconds = 60;

/** The fleet of an API, as its admin sees it. */
export function sshFleetOf(api: ApiUnderTest): SshFleet {
  const runs = createPullRunStore(api.database.as('ssh-worker'));
  const uploads = createUploadStore(api.database.as('ssh-worker'));
  const create: SshFleet['create'] = (json = {}) =>
    api.admin.post('/api/v1/hosts/ssh', { json: { ...newHost, ...json } });
  const read = async (path: string) => (await api.admin.get(`/api/v1/hosts/${path}`)).body;
  const pullNow: SshFleet['pullNow'] = (id, headers = {}) =>
    api.admin.post(`/api/v1/hosts/${id}/pull-now`, { headers });
  const begin: SshFleet['begin'] = async (jobId) => {
    const run = await runs.begin(jobId, leaseSeconds);
    if (run === null) throw new Error('nothing to begin');
    return run;
  };
  return {
    create,
    async add(json) {
      const answer = await create(json);
      expect(answer.status).toBe(201);
      return answer.body.host.id;
    },
    hostOf: read,
    pullNow,
    jobsOf: (id) => read(`${id}/pull-jobs`),
    async rowsOf(id) {
      const { rows } = await api.database.db.pool.query<{ targets: number; pairs: number; jobs: number }>(
        `SELECT (SELECT count(*)::int FROM ssh_targets WHERE host_id = $1) AS targets,
                (SELECT count(*)::int FROM ssh_key_pairs WHERE host_id = $1) AS pairs,
                (SELECT count(*)::int FROM pull_jobs WHERE host_id = $1) AS jobs`,
        [id],
      );
      return { ...rows[0] };
    },
    collectorHash: () => createHash('sha256').update(api.context.scripts.collector.script).digest('hex'),
    begin,
    async failPull(id, failure = {}) {
      const run = await begin((await pullNow(id)).body.id);
      const usual = { code: 'connect_refused', message: 'Start its sshd.', otherHostKey: null } as const;
      await runs.fail(run, { ...usual, ...failure });
    },
    async succeed(run, collectorPin = null, report = sampleReport()) {
      const bytes = Buffer.from(report);
      const facts = readReportFacts(bytes, new Date());
      const hostId: HostId = run.hostId;
      const taken = await takeReport(
        { hostId, door: 'ssh', facts, body: { bytes } },
        { uploads, bell: { ring: () => undefined } },
      );
      if (taken === null) throw new Error('the host is gone');
      const [pair] = run.keyPairs;
      if (pair === undefined) throw new Error('no key pair');
      await runs.harvest(run, {
        uploadId: taken.id,
        keyPairId: pair.id,
        collectorPin,
        address: '192.0.2.7',
      });
      await parseAndMatch(api.database, [taken.id]);
      return taken.id;
    },
  };
}
