import { withoutCredentials } from '@plimsoll/model';

/** The fields of an error in a log. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** The error's own `code`, if it has one. */
  readonly code?: string | number;
  readonly cause?: ErrorFields;
}

/** Causes below this depth are omitted. */
const deepestCause = 5;

/**
 * The fields of an error for a log. Omits its other properties, because drivers attach connections, requests
 * and rows to their errors, and removes the user part and query of URLs, which may contain credentials.
 * Converts a thrown value that is not an Error.
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
