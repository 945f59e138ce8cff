import type { IncomingMessage } from 'node:http';
import { type ContentEncoding, contentEncodings } from '@plimsoll/contract';
import { AppError, type FieldError } from '@plimsoll/model';
import { parse } from 'content-type';
import type { Request } from 'express';
import { z } from 'zod';

/**
 * All values of a request header, in the order sent; `name` is lower case. Node's header objects join or drop repeated
 * headers, and building them fails in old releases for a header named `__proto__`.
 */
export function sentHeaders({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  // Names and values alternate.
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** Throws `unsupported_media_type` unless the body has one of the types and, if it names a charset, UTF-8. */
export function requireContentType(request: IncomingMessage, accepted: readonly string[]): void {
  const values = sentHeaders(request, 'content-type');
  const { type, parameters } = parse(values[0] ?? '');
  const isUtf8 = /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  if (values.length === 1 && isUtf8 && accepted.includes(type.toLowerCase())) return;
  throw new AppError('unsupported_media_type', `The body must be ${accepted.join(' or ')}.`);
}

/**
 * The single content encoding of a body; null without one. Throws `unsupported_media_type` for any not in `accepted`.
 */
export function contentEncodingOf(
  request: IncomingMessage,
  accepted: readonly ContentEncoding[],
): ContentEncoding | null {
  const name = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  const known = contentEncodings.find((encoding) => encoding === (name === 'x-gzip' ? 'gzip' : name));
  if (known !== undefined && accepted.includes(known)) return known;
  const choice = accepted.length === 0 ? 'none' : `one of ${accepted.join(', ')}`;
  throw new AppError('unsupported_media_type', `The body's content encoding must be ${choice}.`);
}

/** The client's `User-Agent`, at most 256 printable characters; empty without one. */
export function userAgentOf(request: IncomingMessage): string {
  const [sent = ''] = sentHeaders(request, 'user-agent');
  return sent.replace(/[^\x20-\x7e]/g, '').slice(0, 256);
}

/** The longest that a client can have the API delay an answer, in seconds. */
const longestWaitSeconds = 30;

/** The wait requested by a `Prefer` header (RFC 7240), in seconds, at most 30; null if it requests none. */
export function preferredWaitSeconds(header: string | readonly string[] | undefined): number | null {
  const preferences = (Array.isArray(header) ? header.join(',') : String(header ?? '')).split(',');
  for (const preference of preferences) {
    const match = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;.*)?$/i.exec(preference);
    if (match !== null) return Math.min(Number(match[1]), longestWaitSeconds);
  }
  return null;
}

/**
 * Throws `bad_request` unless a request has one valid `Host` (RFC 9112, section 3.2) and the protocol that a trusted
 * proxy states is http or https. Requests of HTTP/1.0 need no `Host`.
 */
export function requireOrigin(request: Request): void {
  const hosts = sentHeaders(request, 'host');
  if (hosts.length === 0 && request.httpVersion === '1.1')
    throw new AppError('bad_request', 'The request has no Host header.');
  if (!/^https?$/.test(request.protocol))
    throw new AppError('bad_request', 'The header X-Forwarded-Proto must be http or https.');
  const isHost = /^[\w.:[\]-]{0,255}$/.test(hosts[0] ?? '') && URL.canParse(requestOriginOf(request));
  if (hosts.length > 1 || !isHost)
    throw new AppError('bad_request', 'The header Host must be one name or address, with or without a port.');
}

/**
 * The origin under which clients reach the API: the configured URL, otherwise that of the request. Safe in a shell
 * command. `X-Forwarded-Host` has no effect: proxies pass on what clients send in it.
 */
export function originOf(request: Request, publicUrl: string | null): string {
  return publicUrl === null ? requestOriginOf(request) : publicUrl.replace(/\/+$/, '');
}

function requestOriginOf({ protocol, headers }: Request): string {
  return `${protocol}://${headers.host || 'localhost'}`;
}

/**
 * The query of a request. Parameters of which the schema has a list can be repeated. Throws `validation_failed` for
 * another one that is repeated.
 */
export function readQuery(
  url: string,
  schema: z.ZodObject | null,
): Readonly<Record<string, string | readonly string[]>> {
  const values: Record<string, string | readonly string[]> = Object.create(null);
  const parameters = queryOf(url);
  const names = [...new Set(parameters.keys())];
  const isList = (name: string) => schema !== null && hasList(schema.shape[name]);
  const repeated = names.filter((name) => !isList(name) && parameters.getAll(name).length > 1);
  if (repeated.length > 0) {
    throw validationFailed(
      repeated.map((name) => ({ pointer: `/${name}`, detail: 'is given more than once' })),
    );
  }
  for (const name of names)
    values[name] = isList(name) ? parameters.getAll(name) : (parameters.get(name) ?? '');
  return values;
}

/** Whether a schema reads a list. */
function hasList(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return hasList(schema.def.innerType);
  if (schema instanceof z.ZodPipe) return hasList(schema.def.in);
  return schema instanceof z.ZodArray;
}

/** The parameters of a URL, decoded. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

/** More errors do not help the client. */
const maxErrors = 100;

/** Checks a value against a schema. Throws `validation_failed` with one entry per invalid field. */
export function parseFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: sayIssue });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues.flatMap(toFieldErrors));
}

/** The error for an invalid request. If a field breaks several rules, only the first is shown. */
export function validationFailed(errors: readonly FieldError[]): AppError {
  const byField = new Map<string, FieldError>();
  for (const error of errors) if (!byField.has(error.pointer)) byField.set(error.pointer, error);
  const told = [...byField.values()].slice(0, maxErrors);
  const [first] = told;
  const detail =
    first === undefined ? 'The request breaks a rule.' : `${first.pointer || 'The body'} ${first.detail}.`;
  return new AppError('validation_failed', detail, { errors: told });
}

/** An RFC 6901 pointer. */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

type Issue = z.core.$ZodIssue;

function toFieldErrors(issue: Issue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ pointer: pointerTo(issue.path), detail: issue.message }];
  return issue.keys
    .slice(0, maxErrors)
    .map((key) => ({ pointer: pointerTo([...issue.path, key]), detail: 'is not known' }));
}

/** The API's wording for zod's issues; messages in schemas take precedence. */
function sayIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${sizeWord(issue.origin)} at least ${String(issue.minimum)}${unit(issue.origin)}`;
    case 'too_big':
      return `must ${sizeWord(issue.origin)} at most ${String(issue.maximum)}${unit(issue.origin)}`;
    case 'invalid_format':
      return `must be ${article(issue.format)}`;
    default:
      return 'is not valid';
  }
}

function sizeWord(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
}

function article(noun: string): string {
  const name = noun === 'uuid' ? 'id' : noun === 'int' || noun === 'safeint' ? 'integer' : noun;
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}
