import { openApiDocument, operations } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Handler } from '../operation-request.ts';
import { apiVersion } from './api-version.ts';

const retrySeconds = 5;

/** GET /healthz */
export const getHealth: Handler<'getHealth'> = async () => ({
  kind: 'json',
  status: 200,
  body: { status: 'ok' },
});

/** GET /readyz */
export const getReadiness: Handler<'getReadiness'> = async ({ mayMonitor }, services) => {
  const readiness = await services.readiness();
  if (readiness.kind === 'unready') {
    const { missing } = readiness;
    throw new AppError('unavailable', mayMonitor ? `Not ready. ${missing.detail}` : 'Not ready.', {
      errors: mayMonitor ? [missing] : [],
      retryAfterSeconds: retrySeconds,
    });
  }
  const { queue, failingRounds } = readiness;
  return {
    kind: 'json',
    status: 200,
    body: {
      status: queue === 'up' && failingRounds.length === 0 ? 'ready' : 'degraded',
      ...(mayMonitor
        ? { database: 'up', migrations: 'applied', queue, failing_rounds: [...failingRounds] }
        : {}),
    },
  };
};

/** GET /metrics */
export const getMetrics: Handler<'getMetrics'> = async ({ mayMonitor }, services) => {
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
export const getOpenApi: Handler<'getOpenApi'> = async () => ({
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
