import type { Operation } from '@plimsoll/contract';
import { AppError, type HostId, type UploadDoor } from '@plimsoll/model';
import type { Metrics } from '@plimsoll/process';
import type { Request } from 'express';
import { bearerOf } from '../auth/bearer.ts';
import { hashSecret } from '../auth/secret-token.ts';
import type { RefusalNotes } from './refusal-notes.ts';
import type { RefusedHosts } from './refused-hosts.ts';

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
export function createUploadRefusals(
  refusedHosts: RefusedHosts,
  notes: RefusalNotes,
  metrics: Metrics,
): UploadRefusals {
  const counter = metrics.counter(
    'plimsoll_uploads_refused_total',
    'Uploads that were told to come back later, by door and reason.',
    ['door', 'reason'],
  );
  const count = (door: UploadDoor, reason: Reason) => counter.inc({ door, reason });
  return {
    requireWelcome(operation, request) {
      if (doorOf(operation) !== 'agent') return;
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
