import type { AuditAction, ErrorCode, UserRole } from '@plimsoll/model';
import type { z } from 'zod';
import { csvType } from './csv.ts';

/** The methods in use, as OpenAPI writes them. */
export const methods = ['get', 'post', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/**
 * Who may call. `none`: everyone. `setup`: everyone while no user exists, then nobody (404 `setup_complete`). `user`: a
 * JWT whose role is at least `role`. `host`: a host access token.
 */
export type Auth = 'none' | 'setup' | 'user' | 'host';

/** What an operation takes as its body. `json` is checked against a schema, `bytes` are streamed to the handler. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly schema: z.ZodType; readonly limitBytes: number }
  | {
      readonly kind: 'bytes';
      readonly contentTypes: readonly string[];
      /** `Content-Encoding`s besides `identity`. */
      readonly encodings: readonly ContentEncoding[];
      /** Of the decompressed body. */
      readonly limitBytes: number;
      /** `report`: is kept in memory, and has to come within minutes; `file`: is stored as it comes, within an hour. */
      readonly comesAs: 'report' | 'file';
      readonly description: string;
    };

/** The content encodings bodies may come in. */
export const contentEncodings = ['gzip', 'deflate', 'br'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** One way an operation succeeds. */
export interface OperationResponse {
  readonly description: string;
  /** The JSON body's schema; `null` where there is no JSON body. */
  readonly json: z.ZodType | null;
  /** Content types of bodies that are not JSON. */
  readonly otherTypes: readonly string[];
  /** Headers this answer has beyond those of every answer. */
  readonly headers: readonly ResponseHeader[];
}

/** Headers an operation's answer can have. */
export type ResponseHeader =
  | 'Link'
  | 'X-Total-Count'
  | 'Preference-Applied'
  | 'Location'
  | 'Content-Disposition'
  | 'Plimsoll-Epochs'
  | 'Plimsoll-Not-Comparable'
  | 'Plimsoll-Not-Reported'
  | 'Plimsoll-Gaps';

/** Everything there is to know about one operation of the API: routes, validation, OpenAPI and tests are made of it. */
export interface Operation {
  readonly method: Method;
  /** With parameters in braces: `/api/v1/hosts/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly auth: Auth;
  /** The least role of a user; `null` where no user is asked for. */
  readonly role: UserRole | null;
  /** A value of the wrong form is 404. `null`: the path has no parameter. */
  readonly params: z.ZodObject | null;
  /** A value of the wrong form is 422. `null`: no parameter is known. */
  readonly query: z.ZodObject | null;
  /** Request headers with a meaning of their own, lower case. */
  readonly headers: z.ZodObject | null;
  readonly body: RequestBody;
  /** By status. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Codes it can answer beyond those that follow from all of the above. */
  readonly errors: readonly ErrorCode[];
  /** Whether `Prefer: wait` holds the answer until the work it queued is done. */
  readonly waits: boolean;
  /** Whether it may cost much: only a few such requests of one user, and of all users, are answered at a time. */
  readonly heavy: boolean;
  /** What the audit log may tell of it: something for every operation that changes anything, nothing for one that reads. */
  readonly audit: readonly AuditAction[];
  /** Why an operation that changes something is nothing for the audit log. */
  readonly unaudited: string | null;
}

type Optional =
  | 'role'
  | 'params'
  | 'query'
  | 'headers'
  | 'body'
  | 'errors'
  | 'waits'
  | 'heavy'
  | 'audit'
  | 'unaudited';

/** An operation with what goes without saying left out. */
export type OperationDraft = Omit<Operation, Optional> & Partial<Pick<Operation, Optional>>;

/** What `defineOperation` puts in for what a draft leaves out. */
interface Defaults {
  readonly role: null;
  readonly params: null;
  readonly query: null;
  readonly headers: null;
  readonly body: { readonly kind: 'none' };
  readonly errors: readonly [];
  readonly waits: false;
  readonly heavy: false;
  readonly audit: readonly [];
  readonly unaudited: null;
}

const defaults: Defaults = {
  role: null,
  params: null,
  query: null,
  headers: null,
  body: { kind: 'none' },
  errors: [],
  waits: false,
  heavy: false,
  audit: [],
  unaudited: null,
};

/** Completes an operation and keeps its exact type, from which handlers and clients take theirs. */
export function defineOperation<const Draft extends OperationDraft>(
  draft: Draft,
): Readonly<Draft & Omit<Defaults, keyof Draft>> {
  return { ...defaults, ...draft };
}

/** A JSON answer. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, json: schema, otherTypes: [], headers: [] } as const;
}

/** A JSON answer about one host, with the host's gaps in a header: an empty list is not to be read as "safe". */
export function ofHost<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, json: schema, otherTypes: [], headers: ['Plimsoll-Gaps'] } as const;
}

/** A JSON answer about one host that is one page of a list, or the whole list where the request sets no limit. */
export function pageOfHost<Schema extends z.ZodType>(schema: Schema, description: string) {
  return {
    description,
    json: schema,
    otherTypes: [],
    headers: ['Plimsoll-Gaps', 'Link', 'X-Total-Count'],
  } as const;
}

/** A JSON answer that is one page of a list. */
export function page<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, json: schema, otherTypes: [], headers: ['Link', 'X-Total-Count'] } as const;
}

/** An answer that is a table to be saved as a file. */
export function csv(description: string) {
  return {
    description,
    json: null,
    otherTypes: [csvType],
    headers: ['Content-Disposition'],
  } as const;
}

/** An answer that is one of our shell scripts, to be saved as a file. */
export function shellScript(description: string) {
  return {
    description,
    json: null,
    otherTypes: ['text/x-shellscript; charset=utf-8'],
    headers: ['Content-Disposition'],
  } as const;
}

/** An answer without a body. */
export function empty(description: string) {
  return { description, json: null, otherTypes: [], headers: [] } as const;
}

/** A JSON request body. The limit holds for its bytes. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { kind: 'json', schema, limitBytes: 64 * 1024 } as const;
}
