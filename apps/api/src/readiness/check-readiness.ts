import {
  cachedValue,
  type Database,
  pingDatabase,
  type RoundStore,
  type SchemaCheck,
  SchemaError,
} from '@plimsoll/db';
import { type FieldError, roundState } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';
import type { JobQueue, jobs } from '@plimsoll/queue';
import { appErrorOf } from '../http/app-error-of.ts';
import type { Reader } from '../reads/reader.ts';

const queueTimeoutMs = 1_000;
/** Anyone may ask: those who ask within this time get the same answer. */
const freshMs = 1_000;

/** Whether requests can be served; `missing` says why not. */
export type Readiness =
  | { readonly kind: 'unready'; readonly missing: FieldError }
  | {
      readonly kind: 'ready';
      readonly queue: 'up' | 'down';
      /** Names of the scheduler's rounds that fail. */
      readonly failingRounds: readonly string[];
    };

/** What readiness looks at. */
interface Needs {
  readonly database: Database;
  readonly reader: Reader | null;
  readonly queue: Pick<JobQueue<typeof jobs>, 'ping'>;
  readonly stores: { readonly rounds: Pick<RoundStore, 'list'> };
  readonly logger: Logger;
  readonly schema: Pick<SchemaCheck, 'findMissing'>;
  clock(): Date;
}

/**
 * Returns a function that tries what requests need: writes to the database, a connection for large reads, and writes to
 * the queue. It tries at most once a second, however often it is called, and again at once after a failure.
 */
export function createReadinessCheck(needs: Needs): () => Promise<Readiness> {
  const checked = cachedValue(() => check(needs), {
    freshMs: ({ kind }) => (kind === 'ready' ? freshMs : 0),
  });
  return checked.get;
}

async function check(needs: Needs): Promise<Readiness> {
  const [missing, queue] = await Promise.all([findMissing(needs), queueState(needs)]);
  if (missing !== null) return { kind: 'unready', missing };
  return { kind: 'ready', queue, failingRounds: await findFailingRounds(needs) };
}

/** What prevents the API from working; null if nothing does. */
async function findMissing({ database, reader, schema, logger }: Needs): Promise<FieldError | null> {
  try {
    await Promise.all([pingDatabase(database), reader?.ask('ping', {})]);
    const missing = await schema.findMissing();
    if (missing.length === 0) return null;
    return { pointer: '/migrations', detail: `The database lacks ${missing.length} migrations.` };
  } catch (error) {
    if (error instanceof SchemaError) return { pointer: '/migrations', detail: error.message };
    logger.warn({ err: error }, 'database not ready');
    return { pointer: '/database', detail: appErrorOf(error).message };
  }
}

async function findFailingRounds({ stores, clock }: Needs): Promise<readonly string[]> {
  const now = clock();
  return (await stores.rounds.list())
    .filter((round) => roundState(round, now) === 'failing')
    .map(({ name }) => name);
}

async function queueState({ queue, logger }: Needs): Promise<'up' | 'down'> {
  try {
    await queue.ping(queueTimeoutMs);
    return 'up';
  } catch (error) {
    logger.warn({ err: error }, 'queue not ready');
    return 'down';
  }
}
