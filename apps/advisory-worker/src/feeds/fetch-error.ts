import { type FeedFailureCause, shownUrl } from '@plimsoll/model';
import { ImportError, type ImportErrorCode } from '@plimsoll/pipeline';
import { FolderRefused } from './downloads/download-folder.ts';
import { TookTooLong } from './progress/sync-limits.ts';

/** The details of a FetchError. */
export interface FetchFailure {
  readonly failure: FeedFailureCause;
  /** The import's error code; derived from `failure` if omitted. */
  readonly code?: ImportErrorCode;
  /** How long the server asks clients to wait, in milliseconds; null if it does not say. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
  /**
   * The failures at the addresses that were tried before, as sentences, in the order tried; default: none.
   */
  readonly before?: readonly string[];
}

/** Causes with an import error code of their own: the file is missing, or access is denied. */
const codes: Readonly<Partial<Record<FeedFailureCause, ImportErrorCode>>> = {
  not_found: 'not_there',
  access_denied: 'denied',
  too_large: 'too_large',
};

/**
 * A feed's file was not fetched: the cause, and a sentence with the address without credentials, for each
 * address that was tried.
 */
export class FetchError extends ImportError {
  /** Private, so that no log has it: it can have credentials. */
  readonly #url: URL;
  readonly #reason: string;
  readonly failure: FeedFailureCause;
  readonly retryAfterMs: number | null;

  constructor(url: URL, reason: string, details: FetchFailure) {
    const { failure, code, retryAfterMs = null, cause, before = [] } = details;
    const sentence = `${shownUrl(url)} was not fetched: ${reason}.`;
    super(code ?? codes[failure] ?? 'fetch_failed', [...before, sentence].join(' '), { cause });
    this.#url = url;
    this.#reason = reason;
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same failure with other details; this error is its cause. */
  with(details: Pick<FetchFailure, 'code' | 'before'>): FetchError {
    const { failure, code, retryAfterMs } = this;
    return new FetchError(this.#url, this.#reason, { failure, code, retryAfterMs, cause: this, ...details });
  }
}

/** Why a sync failed, from the error that ended it. */
export function failureCauseOf(error: unknown): FeedFailureCause {
  if (error instanceof FetchError) return error.failure;
  if (error instanceof TookTooLong) return 'timeout';
  if (error instanceof FolderRefused) return 'disk';
  if (error instanceof ImportError) {
    if (error.code === 'too_few_records') return 'incomplete';
    return error.code === 'too_large' ? 'too_large' : 'not_readable';
  }
  return isDiskError(error) ? 'disk' : 'internal';
}

/** Whether an error or one of its causes says that files cannot be written here. */
export function isDiskError(error: unknown): boolean {
  return codesOf(error).some((code) => ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'EIO'].includes(code));
}

/** The codes of an error and of its causes, outermost first. */
export function codesOf(error: unknown): readonly string[] {
  return errorChain(error).flatMap((at) => ('code' in at && typeof at.code === 'string' ? [at.code] : []));
}

/** Limit on the depth of causes: a cause may refer back to its error. */
const deepestCause = 8;

/**
 * An error and its causes, outermost first, by structure: Node's errors may belong to another realm's
 * Error.
 */
export function errorChain(error: unknown): readonly object[] {
  const chain: object[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && chain.length < deepestCause) {
    chain.push(at);
    at = 'cause' in at ? at.cause : null;
  }
  return chain;
}
