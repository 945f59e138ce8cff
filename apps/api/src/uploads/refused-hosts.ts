import { AppError, type HostId } from '@plimsoll/model';

/** How long a host is refused from memory at most, milliseconds: allowances may change, and a host may be deleted. */
const longestMs = 60_000;
/** Above so many, those refused first are forgotten: they are only refused more slowly then. */
const mostKept = 10_000;

/** A host that was told to come back later. */
export interface RefusedHost {
  readonly hostId: HostId;
  /** What it was told, with the time that is left. */
  readonly error: AppError;
}

/**
 * The hosts that one process told to come back later, by their credentials: one that comes sooner is refused again without a
 * question to the database. A credential is only known here after the database accepted it.
 */
export interface RefusedHosts {
  /** Null where no host with this credential has to stay away now. */
  find(credential: string): RefusedHost | null;
  /** Keeps what a host was refused with; passes over errors that name no time to come back. */
  note(credential: string, hostId: HostId, error: unknown): void;
}

interface Kept {
  readonly hostId: HostId;
  readonly error: AppError;
  /** When the host may come back, as it was told. */
  readonly dueMs: number;
  /** When the database is asked again. */
  readonly untilMs: number;
}

/** Knows no refused host yet. `now` tells milliseconds. */
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
