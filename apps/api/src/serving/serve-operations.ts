import {
  isDownload,
  methods,
  type Operation,
  type OperationId,
  operationIds,
  operationOf,
} from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Express, Request, Response } from 'express';
import { authenticate, type Caller } from '../auth/authenticate.ts';
import { isDenial, knownCallerOf } from '../auth/known-caller.ts';
import { mayMonitor } from '../auth/may-monitor.ts';
import { requireClientName } from '../auth/require-proof.ts';
import { accountOf } from '../auth/signed-in-user.ts';
import { admit, cutAnswer, delayOf } from '../connections/connection.ts';
import type { ApiServices } from '../context.ts';
import type { Answer, AnswerHeaders } from '../http/answer.ts';
import { type Exchange, exchangeOf, writeAnswer } from '../http/exchange.ts';
import { parseParams, readRequest } from '../http/read-request.ts';
import { originOf, preferredWaitSeconds, userAgentOf } from '../http/request-fields.ts';
import { requireHostInScope } from '../operations/hosts/find-host.ts';
import type { Handlers, OperationRequest } from '../operations/operation-request.ts';
import type { LargeReadId } from '../reads/read-messages.ts';
import { beginDownload, isAllowedDownload } from './begin-download.ts';

/** Mounts every operation of the contract, and the answer to unsupported methods of known paths. */
export function mountOperations(app: Express, handlers: Handlers, services: ApiServices): void {
  for (const [path, ids] of operationsByPath()) {
    const route = app.route(path.replace(/\{(\w+)\}/g, ':$1'));
    for (const id of ids) {
      const serve = serveOperation(id, handlers, services);
      route[operationOf(id).method](serve);
      // A link gets what another page of the dashboard would post.
      if (isDownload(operationOf(id)) && operationOf(id).method === 'post')
        route.get((request, response, next) =>
          isAllowedDownload(request, services) ? serve(request, response) : next(),
        );
    }
    route.all(refuseMethod(ids));
  }
}

/** Operation ids by path template; literal paths before parameters in the same place. */
function operationsByPath(): readonly (readonly [string, readonly OperationId[]])[] {
  const paths = new Map<string, OperationId[]>();
  for (const id of operationIds) {
    const { path } = operationOf(id);
    paths.set(path, [...(paths.get(path) ?? []), id]);
  }
  // "{" sorts after every letter.
  return [...paths].sort(([a], [b]) => (a < b ? -1 : 1));
}

function refuseMethod(ids: readonly OperationId[]) {
  const known = methods.filter((method) => ids.some((id) => operationOf(id).method === method));
  const names = [...known, ...(known.includes('get') ? ['head'] : []), 'options'];
  const allow = names.map((name) => name.toUpperCase()).join(', ');
  return (request: Request, response: Response): void => {
    for (const id of ids) parseParams(operationOf(id).params, request.params);
    response.setHeader('Allow', allow);
    if (request.method !== 'OPTIONS') {
      throw new AppError('method_not_allowed', `This path takes ${allow}.`);
    }
    response.statusCode = 204;
    response.end();
  };
}

/** The route of an operation: authenticate, check the role, parse, call the handler, answer. Rejects with any error. */
function serveOperation(
  id: OperationId,
  handlers: Handlers,
  services: ApiServices,
): (request: Request, response: Response) => Promise<void> {
  const operation = operationOf(id);
  const answerOf = answererOf(id, handlers, services);
  return async (request, response) => {
    const exchange = exchangeOf(response);
    exchange.route = operation.path;
    services.uploadRefusals.requireWelcome(operation, request);
    const caller = await authenticateNoting(id, request, exchange, services);
    if (caller !== null) admit(request);
    const download = !isDownload(operation)
      ? null
      : await beginDownload(request, response, services).catch((error: unknown) => {
          // Of a copied cookie, the second use is the trace.
          noteDenial(id, error, caller, request, exchange, services);
          throw error;
        });
    const parsed = await readRequest(operation, exchange, download);
    const waitSeconds = operation.waits ? preferredWaitSeconds(request.headers['prefer']) : null;
    const operationRequest = {
      ...parsed,
      caller,
      waitSeconds,
      signal: exchange.signal,
      requestId: exchange.requestId,
      requireClientName: (hostname: string) =>
        requireClientName(request, hostname, services.settings.clientNameHeader),
      // Few operations need these.
      get address() {
        return request.ip ?? '';
      },
      get userAgent() {
        return userAgentOf(request);
      },
      get mayMonitor() {
        return mayMonitor(request, services.settings.metricsToken);
      },
      get origin() {
        return originOf(request, services.settings.publicUrl);
      },
      get requestOrigin() {
        return originOf(request, null);
      },
      accepts: (types: readonly string[]) => request.accepts([...types]) || null,
    } as OperationRequest<Operation>; // Made by the schemas of the operation that types its handler.
    const leave = await enterLargeRead(operation, exchange, caller, services);
    try {
      const [ofKev] = await Promise.all([
        exploitedDataHeader(operation, operationRequest.query, services),
        requireHostInScope(operation, { caller, params: parsed.params }, services.stores.hosts),
      ]);
      const answer: Answer = await answerOf(operationRequest);
      const applied = waitSeconds === null ? {} : { 'Preference-Applied': `wait=${waitSeconds}` };
      noteRead(id, caller, request, exchange, services);
      const headers = { ...applied, ...(answer.status === 200 && ofKev), ...answer.headers };
      await writeAnswer(exchange, { ...answer, headers }, operation);
    } catch (error) {
      noteDenial(id, error, caller, request, exchange, services);
      const hostId = caller !== null && 'hostId' in caller ? caller.hostId : null;
      services.uploadRefusals.note(operation, request, hostId, error);
      throw error;
    } finally {
      // Work for a disconnected client goes on, and memory is held until the last byte is sent.
      if (response.destroyed) leave();
      else response.once('close', leave);
    }
  };
}

