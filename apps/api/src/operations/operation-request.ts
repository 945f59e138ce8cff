import type { Operation, OperationId, Operations } from '@plimsoll/contract';
import type { AuthenticatedHost } from '@plimsoll/db';
import type { z } from 'zod';
import type { SignedInUser } from '../auth/signed-in-user.ts';
import type { ApiServices } from '../context.ts';
import type { AnswerTo } from '../http/answer.ts';
import type { ByteBody } from '../http/byte-body.ts';

/** A request that passed everything its operation asks for: the caller is who they must be, all values are parsed. */
export interface OperationRequest<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly headers: Parsed<Op['headers']>;
  readonly body: ParsedBody<Op['body']>;
  readonly caller: CallerOf<Op['auth']>;
  /** For how long the client wants to wait for the result of queued work; null if it does not. */
  readonly waitSeconds: number | null;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** The client's address, as far as trusted proxies tell it. */
  readonly address: string;
  /** Found in every line of the log that the request wrote. */
  readonly requestId: string;
  /** Where clients reach us: `https://plimsoll.example`. */
  readonly origin: string;
  /** The one of some content types the client likes best; null if it wants none of them. */
  accepts(types: readonly string[]): string | null;
}

/** What carries out an operation: one store call, mostly, and an answer. */
export type Handler<Op extends Operation> = (
  request: OperationRequest<Op>,
  services: ApiServices,
) => Promise<AnswerTo<Op>>;

/** The handler of every operation of the contract. */
export type Handlers = { readonly [Id in OperationId]: Handler<Operations[Id]> };

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : null;

type ParsedBody<Body extends Operation['body']> = Body extends { kind: 'json'; schema: infer Schema }
  ? Parsed<Schema>
  : Body extends { kind: 'bytes' }
    ? ByteBody
    : null;

type CallerOf<Auth> = Auth extends 'user' ? SignedInUser : Auth extends 'host' ? AuthenticatedHost : null;
