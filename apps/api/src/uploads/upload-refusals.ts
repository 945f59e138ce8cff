import type { Operation } from '@plimsoll/contract';
import { AppError, type HostId, type UploadDoor } from '@plimsoll/model';
import type { Metrics } from '@plimsoll/process';
import type { Request } from 'express';
import { bearerOf, hashSecret } from '../auth/authenticate.ts';
import type { RefusalNotes } from './refusal-notes.ts';

/**
 * Longest time for which a refusal is remembered, in milliseconds: allowances may change, and a host may be deleted.
 */
const longestMs = 60_000;
/** Above this number the oldest are dropped; those hosts are then refused by the slower path. */
const mostKept = 10_000;

/** Handles refused uploads of all senders. */
export interface UploadRefusals {
  /** Throws the remembered refusal of a host that was told to come back later. Does not query the database. */
  requireWelcome(operation: Operation, request: Request): void;
  /**
   * Counts a refused upload and remembers the refusal of the calling host; null: another caller. Ignores every other
   * error and operation.
   */
  note(operation: Operation, request: Request, hostId: HostId | null, error: unknown): void;
}

/**
 * Why: `host`: this host sends too much. `full`: all uploads together hold too much. `early`: it came before it was
 * told to.
 */
type Reason = 'host' | 'full' | 'early';

/** Refusals of one process, counted in its metrics and noted on hosts. */
export function createUploadRefusals(notes: RefusalNotes, metrics: Metrics): UploadRefusals {
  const refusedHosts = createRefusedHosts();
  const counter = metrics.counter(
    'plimsoll_uploads_refused_total',
    'Uploads refused with a time for the next attempt, by door and reason.',
    ['door', 'reason'],
  );
  const count = (door: UploadDoor, reason: Reason) => counter.inc({ door, reason });
  return {
    requireWelcome(operation, request) {
      if (doorOf(operation) !== 'agent' || refusedHosts.isEmpty()) return;
      const refused = refusedHosts.find(credentialOf(request));
      if (refused === null) return;
      const { hostId, error } = refused;
      count('agent', 'early');
      // A host refused for lack of room did nothing wrong.
      if (error.code === 'rate_limited') notes.note({ hostId, door: 'agent', detail: error.message });
      throw error;
    },
    note(operation, request, hostId, error) {
      const door = doorOf(operation);
      const reason = reasonOf(error);
      if (door === null || reason === null) return;
      count(door, reason);
      if (hostId !== null) refusedHosts.note(credentialOf(request), hostId, error);
    },
  };
}

/** The door that an operation belongs to; null if it accepts no upload. */
function doorOf({ body, auth }: Operation): UploadDoor | null {
  if (body.kind !== 'bytes' || body.comesAs !== 'report') return null;
  return auth === 'host' ? 'agent' : 'manual';
}

function reasonOf(error: unknown): Reason | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'rate_limited') return 'host';
  return error.code === 'unavailable' ? 'full' : null;
}

function credentialOf(request: Request): string {
  return Buffer.from(hashSecret(bearerOf(request))).toString('base64url');
}

/** A host that was told to come back later. */
interface RefusedHost {
  readonly hostId: HostId;
  /** The error it got, with the remaining time. */
  readonly error: AppError;
}

/**
 * The hosts that this process told to come back later, by credential: an earlier request is refused without a database
 * query. A credential is stored here only after the database accepted it.
 */
interface RefusedHosts {
  /** Whether it has no refusal to find. */
  isEmpty(): boolean;
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
    isEmpty: () => kept.size === 0,
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
