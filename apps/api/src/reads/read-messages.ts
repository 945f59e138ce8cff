import type { OperationId, Operations } from '@plimsoll/contract';
import type { FleetSummary, HostFilters } from '@plimsoll/db';
import type { ErrorCode, FieldError, HostId, HostScope } from '@plimsoll/model';
import type { Caller } from '../auth/authenticate.ts';
import type { TokenSecrets } from '../auth/user-tokens.ts';
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
  /** What the key that signs evidence is sealed with. */
  readonly tokenSecrets: TokenSecrets;
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

/** A question about the hosts in the memory of the thread or about its database, and its answer. */
export interface MemoryQuestions {
  /** Whether the thread gets an answer from the database. */
  readonly ping: { readonly asked: Readonly<Record<never, never>>; readonly told: null };
  /** The summary of the hosts of a scope. */
  readonly summarise: { readonly asked: { readonly scope: HostScope }; readonly told: FleetSummary };
  /** The ids of at most `most` hosts that filters select, and the number of all that they select. */
  readonly select: {
    readonly asked: { readonly scope: HostScope; readonly filters: HostFilters; readonly most: number };
    readonly told: { readonly total: number; readonly ids: readonly HostId[] };
  };
}

/** A question of `MemoryQuestions` with its parameters. */
export type MemoryQuestion = {
  [Kind in keyof MemoryQuestions]: { readonly kind: Kind } & MemoryQuestions[Kind]['asked'];
}[keyof MemoryQuestions];

/**
 * Messages to a thread. `more`: another piece may be sent. `gone`: the client has disconnected. `ask` asks about the
 * hosts in its memory.
 */
export type ToReader =
  | { readonly kind: 'read'; readonly read: number; readonly question: ReadQuestion }
  | { readonly kind: 'ask'; readonly read: number; readonly question: MemoryQuestion }
  | { readonly kind: 'more' | 'gone'; readonly read: number }
  | { readonly kind: 'stop' };

/**
 * Messages from a thread. After `end`, `told` or `failed` it no longer works on that read and sends
 * nothing more about it.
 */
export type FromReader =
  | { readonly kind: 'head'; readonly read: number; readonly head: AnswerHead }
  | { readonly kind: 'piece'; readonly read: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly read: number }
  | { readonly kind: 'told'; readonly read: number; readonly answer: unknown }
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
