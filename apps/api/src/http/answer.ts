import type { Operation, OperationResponse } from '@plimsoll/contract';
import type { z } from 'zod';
import type { JsonText } from './json-text.ts';

/** Headers that a handler adds to its answer; a header with several values is sent once for each. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The answers that an operation's contract allows its handler. */
export type AnswerTo<Op extends Operation> = {
  [Status in keyof Op['responses'] & number]: BodyOf<Op['responses'][Status]> & {
    readonly status: Status;
    readonly headers?: AnswerHeaders;
  };
}[keyof Op['responses'] & number];

type BodyOf<Response> = Response extends OperationResponse
  ? JsonOf<Response['json']> | OtherOf<Response['otherTypes'][number], Response['json']>
  : never;

type JsonOf<Schema> = Schema extends z.ZodType
  ?
      | { readonly kind: 'json'; readonly body: z.output<Schema> }
      | { readonly kind: 'text'; readonly json: JsonText<z.output<Schema>> }
      | Prepared
      | RowsOf<Schema>
      | DocumentOf<Schema>
  : never;

/** A JSON object without a schema for its fields, written while it is made. */
interface JsonPieces {
  readonly kind: 'document';
  readonly pieces: AsyncIterable<string>;
}

type DocumentOf<Schema> = Schema extends z.ZodRecord ? JsonPieces : never;

/** JSON that is the same for every request and is generated once. */
interface Prepared {
  readonly kind: 'prepared';
  readonly json: Uint8Array;
}

type RowsOf<Schema> =
  Schema extends z.ZodArray<infer Element>
    ? { readonly kind: 'rows'; readonly rows: AsyncIterable<readonly z.output<Element>[]> }
    : never;

/** Bytes generated in another thread. `length`: their total; null if not known. */
interface Made {
  readonly kind: 'made';
  readonly type: string;
  readonly length: number | null;
  readonly pieces: AsyncIterable<Uint8Array>;
}

type OtherOf<Type extends string, Schema> = [Type] extends [never]
  ? Schema extends null
    ? { readonly kind: 'empty' }
    : never
  : { readonly kind: 'bytes'; readonly type: Type; readonly bytes: Uint8Array } | PiecesOf<Type>;

/** Text, or bytes, that arrive in pieces. `cut` ends the connection of an endless text; null for a text with an end. */
interface PiecesOf<Type extends string> {
  readonly kind: 'pieces';
  readonly type: Type;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  readonly cut: AbortSignal | null;
}

/** An answer without the exact type of its body, for code that writes all answers alike. */
export type Answer = { readonly status: number; readonly headers?: AnswerHeaders } & (
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'text'; readonly json: JsonText<unknown> }
  | Prepared
  | { readonly kind: 'rows'; readonly rows: AsyncIterable<readonly unknown[]> }
  | JsonPieces
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Uint8Array }
  | PiecesOf<string>
  | Made
  | { readonly kind: 'empty' }
);
