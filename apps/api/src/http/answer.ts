import type { Operation, OperationResponse } from '@plimsoll/contract';
import type { z } from 'zod';

/** Headers a handler adds to its answer. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** What a handler may answer, by the contract of its operation. */
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
  ? { readonly kind: 'json'; readonly body: z.output<Schema> } | Prepared | RowsOf<Schema>
  : never;

/** JSON that is the same for every request, so that it is made once. */
interface Prepared {
  readonly kind: 'prepared';
  readonly json: Uint8Array;
}

type RowsOf<Schema> =
  Schema extends z.ZodArray<infer Element>
    ? { readonly kind: 'rows'; readonly rows: AsyncIterable<readonly z.output<Element>[]> }
    : never;

/** Bytes that were made in another thread, up to the last piece. `length`: of all of them; null: not known. */
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

/** Text that comes bit by bit. `cut` ends the connection in the middle of a text without an end; null: it has an end. */
interface PiecesOf<Type extends string> {
  readonly kind: 'pieces';
  readonly type: Type;
  readonly pieces: AsyncIterable<string>;
  readonly cut: AbortSignal | null;
}

/** An answer with the exact type of its body forgotten, for code that writes all of them alike. */
export type Answer = { readonly status: number; readonly headers?: AnswerHeaders } & (
  | { readonly kind: 'json'; readonly body: unknown }
  | Prepared
  | { readonly kind: 'rows'; readonly rows: AsyncIterable<readonly unknown[]> }
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Uint8Array }
  | PiecesOf<string>
  | Made
  | { readonly kind: 'empty' }
);