async function authenticateNoting(
  id: OperationId,
  request: Request,
  exchange: Exchange,
  services: ApiServices,
): Promise<Caller> {
  try {
    return await authenticate(operationOf(id), request, services);
  } catch (error) {
    noteDenial(id, error, null, request, exchange, services);
    throw error;
  }
}

/** Records that a known caller was denied something. */
function noteDenial(
  id: OperationId,
  error: unknown,
  caller: Caller,
  request: Request,
  { requestId }: Exchange,
  { accessNotes }: ApiServices,
): void {
  if (!(error instanceof AppError && isDenial(error, caller))) return;
  const known = knownCallerOf(error, caller);
  if (known === null) return;
  const from = { address: request.ip ?? '', requestId, hostId: hostIdOf(id, request) };
  const action = known.reused === true ? 'host_token.reused' : 'access.denied';
  accessNotes.note({ ...from, action, caller: known, operation: id, code: error.code });
}

/** Records a read that takes data out as a whole or raw; before its answer, which may take long. */
function noteRead(
  id: OperationId,
  caller: Caller,
  request: Request,
  { requestId }: Exchange,
  { accessNotes }: ApiServices,
): void {
  const action = operationOf(id).readAudit;
  const known = knownCallerOf(null, caller);
  // A request for the head takes nothing out.
  if (action === null || known === null || request.method === 'HEAD') return;
  const from = { address: request.ip ?? '', requestId, hostId: hostIdOf(id, request) };
  accessNotes.note({ ...from, action, caller: known, operation: id, code: null });
}

/** The header with the state of CISA KEV, for the operations that declare it; none where the answer is by what was known at a past time. */
async function exploitedDataHeader(
  { responses }: Operation,
  query: Readonly<Record<string, unknown>> | null,
  { stores }: ApiServices,
): Promise<AnswerHeaders> {
  if (responses[200]?.headers.includes('Plimsoll-Exploited-Data') !== true) return {};
  if (query?.['at'] !== undefined && query['known'] !== 'now') return {};
  return { 'Plimsoll-Exploited-Data': await stores.cves.kevFreshness() };
}

/** The host in the path of a request; null if the path has none. */
function hostIdOf(id: OperationId, { params }: Request): string | null {
  const isOfHost = operationOf(id).path.startsWith('/api/v1/hosts/{id}');
  return isOfHost && typeof params['id'] === 'string' ? params['id'] : null;
}

/** A handler, typed by an operation that is only known at run time. */
type AnyHandler = (request: OperationRequest<Operation>, services: ApiServices) => Promise<Answer>;

/** What answers an operation: the reader thread for a large read, if there is one, otherwise the handler. */
function answererOf(
  id: OperationId,
  handlers: Handlers,
  services: ApiServices,
): (request: OperationRequest<Operation>) => Promise<Answer> {
  const { reader, clock } = services;
  if (reader !== null && isLargeRead(id)) {
    const types = typesOf(operationOf(id));
    return ({ waitSeconds: _none, signal, accepts, requireClientName: _unused, ...asked }) =>
      reader.answer({ ...asked, operation: id, preferredType: accepts(types), now: clock() }, signal);
  }
  const handler = handlers[id] as unknown as AnyHandler;
  return (request) => handler(request, services);
}

function isLargeRead(id: OperationId): id is LargeReadId {
  return operationOf(id).heavy;
}

/** The content types of an operation's answers, JSON first. */
function typesOf({ responses }: Operation): readonly string[] {
  const others = Object.values(responses).flatMap(({ otherTypes }) => otherTypes);
  return [...new Set(['application/json', ...others])];
}

/** Takes a place if the operation is a large read; call the result to give it back. */
async function enterLargeRead(
  { heavy }: Operation,
  { signal, request }: Exchange,
  caller: Caller,
  { largeReads }: ApiServices,
): Promise<() => void> {
  if (!heavy || caller === null || 'hostId' in caller) return () => undefined;
  return largeReads.enter(accountOf(caller), signal, {
    delayedMs: () => delayOf(request),
    cut: () => cutAnswer(request),
  });
}
