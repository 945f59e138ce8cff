import { AppError, type FieldError } from '@plimsoll/model';
import type { z } from 'zod';

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
