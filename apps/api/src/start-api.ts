import { once } from 'node:events';
import type { Server } from 'node:http';
import type { RunningApp } from '@plimsoll/process';
import type { ApiConfig, ApiEnvironment } from './api-config.ts';
import { tokenSecrets } from './auth/user-tokens.ts';
import { warnOfOpenSetup } from './auth/warn-of-open-setup.ts';
import type { ApiContext } from './context.ts';
import { createApp } from './create-app.ts';
import { createEvidenceSecrets } from './evidence/evidence-secrets.ts';
import { openContext } from './open-context.ts';
import { keepFromStart } from './scripts/collector-keeper.ts';
import { createFactorSecrets } from './second-factors/factor-secrets.ts';
import { resealAppSecrets } from './second-factors/reseal-secrets.ts';
import { closeHttpServer } from './server/close-http-server.ts';
import { createHttpServer, createHttpsServer } from './server/http-server.ts';
import { limitsOfConfig, openFileLimit } from './server/limits-of-config.ts';
import { countDropped, registerConnections } from './server/watch-connections.ts';

/** Connections that the system queues until the API accepts them: a whole fleet may reconnect at once. */
const backlog = 4_096;

/**
 * Opens what requests need and listens. Rejects if agent or dashboard are not built, the certificate cannot be
 * used or the address cannot be bound.
 */
export async function startApi(environment: ApiEnvironment): Promise<RunningApp> {
  const { config, log } = environment;
  const { context, closeReads } = await openContext(environment);
  const { stores, events, collectorKeeper } = context;
  const server = await listen(config, context);
  const stopping = new AbortController();
  const kept = keepFromStart(collectorKeeper, log, stopping.signal);
  const warned = warnOfOpenSetup({ config, users: stores.users, log, signal: stopping.signal });
  const { jwtSecretKey, previousJwtSecretKey } = context.settings;
  const secrets = tokenSecrets(jwtSecretKey, previousJwtSecretKey);
  const resealed = resealAppSecrets(stores.totp, createFactorSecrets(secrets), log);
  const evidenceResealed = createEvidenceSecrets(stores.evidenceKeys, secrets)
    .reseal()
    .catch((error: unknown) => log.warn({ err: error }, 'cannot seal the evidence key again'));
  return {
    async stop() {
      stopping.abort();
      // Event streams never end by themselves.
      await events.close();
      await closeHttpServer(server);
      await closeReads();
      await kept;
      await warned;
      await resealed;
      await evidenceResealed;
    },
  };
}

async function listen(config: ApiConfig, context: ApiContext): Promise<Server> {
  const { certificate, metrics, logger } = context;
  const app = createApp(context);
  const limits = limitsOfConfig(config, await openFileLimit());
  const settings = { limits, onDropped: countDropped(metrics, logger) };
  const server =
    certificate === null ? createHttpServer(app, settings) : createHttpsServer(app, certificate, settings);
  registerConnections(metrics, server, limits.most);
  const place = { host: config['api.host'], port: config['api.port'] };
  server.listen({ ...place, backlog });
  await once(server, 'listening');
  logger.info({ ...place, tls: certificate !== null, mostConnections: limits.most }, 'api listens');
  return server;
}
