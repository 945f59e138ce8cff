import { type Operations, openApiDocument, operations } from '@plimsoll/contract';
import { pingDatabase, SchemaError } from '@plimsoll/db';
import { AppError, type FieldError, roundState } from '@plimsoll/model';
import type { ApiServices } from '../../context.ts';
import type { Handler } from '../operation-request.ts';
import { apiVersion } from './api-version.ts';

const queueTimeoutMs = 1_000;
const retrySeconds = 5;

/** GET /healthz */
export const getHealth: Handler<Operations['getHealth']> = async () => ({
  kind: 'json',
  status: 200,
  body: { status: 'ok' },
});

/** GET /readyz */
export const getReadiness: Handler<Operations['getReadiness']> = async ({ mayMonitor }, services) => {
  const [missing, queue] = await Promise.all([findMissing(services), queueState(services)]);
  if (missing !== null) {
    throw new AppError('unavailable', mayMonitor ? `Not ready: ${missing.detail}.` : 'Not ready.', {
      errors: mayMonitor ? [missing] : [],
      retryAfterSeconds: retrySeconds,
    });
  }
  const failing = await failingRounds(services);
  return {
    kind: 'json',
    status: 200,
    body: {
      status: queue === 'up' && failing.length === 0 ? 'ready' : 'degraded',
      ...(mayMonitor ? { database: 'up', migrations: 'applied', queue, failing_rounds: [...failing] } : {}),
    },
  };
};

/** GET /metrics */
export const getMetrics: Handler<Operations['getMetrics']> = async ({ mayMonitor }, services) => {
  if (!mayMonitor) {
    throw new AppError(
      'unauthenticated',
      'The metrics need the token of api.metrics_token. If it is not set, only requests from the same machine get them.',
    );
  }
  return {
    kind: 'bytes',
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
    bytes: Buffer.from((await services.metrics.render()).text),
  };
};

/** GET /openapi.json */
export const getOpenApi: Handler<Operations['getOpenApi']> = async () => ({
  kind: 'prepared',
  status: 200,
  json: openApi(),
});

/** Made on the first request: the conversion of all schemas takes some 300 ms. */
let madeOpenApi: Uint8Array | undefined;

function openApi(): Uint8Array {
  madeOpenApi ??= Buffer.from(JSON.stringify(openApiDocument(operations, apiVersion)));
  return madeOpenApi;
}

/** What prevents the API from working; null if nothing does. */
async function findMissing(services: ApiServices): Promise<FieldError | null> {
  try {
    await pingDatabase(services.database);
    const missing = await services.schema.findMissing();
    if (missing.length === 0) return null;
    return { pointer: '/migrations', detail: `the database lacks ${missing.length} migrations` };
  } catch (error) {
    if (error instanceof SchemaError) return { pointer: '/migrations', detail: error.message };
    services.logger.warn({ err: error }, 'database not ready');
    return { pointer: '/database', detail: 'the database does not answer' };
  }
}

async function failingRounds({ stores, clock }: ApiServices): Promise<readonly string[]> {
  const now = clock();
  return (await stores.rounds.list())
    .filter((round) => roundState(round, now) === 'failing')
    .map(({ name }) => name);
}

async function queueState({ queue, logger }: ApiServices): Promise<'up' | 'down'> {
  try {
    await queue.ping(queueTimeoutMs);
    return 'up';
  } catch (error) {
    logger.debug({ err: error }, 'queue not reachable');
    return 'down';
  }
}
