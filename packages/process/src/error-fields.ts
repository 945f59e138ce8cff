import { withoutCredentials } from '@plimsoll/model';

/** What a log says of an error. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** The error's own `code`, where it has one. */
  readonly code?: string | number;
  readonly cause?: ErrorFields;
}

/** Causes below this depth are left out. */
const deepestCause = 5;

/**
 * The fields of an error that a log shows: never its other properties, since drivers hang connections, requests and
 * rows on their errors. What URLs in its texts may hold of credentials
 * is cut out: the user part and the query. A thrown thing that is no Error becomes one.
 */
export function errorFields(thrown: unknown, depth = 0): ErrorFields {
  const error = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: withoutCredentials(error.message),
    stack: withoutCredentials(error.stack ?? ''),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.cause === undefined || depth >= deepestCause
      ? {}
      : { cause: errorFields(error.cause, depth + 1) }),
  };
}
