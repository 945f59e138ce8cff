import type { AuditAction, ErrorCode, UserRole } from '@plimsoll/model';
import type { z } from 'zod';
import { csvType } from './csv.ts';

/** The methods in use, as OpenAPI writes them. */
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/**
 * Access to an operation. `none`: public. `setup`: public while no user exists, afterwards 404 `setup_complete`.
 * `user`: a JWT, or an API key unless the operation is personal, whose role is at least `role`. `host`: a host access
 * token.
 */
export type Auth = 'none' | 'setup' | 'user' | 'host';

/** Tags of operations about accounts and their credentials: no API key may call them. */
const personalTags = ['setup', 'auth', 'sessions', 'users', 'api-keys'] as const;

/** One of `personalTags`. */
export type PersonalTag = (typeof personalTags)[number];

/**
 * Whether only a signed-in person may call an operation, and no API key: those about accounts and credentials, and those
 * that need a recent proof, which a key cannot give, unless the operation says why a key may do without.
 */
export function isPersonal({ tag, recent, keyWithoutProof }: Operation): boolean {
  return (personalTags as readonly string[]).includes(tag) || (recent && keyWithoutProof === null);
}

/** The body of a request. `json` is validated against a schema, `bytes` are streamed to the handler. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly schema: z.ZodType; readonly limitBytes: number }
  | {
      readonly kind: 'bytes';
      readonly contentTypes: readonly string[];
      /** `Content-Encoding`s besides `identity`. */
      readonly encodings: readonly ContentEncoding[];
      /** Limit of the decompressed body. */
      readonly limitBytes: number;
      /** `report`: kept in memory and must arrive within minutes; `file`: stored while it arrives, within an hour. */
      readonly comesAs: 'report' | 'file';
      readonly description: string;
    };

