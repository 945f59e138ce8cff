import { AppError, type HostId } from '@plimsoll/model';

/**
 * Longest time for which a refusal is remembered, in milliseconds: allowances may change, and a host may be deleted.
 */
const longestMs = 60_000;
/** Above this number the oldest are dropped; those hosts are then refused by the slower path. */
const mostKept = 10_000;

/** A host that was told to come back later. */
export interface RefusedHost {
  readonly hostId: HostId;
  /** The error it got, with the remaining time. */
  readonly error: AppError;
}

/**
 * The hosts that this process told to come back later, by credential: an earlier request is refused without a database
 * query. A credential is stored here only after the database accepted it.
 */
export interface RefusedHosts {
  /** Null if no host with this credential has to wait now. */
  find(credential: string): RefusedHost | null;
  /** Stores the error that a host was refused with; ignores errors without a time to retry. */
  note(credential: string, hostId: HostId, error: unknown): void;
}

interface Kept {
  readonly hostId: HostId;
  readonly error: AppError;
  /** When the host was told to come back. */
  readonly dueMs: number;
  /** When the database is queried again. */
  readonly untilMs: number;
}

/** No refused hosts yet. `now` returns milliseconds. */
export function createRefusedHosts(now: () => number = () => performance.now()): RefusedHosts {
  const kept = new Map<string, Kept>();
  return {
    find(credential) {
      const found = kept.get(credential);
      if (found === undefined) return null;
      const nowMs = now();
      if (nowMs < found.untilMs) {
        const { code, message } = found.error;
        const retryAfterSeconds = Math.ceil((found.dueMs - nowMs) / 1000);
        return { hostId: found.hostId, error: new AppError(code, message, { retryAfterSeconds }) };
      }
      kept.delete(credential);
      return null;
    },
    note(credential, hostId, error) {
      if (!(error instanceof AppError) || error.retryAfterSeconds === null) return;
      if (error.code !== 'rate_limited' && error.code !== 'unavailable') return;
      kept.delete(credential);
      const nowMs = now();
      const dueMs = nowMs + error.retryAfterSeconds * 1000;
      kept.set(credential, { hostId, error, dueMs, untilMs: Math.min(dueMs, nowMs + longestMs) });
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    },
  };
}
