import { methods, type Operation, type OperationId, operationIds, operationOf } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Express, Request, Response } from 'express';
import { authenticate, type Caller } from '../auth/authenticate.ts';
import { admit, cutAnswer, delayOf } from '../connections/connection.ts';
import type { ApiServices } from '../context.ts';
import type { Answer } from '../http/answer.ts';
import { type Exchange, exchangeOf, writeAnswer } from '../http/exchange.ts';
import { parseParams, readRequest } from '../http/read-request.ts';
import { originOf, preferredWaitSeconds } from '../http/request-fields.ts';
import type { Handler, Handlers, OperationRequest } from '../operations/operation-request.ts';
import type { LargeReadId } from '../reads/read-messages.ts';

/** Mounts every operation of the contract, and the answer to unsupported methods of known paths. */
export function mountOperations(app: Express, handlers: Handlers, services: ApiServices): void {
  for (const [path, ids] of operationsByPath()) {
    const route = app.route(path.replace(/\{(\w+)\}/g, ':$1'));
    for (const id of ids) route[operationOf(id).method](serveOperation(id, handlers, services));
    route.all(refuseMethod(path, ids));
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

function refuseMethod(path: string, ids: readonly OperationId[]) {
  const known = methods.filter((method) => ids.some((id) => operationOf(id).method === method));
  const names = [...known, ...(known.includes('get') ? ['head'] : []), 'options'];
  const allow = names.map((name) => name.toUpperCase()).join(', ');
  return (request: Request, response: Response): void => {
    exchangeOf(response).route = path;
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
    const caller = await authenticate(operation, request, services);
    if (caller !== null) admit(request);
    const parsed = await readRequest(operation, exchange);
    const waitSeconds = operation.waits ? preferredWaitSeconds(request.headers['prefer']) : null;
    const operationRequest = {
      ...parsed,
      caller,
      waitSeconds,
      signal: exchange.signal,
      address: request.ip ?? '',
      requestId: exchange.requestId,
      origin: originOf(request, services.settings.publicUrl),
      accepts: (types: readonly string[]) => request.accepts([...types]) || null,
    } as OperationRequest<Operation>; // Made by the schemas of the operation that types its handler.
    const leave = await enterLargeRead(operation, exchange, caller, services);
    try {
      const answer: Answer = await answerOf(operationRequest);
      const applied = waitSeconds === null ? {} : { 'Preference-Applied': `wait=${waitSeconds}` };
      await writeAnswer(exchange, { ...answer, headers: { ...applied, ...answer.headers } });
    } catch (error) {
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

/** What answers an operation: the reader thread for a large read, if there is one, otherwise the handler. */
function answererOf(
  id: OperationId,
  handlers: Handlers,
  services: ApiServices,
): (request: OperationRequest<Operation>) => Promise<Answer> {
  const { reader, clock } = services;
  if (reader !== null && isLargeRead(id)) {
    const types = typesOf(operationOf(id));
    return ({ waitSeconds: _none, signal, accepts, ...asked }) =>
      reader.answer({ ...asked, operation: id, preferredType: accepts(types), now: clock() }, signal);
  }
  const handler = handlers[id] as unknown as Handler<Operation>; // Typed by the same operation.
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
  if (!heavy || caller === null || !('user' in caller)) return () => undefined;
  return largeReads.enter(caller.user.id, signal, {
    delayedMs: () => delayOf(request),
    cut: () => cutAnswer(request),
  });
}
