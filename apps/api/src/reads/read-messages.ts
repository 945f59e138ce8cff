import type { OperationId, Operations } from '@plimsoll/contract';
import type { FleetSummary } from '@plimsoll/db';
import type { ErrorCode, FieldError, HostScope } from '@plimsoll/model';
import type { Caller } from '../auth/authenticate.ts';
import type { AnswerHeaders } from '../http/answer.ts';

/** The ids of operations marked `heavy` in the contract. */
export type LargeReadId = {
  [Id in OperationId]: Operations[Id]['heavy'] extends true ? Id : never;
}[OperationId];

/** The start data of a reader thread. */
export interface ReaderSettings {
  readonly databaseUrl: string;
  /** Most connections to the database. */
  readonly poolSize: number;
  /** Upper limit for one statement, in milliseconds. */
  readonly statementLimitMs: number;
}

/** A request as passed to a thread: values are parsed and the caller is authorised. */
export interface ReadQuestion {
  readonly operation: LargeReadId;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly origin: string;
  /** The content type of the operation that the client prefers; null if it accepts none. */
  readonly preferredType: string | null;
  /** The time of the request. */
  readonly now: Date;
}

/** The start of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly type: string;
  /** Bytes of the whole answer; null if not known at the start. */
  readonly length: number | null;
}

/**
 * Messages to a thread. `more`: another piece may be sent. `gone`: the client has disconnected. `summarise` asks for the
 * summary of the hosts of a scope.
 */
export type ToReader =
  | { readonly kind: 'read'; readonly read: number; readonly question: ReadQuestion }
  | { readonly kind: 'summarise'; readonly read: number; readonly scope: HostScope }
  | { readonly kind: 'more' | 'gone'; readonly read: number }
  | { readonly kind: 'stop' };

/**
 * Messages from a thread. After `end`, `summary` or `failed` it no longer works on that read and sends
 * nothing more about it.
 */
export type FromReader =
  | { readonly kind: 'head'; readonly read: number; readonly head: AnswerHead }
  | { readonly kind: 'piece'; readonly read: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly read: number }
  | { readonly kind: 'summary'; readonly read: number; readonly summary: FleetSummary }
  | { readonly kind: 'failed'; readonly read: number; readonly failure: ReadFailure }
  | { readonly kind: 'warning'; readonly message: string; readonly stack: string };

/** An AppError in a form that can be sent between threads. */
export interface ReadFailure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;
  /** The stack of its cause. */
  readonly stack: string | null;
}

/** Pieces of a read that are sent before its client takes the first. */
export const piecesAhead = 4;
