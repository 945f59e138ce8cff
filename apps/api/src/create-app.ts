import { AppError } from '@plimsoll/model';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { createAccessNotes } from './auth/access-notes.ts';
import { createDownloadCookies } from './auth/download-cookie.ts';
import { createLoginLimiter } from './auth/login-limiter.ts';
import { createPasswords } from './auth/passwords.ts';
import { createRefreshTokens } from './auth/refresh-tokens.ts';
import { createSetupGate } from './auth/setup-gate.ts';
import { createUserTokens, tokenSecrets } from './auth/user-tokens.ts';
import { countUnder } from './connections/connection.ts';
import type { ApiContext, ApiServices } from './context.ts';
import { serveDashboard } from './dashboard/serve-dashboard.ts';
import { createEvidenceSecrets } from './evidence/evidence-secrets.ts';
import { handlers } from './handlers.ts';
import { beginExchange, exchangeOf } from './http/exchange.ts';
import { requireOrigin } from './http/request-fields.ts';
import { securityHeaders } from './http/security-headers.ts';
import { writeProblem } from './http/write-problem.ts';
import { createApiMetrics } from './metrics/api-metrics.ts';
import { createGatheredWarning } from './metrics/gathered-warning.ts';
import { createOidcSignIn } from './oidc/oidc-sign-in.ts';
import { createReadinessCheck } from './readiness/check-readiness.ts';
import { createSystemChecks } from './readiness/system-checks.ts';
import { createLargeReads } from './reads/large-reads.ts';
import { createFactorLimiter } from './second-factors/factor-limiter.ts';
import { createFactorSecrets } from './second-factors/factor-secrets.ts';
import { mountOperations } from './serving/serve-operations.ts';
import { createRefusalNotes } from './uploads/refusal-notes.ts';
import { createUploadGate } from './uploads/upload-gate.ts';
import { createUploadRefusals } from './uploads/upload-refusals.ts';
import { createUploadThreads } from './uploads/upload-threads.ts';

/** The API as an Express app, with every operation of the contract mounted. Opens no connection and does not listen. */
export function createApp(context: ApiContext): Express {
  const app = express();
  const { metrics, queue, logger, clock } = context;
  const { uploads, advisoryViews, feeds, fleet, rounds, quarantine, instances } = context.stores;
  const services = createServices(context);
  const apiMetrics = createApiMetrics({
    metrics,
    queue,
    logger,
    clock,
    uploads,
    advisoryViews,
    feeds,
    fleet,
    rounds,
    quarantine,
    instances,
    readiness: services.readiness,
  });
  const warnOfRefusal = createGatheredWarning<string>(logger, 'requests refused for now');
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', [...context.settings.trustedProxies]);
  app.use((request, response, next) => {
    countUnder(request, request.ip ?? '');
    beginExchange(request, response, { logger, warnOfRefusal, countRequest: apiMetrics.countRequest });
    next();
  });
  app.use(securityHeaders(context.settings.hstsDays));
  app.use((request, _response, next) => {
    requireOrigin(request);
    next();
  });
  mountOperations(app, handlers, services);
  app.use(serveDashboard(context.dashboard));
  app.use(() => {
    throw new AppError('not_found', 'This path does not exist.');
  });
  app.use(answerError);
  return app;
}

function createServices(context: ApiContext): ApiServices {
  const { settings, stores, database, logger, metrics } = context;
  const refusalNotes = createRefusalNotes(stores.uploads, logger);
  const secrets = tokenSecrets(settings.jwtSecretKey, settings.previousJwtSecretKey);
  return {
    ...context,
    readiness: createReadinessCheck(context),
    systemChecks: createSystemChecks(context),
    userTokens: createUserTokens(secrets),
    refreshTokens: createRefreshTokens(secrets),
    downloadCookies: createDownloadCookies(settings.jwtSecretKey),
    passwords: createPasswords(settings.passwordCost),
    oidc:
      settings.oidc === null
        ? null
        : createOidcSignIn(settings.oidc, { ...context, secret: settings.jwtSecretKey }),
    loginLimiter: createLoginLimiter(database, settings.loginLimits),
    factorLimiter: createFactorLimiter(database),
    factorSecrets: createFactorSecrets(secrets),
    evidenceSecrets: createEvidenceSecrets(stores.evidenceKeys, secrets),
    largeReads: createLargeReads(settings.largeReadLimits),
    setupGate: createSetupGate(stores.users),
    uploadGate: createUploadGate(),
    uploadThreads: createUploadThreads(settings.uploadThreadFile, logger),
    accessNotes: createAccessNotes({
      audit: stores.audit,
      names: stores,
      log: logger,
      beforeClose: (work) => database.beforeClose(work),
    }),
    refusalNotes,
    uploadRefusals: createUploadRefusals(refusalNotes, metrics),
  };
}

/** Express recognises an error handler by its four parameters. */
function answerError(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  // A path that the router cannot decode does not exist.
  const isBadPath = error instanceof URIError;
  writeProblem(
    exchangeOf(response),
    isBadPath ? new AppError('not_found', 'This path does not exist.') : error,
  );
}
