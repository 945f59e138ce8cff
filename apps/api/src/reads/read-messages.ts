import type { AuthenticatedHost } from '@plimsoll/db';
import type { ErrorCode, FieldError } from '@plimsoll/model';
import type { SignedInUser } from '../auth/signed-in-user.ts';
import type { AnswerHeaders } from '../http/answer.ts';
import type { LargeReadId } from './large-read-id.ts';

/** What a thread that reads is started with. */
export interface ReaderSettings {
  readonly databaseUrl: string;
  /** Connections to the database at most. */
  readonly poolSize: number;
  /** A statement that takes longer fails, milliseconds. */
  readonly statementLimitMs: number;
}

/** A request as a thread gets it: all values are parsed, and the caller may do what it asks for. */
export interface ReadQuestion {
  readonly operation: LargeReadId;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly caller: SignedInUser | AuthenticatedHost | null;
  readonly address: string;
  readonly requestId: string;
  readonly origin: string;
  /** The content type that the client likes best of those that the operation has; null: none of them. */
  readonly preferredType: string | null;
  /** When it is asked. */
  readonly now: Date;
}

/** What an answer begins with. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly type: string;
  /** Bytes of the whole answer; null where that is not known when it begins. */
  readonly length: number | null;
}

/** What is sent to a thread. `more`: another piece may come. `gone`: nobody waits for the answer any more. */
export type ToReader =
  | { readonly kind: 'read'; readonly read: number; readonly question: ReadQuestion }
  | { readonly kind: 'more' | 'gone'; readonly read: number }
  | { readonly kind: 'stop' };

/** What a thread sends. After `end` or `failed` it works on that read no longer, and sends nothing more of it. */
export type FromReader =
  | { readonly kind: 'head'; readonly read: number; readonly head: AnswerHead }
  | { readonly kind: 'piece'; readonly read: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly read: number }
  | { readonly kind: 'failed'; readonly read: number; readonly failure: ReadFailure }
  | { readonly kind: 'warning'; readonly message: string; readonly stack: string };

/** An AppError, in words that pass from thread to thread. */
export interface ReadFailure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;
  /** Of the error that it follows from. */
  readonly stack: string | null;
}

/** Pieces of one read that are sent before its client took the first of them. */
export const piecesAhead = 4;
