import type { Operation, OperationId, Operations, PersonalTag } from '@plimsoll/contract';
import type { AuthenticatedHost } from '@plimsoll/db';
import type { z } from 'zod';
import type { SignedInUser, UserCaller } from '../auth/signed-in-user.ts';
import type { ApiServices } from '../context.ts';
import type { AnswerTo } from '../http/answer.ts';
import type { ByteBody } from '../http/read-request.ts';

/** A request that passed its operation's checks: the caller is authorised and all values are parsed. */
export interface OperationRequest<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly headers: Parsed<Op['headers']>;
  readonly body: ParsedBody<Op['body']>;
  readonly caller: CallerOf<Op>;
  /** How long the client wants to wait for the result of queued work, in seconds; null: it does not wait. */
  readonly waitSeconds: number | null;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /** The header `User-Agent`: at most 256 printable characters; empty without one. */
  readonly userAgent: string;
  /** In every log line of the request. */
  readonly requestId: string;
  /** Throws `unauthenticated` unless the client has the certificate of this host, where agents need one. */
  requireClientName(hostname: string): void;
  /** Whether it may read metrics and the state of dependencies. */
  readonly mayMonitor: boolean;
  /** The origin under which clients reach the API: `https://plimsoll.example`. */
  readonly origin: string;
  /** The same by the request alone, without the setting `api.public_url`. */
  readonly requestOrigin: string;
  /** The content type of `types` that the client prefers; null if it accepts none of them. */
  accepts(types: readonly string[]): string | null;
}

/** Carries out an operation: usually one store call and an answer. */
export type Handler<Id extends OperationId> = (
  request: OperationRequest<Operations[Id]>,
  services: ApiServices,
) => Promise<AnswerTo<Operations[Id]>>;

/** The handler of every operation of the contract. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : null;

type ParsedBody<Body extends Operation['body']> = Body extends { kind: 'json'; schema: infer Schema }
  ? Parsed<Schema>
  : Body extends { kind: 'bytes' }
    ? ByteBody
    : null;

type CallerOf<Op extends Operation> = Op['auth'] extends 'user'
  ? Op['tag'] extends PersonalTag
    ? SignedInUser
    : [Op['recent'], Op['keyWithoutProof']] extends [true, null]
      ? SignedInUser
      : UserCaller
  : Op['auth'] extends 'host'
    ? AuthenticatedHost
    : null;
