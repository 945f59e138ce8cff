import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createCollectorStore,
  createPullJobStore,
  createPullRunStore,
  createSshHostStore,
  createUploadStore,
  type NewSshHost,
  newId,
  type SealedKeyPair,
  systemActor,
} from '@plimsoll/db';
import type { HostId, SshKeyPairId, UploadId } from '@plimsoll/model';
import { createSshAddressPolicy } from '@plimsoll/outbound';
import { createLogger, createMetrics } from '@plimsoll/process';
import type { Delivery, JobHandler, jobs, PayloadOf } from '@plimsoll/queue';
import { createKeyFiles, createKeyRing, readSealingPublicKey, seal } from '@plimsoll/secrets';
import {
  authorizedKeysLine,
  createPlaces,
  createStartups,
  generateKeyPair,
  openSshPublicKey,
} from '@plimsoll/ssh';
import { createTestDatabase, currentLogin, type TestDatabase } from '@plimsoll/testing';
import { createLeases, type Leases } from '../src/leases.ts';
import { createPullHandler } from '../src/pull-handler.ts';
import { createPullMetrics } from '../src/pull-metrics.ts';

type PullHandler = JobHandler<PayloadOf<typeof jobs, 'ssh-pull'>>;

/** A collector of a few lines, with its identification. */
export interface SampleCollector {
  readonly script: Buffer;
  readonly sha256: Buffer;
}

/** A collector that runs commands and then prints a report with `text`. */
export function sampleCollector(text: string, commands = ''): SampleCollector {
  return collectorOf(`${commands}\nprintf 'plimsoll-report 1 apt 1.0.0\\n%s\\n' '${text}'\n`);
}

/** A collector with this script. */
export function collectorOf(text: string): SampleCollector {
  const script = Buffer.from(text);
  return { script, sha256: createHash('sha256').update(script).digest() };
}

/** A pair whose private half only the worker under test can decrypt. */
export interface HostPair extends SealedKeyPair {
  /** For the plain key in authorized_keys. */
  readonly plainLine: string;
  /** For the key that runs one collector. */
  lineFor(collector: SampleCollector): string;
}

/** The handler's environment: a database, key files, a handler, and the recorded rings. */
export class WorkerUnderTest {
  readonly rung: UploadId[] = [];
  readonly #database: TestDatabase;
  readonly #folder: string;
  readonly #leases: Leases;
  #kept = 0;
  readonly handler: PullHandler;

  private constructor(database: TestDatabase, folder: string) {
    this.#database = database;
    this.#folder = folder;
    const db = database.as('ssh-worker');
    const log = createLogger({ app: 'test', level: 'silent' });
    const runs = createPullRunStore(db);
    this.#leases = createLeases(runs, log);
    this.handler = createPullHandler({
      runs,
      leases: this.#leases,
      collectors: createCollectorStore(db),
      intake: {
        uploads: createUploadStore(db),
        bell: { ring: (_job, payload) => void this.rung.push((payload as { uploadId: UploadId }).uploadId) },
      },
      addresses: createSshAddressPolicy(['127.0.0.0/8']),
      ring: createKeyRing(this.keyFiles.keysFile),
      largeOutputs: createPlaces(1),
      startups: createStartups(8),
      limits: { connectMs: 5_000, totalMs: 30_000, outputBytes: 4 * 1024 * 1024 },
      metrics: createPullMetrics(createMetrics()),
      log,
    });
  }

  static async start(): Promise<WorkerUnderTest> {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-keys-'));
    const worker = new WorkerUnderTest(await createTestDatabase(), folder);
    await createKeyFiles(worker.keyFiles);
    return worker;
  }

  async stop(): Promise<void> {
    this.#leases.stop();
    await this.#database.drop();
    await rm(this.#folder, { recursive: true });
  }

  get db() {
    return this.#database.db;
  }

  get keyFiles() {
    return {
      keysFile: path.join(this.#folder, 'ring'),
      publicKeyFile: path.join(this.#folder, 'ring.pub'),
    };
  }

  async makePair(): Promise<HostPair> {
    const { publicKey, seed } = generateKeyPair();
    const id = newId<SshKeyPairId>();
    const sealingKey = await readSealingPublicKey(this.keyFiles.publicKeyFile);
    const plainLine = openSshPublicKey(publicKey, 'test');
    return {
      id,
      publicKey,
      sealed: seal(sealingKey, seed, id),
      sealedTo: sealingKey.keyId,
      plainLine,
      lineFor: ({ sha256 }) => authorizedKeysLine(plainLine, sha256.toString('hex')),
    };
  }

  /** Stores a collector; the last one stored is the newest. */
  async keep({ script, sha256 }: SampleCollector): Promise<void> {
    await createCollectorStore(this.db).keep({ sha256, version: '1.0.0', script });
    // Two stored within the same millisecond would have the same age.
    this.#kept += 1;
    await this.db.prisma.collector.update({
      where: { sha256: new Uint8Array(sha256) },
      data: { createdAt: new Date(this.#kept * 1_000) },
    });
  }

  async addHost(
    pair: SealedKeyPair,
    target: Partial<NewSshHost> & { readonly port: number },
  ): Promise<HostId> {
    const id = newId<HostId>();
    await createSshHostStore(this.db).create(
      {
        id,
        displayName: 'pulled',
        hostname: '127.0.0.1',
        staleAfterSeconds: 3_600,
        user: currentLogin().user,
        frequencyMinutes: 60,
        keyPair: { kind: 'own', pair },
        hostKeyFingerprint: null,
        ...target,
      },
      systemActor('test'),
    );
    return id;
  }

  /** Requests a pull and returns its job's id. */
  async ask(hostId: HostId) {
    const job = await createPullJobStore(this.db).request(hostId, systemActor('test'));
    if (job === null) throw new Error('there is no such host');
    return job.id;
  }

  /** Delivers a job once. */
  deliver(pullJobId: Awaited<ReturnType<WorkerUnderTest['ask']>>, delivery: Partial<Delivery> = {}) {
    const whole = { signal: new AbortController().signal, attempt: 1, lastAttempt: false, starts: 1 };
    return this.handler({ pullJobId }, { ...whole, ...delivery });
  }

  /** Pulls a host with as many deliveries as the queue would make, and returns the job's state. */
  async pull(hostId: HostId) {
    const id = await this.ask(hostId);
    for (let attempt = 1; attempt <= 3; attempt++) {
      try {
        await this.deliver(id, { attempt, lastAttempt: attempt === 3 });
        break;
      } catch {
        // Delivered again.
      }
    }
    const job = await createPullJobStore(this.db).find(id);
    if (job === null) throw new Error('the job is gone');
    return job;
  }

  target(hostId: HostId) {
    return createSshHostStore(this.db).find(hostId);
  }
}
