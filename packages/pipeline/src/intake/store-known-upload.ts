import { createHash } from 'node:crypto';
import { type Interner, isDatabaseAway, type KnownUploadStore, NotInterned, newId } from '@plimsoll/db';
import type { FieldError, HostId, Snapshot, UploadId } from '@plimsoll/model';
import type { Bell, jobs } from '@plimsoll/queue';
import { internSnapshot } from './intern-snapshot.ts';
import { gzipOf, type UploadBody, type UploadFacts } from './store-upload.ts';

/** Dependencies of storing known uploads. */
export interface KnownIntakeServices {
  /** Stores nothing except package sets. */
  readonly interner: Interner;
  readonly knownUploads: KnownUploadStore;
  readonly bell: Pick<Bell<typeof jobs>, 'ring'>;
  /** Takes the error of an upload that cannot be stored in this way. */
  readonly onFailure: (error: unknown) => void;
}

/** A decoded structured upload by an agent. */
export interface DecodedUpload {
  readonly hostId: HostId;
  readonly facts: UploadFacts;
  readonly body: UploadBody;
  /** The uncompressed bytes. */
  readonly bytes: Uint8Array;
  readonly snapshot: Snapshot;
  /** Corrections that decoding made. */
  readonly notes: readonly FieldError[];
  readonly receivedAt: Date;
}

/**
 * Stores an upload in which everything is interned already, parsed, and rings for matching it. Null, with nothing
 * stored, if anything in it is new, for another reason of `KnownUploadStore.accept`, or if it failed although the
 * database is there: it must be stored with `storeUpload`, so that an upload on which the service fails has an end, too.
 */
export async function storeKnownUpload(
  upload: DecodedUpload,
  services: KnownIntakeServices,
): Promise<UploadId | null> {
  const stored = await storeParsed(upload, services).catch((error: unknown) => {
    if (error instanceof NotInterned) return null;
    if (isDatabaseAway(error)) throw error;
    services.onFailure(error);
    return null;
  });
  if (stored === null) return null;
  const [first, ...others] = stored.toMatch;
  if (first !== undefined) services.bell.ring('advisory-match', { uploadId: first, others });
  return stored.id;
}

/** Null if `KnownUploadStore.accept` does not take the upload. Throws NotInterned if anything in it is new. */
async function storeParsed(
  { hostId, facts, body, bytes, snapshot, notes, receivedAt }: DecodedUpload,
  { interner, knownUploads }: KnownIntakeServices,
): Promise<{ readonly id: UploadId; readonly toMatch: readonly UploadId[] } | null> {
  const interning = await interner.begin();
  const { interned, packageIds } = await internSnapshot(interning, hostId, snapshot, receivedAt, {
    release: refuseNew,
    entries: refuseNew,
  });
  const id = newId<UploadId>();
  const toMatch = await knownUploads.accept({
    upload: { id, hostId, door: 'agent', body: await gzipOf(body), size: bytes.length, ...facts },
    parsed: {
      id,
      ...interned,
      // Notes on the whole list come first, because only the first notes are kept.
      notes: [...interned.notes, ...notes],
      payloadSha256: createHash('sha256').update(bytes).digest(),
      payloadSize: bytes.length,
    },
    packageIds,
    epoch: interning.epoch,
  });
  return toMatch === null ? null : { id, toMatch };
}

async function refuseNew(entries: number): Promise<void> {
  throw new NotInterned(`${entries} entries`);
}
