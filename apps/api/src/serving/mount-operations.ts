import { methods, type OperationId, operationIds, operationOf } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import type { Express, Request, Response } from 'express';
import type { ApiServices } from '../context.ts';
import { exchangeOf } from '../http/exchange.ts';
import { parseParams } from '../http/read-request.ts';
import type { Handlers } from '../operations/operation-request.ts';
import { serveOperation } from './serve-operation.ts';

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
