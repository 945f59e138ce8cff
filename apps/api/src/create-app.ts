import { openApiDocument, operations } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { createUserTokens } from './auth/authenticate.ts';
import { createLoginLimiter } from './auth/login-limiter.ts';
import { createPasswords } from './auth/passwords.ts';
import { createSetupGate } from './auth/setup-gate.ts';
import { countUnder } from './connections/connection.ts';
import type { ApiContext, ApiServices } from './context.ts';
import { serveDashboard } from './dashboard/serve-dashboard.ts';
import { handlers } from './handlers.ts';
import { beginExchange, exchangeOf } from './http/exchange.ts';
import { writeProblem } from './http/write-problem.ts';
import { createApiMetrics } from './metrics/api-metrics.ts';
import { createGatheredWarning } from './metrics/gathered-warning.ts';
import { apiVersion } from './operations/service/api-version.ts';
import { createLargeReads } from './reads/large-reads.ts';
import { mountOperations } from './serving/serve-operations.ts';
import { createRefusalNotes } from './uploads/refusal-notes.ts';
import { createUploadGate } from './uploads/upload-gate.ts';
import { createUploadRefusals } from './uploads/upload-refusals.ts';
import { createUploadThreads } from './uploads/upload-threads.ts';

/** The API as an Express app, with every operation of the contract mounted. Opens no connection and does not listen. */
export function createApp(context: ApiContext): Express {
  const app = express();
  const { metrics, queue, logger, clock } = context;
  const { uploads, advisoryViews, feeds, fleet } = context.stores;
  const apiMetrics = createApiMetrics({
    metrics,
    queue,
    logger,
    clock,
    uploads,
    advisoryViews,
    feeds,
    fleet,
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
  app.use(securityHeaders);
  app.use(requireHost);
  mountOperations(app, handlers, createServices(context));
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
  return {
    ...context,
    userTokens: createUserTokens({
      secret: settings.jwtSecretKey,
      lifetimeMinutes: settings.tokenLifetimeMinutes,
      clock: context.clock,
    }),
    passwords: createPasswords(settings.passwordCost),
    loginLimiter: createLoginLimiter(database, settings.loginLimits),
    largeReads: createLargeReads(settings.largeReadLimits),
    setupGate: createSetupGate(stores.users),
    uploadGate: createUploadGate(),
    uploadThreads: createUploadThreads(settings.uploadThreadFile, logger),
    refusalNotes,
    uploadRefusals: createUploadRefusals(refusalNotes, metrics),
    openApi: Buffer.from(JSON.stringify(openApiDocument(operations, apiVersion))),
  };
}

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'unsafe-inline'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // The API cannot know whether a proxy in front of it uses TLS.
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
});

/** Sets the security headers of every answer: browsers must not frame, sniff, cache it or read it across origins. */
function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  protect(request, response, next);
}

/** RFC 9112, section 3.2. */
function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const isMissing = request.httpVersion === '1.1' && request.headers.host === undefined;
  next(isMissing ? new AppError('bad_request', 'The request has no Host header.') : undefined);
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