/** The supported content encodings of bodies. */
export const contentEncodings = ['gzip', 'deflate', 'br'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** One success response of an operation. */
export interface OperationResponse {
  readonly description: string;
  /** The JSON body's schema; `null` without a JSON body. */
  readonly json: z.ZodType | null;
  /** Content types of bodies that are not JSON. */
  readonly otherTypes: readonly string[];
  /** Response headers beyond those of every response. */
  readonly headers: readonly ResponseHeader[];
}

/** Possible response headers of an operation. */
export type ResponseHeader =
  | 'Link'
  | 'X-Total-Count'
  | 'Preference-Applied'
  | 'Location'
  | 'Content-Disposition'
  | 'Set-Cookie'
  | 'Plimsoll-Epochs'
  | 'Plimsoll-Not-Comparable'
  | 'Plimsoll-Not-Reported'
  | 'Plimsoll-Gaps'
  | 'Plimsoll-History-From'
  | 'Plimsoll-Resolution'
  | 'Plimsoll-Unknown-Hosts'
  | 'Plimsoll-Uncounted-Hosts'
  | 'Plimsoll-Exploited-Data';

/** The complete definition of one API operation: routes, validation, OpenAPI and tests derive from it. */
export interface Operation {
  readonly method: Method;
  /** With parameters in braces: `/api/v1/hosts/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly auth: Auth;
  /** Whether it is about the whole installation: refused to callers who are limited to tags. */
  readonly fleetWide: boolean;
  /** The lowest role that may call it; `null` if it needs no user. */
  readonly role: UserRole | null;
  /** An invalid value is 404. `null`: the path has no parameter. */
  readonly params: z.ZodObject | null;
  /** An invalid value is 422. `null`: it accepts no parameter. */
  readonly query: z.ZodObject | null;
  /** Request headers with a special meaning, lower case. */
  readonly headers: z.ZodObject | null;
  readonly body: RequestBody;
  /** Whether a user must have proved itself within the last minutes (setting `auth.reauthenticate_minutes`). */
  readonly recent: boolean;
  /** Why an API key may call an operation marked `recent`; null: it may not. */
  readonly keyWithoutProof: string | null;
  /** Whether a user whose role needs a second factor may call it before having one. */
  readonly withoutFactor: boolean;
  /** By status. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Error codes beyond those that follow from the other fields. */
  readonly errors: readonly ErrorCode[];
  /** Whether `Prefer: wait` delays the answer until the queued work is done. */
  readonly waits: boolean;
  /** Whether it can be expensive: the number of such requests in progress is limited per user and in total. */
  readonly heavy: boolean;
  /** Its audit actions: at least one for every operation that changes something, none for one that only reads. */
  readonly audit: readonly AuditAction[];
  /** Why a changing operation is not in the audit log. */
  readonly unaudited: string | null;
  /** The audit action of a read that takes data out of the service as a whole or raw; null for all others. */
  readonly readAudit: AuditAction | null;
  /** Whether its answers are compressed for clients that accept it: they can be large, and have no secret. */
  readonly compressed: boolean;
}

/** The values that `defineOperation` uses for omitted fields. */
const defaults = {
  fleetWide: false,
  role: null,
  params: null,
  query: null,
  headers: null,
  body: { kind: 'none' },
  recent: false,
  keyWithoutProof: null,
  withoutFactor: false,
  errors: [],
  waits: false,
  heavy: false,
  audit: [],
  unaudited: null,
  readAudit: null,
  compressed: false,
} as const satisfies Partial<Operation>;
type Defaults = typeof defaults;

/** An operation with optional fields omitted. */
type OperationDraft = Omit<Operation, keyof Defaults> & Partial<Pick<Operation, keyof Defaults>>;

/** Completes an operation and keeps its exact type, from which the types of handlers and clients derive. */
function defineOperation<const Draft extends OperationDraft>(
  draft: Draft,
): Readonly<Draft & Omit<Defaults, keyof Draft>> {
  return { ...defaults, ...draft };
}

type RestOfDraft = Omit<OperationDraft, 'method' | 'path' | 'tag' | 'auth' | 'role'>;

/** Operations with one tag: of users, by the lowest role that may call them, and of others. */
export function operationsFor<const Tag extends string>(tag: Tag) {
  const of =
    <const As extends Auth, const Role extends UserRole | null>(auth: As, role: Role) =>
    <const Verb extends Method, const Path extends string, const Draft extends RestOfDraft>(
      method: Verb,
      path: Path,
      draft: Draft,
    ) =>
      defineOperation({ method, path, tag, auth, role, ...draft });
  return {
    forViewers: of('user', 'viewer'),
    forOperators: of('user', 'operator'),
    forAdmins: of('user', 'admin'),
    forHosts: of('host', null),
    forEveryone: of('none', null),
    forSetup: of('setup', null),
  };
}

/** Makes JSON responses with these headers. */
function jsonWith<const Headers extends readonly ResponseHeader[]>(headers: Headers) {
  return <Schema extends z.ZodType>(schema: Schema, description: string) =>
    ({ description, json: schema, otherTypes: [], headers }) as const;
}

/** A JSON response. */
export const json = jsonWith([]);

/** A JSON response about one host, with the host's gaps in a header: an empty list must not be read as "safe". */
export const ofHost = jsonWith(['Plimsoll-Gaps']);

/** As ofHost, at any time: with how exactly that time is known. */
export const ofHostAt = jsonWith(['Plimsoll-Gaps', 'Plimsoll-Resolution']);

/** A JSON response about one host, or about hosts: one page of a list, or the whole list if the request sets no limit. */
export const pageOfHost = jsonWith(['Plimsoll-Gaps', 'Link', 'X-Total-Count']);

/** As pageOfHost, about the past of a host. */
export const pageOfHistory = jsonWith(['Plimsoll-Gaps', 'Plimsoll-History-From', 'Link', 'X-Total-Count']);

/** As page, about the past of many hosts: an empty list must not be read as "never". */
export const pageOfFleetHistory = jsonWith([
  'Plimsoll-Unknown-Hosts',
  'Plimsoll-History-From',
  'Link',
  'X-Total-Count',
]);

/**
 * A JSON response with one page of a list about findings of the fleet, with what limits the knowledge of its hosts: an
 * empty list must not be read as "safe".
 */
export const pageOfFleet = jsonWith([
  'Plimsoll-Gaps',
  'Plimsoll-Unknown-Hosts',
  'Plimsoll-Uncounted-Hosts',
  'Link',
  'X-Total-Count',
]);

/** A JSON response with one page of a list. */
export const page = jsonWith(['Link', 'X-Total-Count']);

/**
 * The response with the state of CISA KEV in a header: without current data of it, `known_exploited: false` says little, and
 * due dates of a policy that asks for it may be too late.
 */
export function restingOnKev<const Response extends OperationResponse>(response: Response) {
  return { ...response, headers: [...response.headers, 'Plimsoll-Exploited-Data'] } as const;
}

/** A body that is not JSON. */
export function body<const Type extends string>(type: Type, description: string) {
  return { description, json: null, otherTypes: [type], headers: [] } as const;
}

/** The same, to save as a file. */
export function file<const Type extends string>(type: Type, description: string) {
  return { ...body(type, description), headers: ['Content-Disposition'] } as const;
}

/** A table to save as a file. */
export const csv = (description: string) => file(csvType, description);

/** A shell script to save as a file. */
export const shellScript = (description: string) => file('text/x-shellscript; charset=utf-8', description);

/** A response without a body. */
export function empty(description: string) {
  return { description, json: null, otherTypes: [], headers: [] } as const;
}

/** A response that sends a browser to another page. */
export function redirect(description: string) {
  return { description, json: null, otherTypes: [], headers: ['Location', 'Set-Cookie'] } as const;
}

/** A JSON request body. The limit is in bytes. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema, limitBytes = 64 * 1024) {
  return { kind: 'json', schema, limitBytes } as const;
}
