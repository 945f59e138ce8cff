import type { HostId } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import {
  createPullJobStore,
  createPullRunStore,
  createSshHostStore,
  type PullHarvest,
  type PullJobStore,
  type PullRunStore,
  type PullToRun,
  type SshHostStore,
  systemActor,
} from '../src/index.ts';
import { addUpload, samplePair } from './ssh-host.ts';

/** The pin of the collector in every harvest. */
export const pin = Buffer.alloc(32, 7);

/** A separate database, with the stores of pulls. */
export interface PullVisits {
  readonly database: TestDatabase;
  readonly jobs: PullJobStore;
  readonly runs: PullRunStore;
  readonly hosts: SshHostStore;
  /** Requests a pull of a host and begins it. */
  begin(hostId: HostId, leaseSeconds?: number): Promise<PullToRun>;
  /** The result of a visit: a new upload of its host, with the key pair at an index of the run's. */
  harvestOf(run: PullToRun, pair?: number): Promise<PullHarvest>;
}

/** Creates the database; drop it in afterEach. */
export async function openPullVisits(): Promise<PullVisits> {
  const database = await createTestDatabase();
  const jobs = createPullJobStore(database.db);
  const runs = createPullRunStore(database.db);
  const hosts = createSshHostStore(database.db);
  return {
    database,
    jobs,
    runs,
    hosts,
    async begin(hostId, leaseSeconds = 20) {
      const job = await jobs.request(hostId, systemActor('test'));
      const run = await runs.begin(job?.id ?? '', leaseSeconds);
      if (run === null) throw new Error('the job cannot be begun');
      return run;
    },
    harvestOf: async (run, pair = 0) => ({
      uploadId: await addUpload(database.db, run.hostId),
      keyPairId: run.keyPairs[pair]?.id ?? samplePair().id,
      collectorPin: pin,
      address: '192.0.2.9',
    }),
  };
}
