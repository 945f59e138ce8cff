import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import {
  type NewAuditEvent,
  type NewUpload,
  newId,
  type ObservedRepositories,
  type UploadStore,
} from '@plimsoll/db';
import {
  type HostId,
  type Observation,
  type UploadDoor,
  type UploadId,
  uploadCompressionLevel,
} from '@plimsoll/model';
import type { Bell, jobs } from '@plimsoll/queue';
import { readReportObservation, reportContentHash } from '@plimsoll/reports';

const gzip = promisify(zlib.gzip);

/** Facts about an upload besides its bytes. */
export type UploadFacts = Pick<
  NewUpload,
  'payloadKind' | 'contentHash' | 'bootedAt' | 'listsAt' | 'repositories' | 'collectedAt'
>;

/** The bytes of an upload, as gzip if they were received so, with their uncompressed size. */
export type UploadBody =
  | { readonly bytes: Uint8Array }
  | { readonly gzip: Uint8Array; readonly size: number };

/** The bytes of an upload as gzip; compressed in a thread if they are not. */
export async function gzipOf(body: UploadBody): Promise<Uint8Array> {
  return 'gzip' in body ? body.gzip : await gzip(body.bytes, { level: uploadCompressionLevel });
}

/** DEFLATE makes at most this many bytes of one (RFC 1951: 258 bytes from two bits). */
const deflateRatio = 1_032;
/** Bytes: the smallest buffer for decompressed content. */
const leastChunk = 16 * 1024;
/** The last bytes of gzip: the size of its content, modulo 2^32 (RFC 1952). */
const sizeBytes = 4;

/**
 * The content of gzip, decompressed on this thread: about a millisecond per megabyte. Throws zlib's errors; ERR_BUFFER_TOO_LARGE above
 * `mostBytes`.
 */
export function gunzipAtOnce(gzipped: Uint8Array, mostBytes: number): Buffer {
  const { buffer, byteOffset, length } = gzipped;
  const stated =
    length < sizeBytes ? 0 : new DataView(buffer, byteOffset).getUint32(length - sizeBytes, true);
  // One buffer with a byte to spare, which zlib returns without a copy. If the stated size is too small, zlib takes more buffers.
  const room = Math.max(Math.min(stated, mostBytes, length * deflateRatio) + 1, leastChunk);
  const content = zlib.gunzipSync(gzipped, { maxOutputLength: mostBytes, chunkSize: room });
  // zlib ignores what follows a zero after the end: a sender can state any size there, and the room must not be kept.
  return room > 2 * Math.max(content.length, leastChunk) ? Buffer.from(content) : content;
}

/** Dependencies of storing an upload. */
export interface IntakeServices {
  readonly uploads: Pick<UploadStore, 'accept' | 'confirmUnchanged'>;
  readonly bell: Pick<Bell<typeof jobs>, 'ring'>;
}

/**
 * Stores an upload and rings for parsing it. Returns null if the host does not exist. Throws `rate_limited` if the
 * host's allowance does not cover it.
 */
export async function storeUpload(
  upload: {
    readonly hostId: HostId;
    readonly door: UploadDoor;
    readonly facts: UploadFacts;
    readonly body: UploadBody;
    /** The audit event for an upload by a user. */
    readonly event?: NewAuditEvent;
  },
  { uploads, bell }: IntakeServices,
): Promise<UploadId | null> {
  const { hostId, door, facts, body } = upload;
  const id = newId<UploadId>();
  const newUpload = {
    id,
    hostId,
    door,
    body: await gzipOf(body),
    size: 'gzip' in body ? body.size : body.bytes.length,
    payloadKind: facts.payloadKind,
    contentHash: facts.contentHash,
    bootedAt: facts.bootedAt,
    listsAt: facts.listsAt,
    repositories: facts.repositories,
    collectedAt: facts.collectedAt,
  };
  const stored = await uploads.accept(newUpload, upload.event);
  if (!stored) return null;
  bell.ring('report-parse', { uploadId: id });
  return id;
}

/** The result of storing a report. `unchanged`: the id is that of the earlier upload with the same content. */
export interface TakenReport {
  readonly id: UploadId;
  readonly status: 'queued' | 'unchanged';
}

/** Stores a report like `storeUpload`, unless its content equals that of the host's last upload. */
export async function takeReport(
  report: {
    readonly hostId: HostId;
    readonly door: UploadDoor;
    readonly facts: ReportFacts;
    readonly body: UploadBody;
    /** As in `storeUpload`; an unchanged report is not recorded. */
    readonly event?: NewAuditEvent;
  },
  services: IntakeServices,
): Promise<TakenReport | null> {
  const { hostId, door, facts } = report;
  const confirmed = facts.isReadable
    ? await services.uploads.confirmUnchanged({ hostId, door, ...facts })
    : null;
  if (confirmed !== null) return { id: confirmed, status: 'unchanged' };
  const id = await storeUpload(report, services);
  return id === null ? null : { id, status: 'queued' };
}

/** The part of a text report that is read before the report is stored. */
export interface ReportFacts extends UploadFacts {
  readonly payloadKind: 'report';
  /** False if its beginning is invalid: it is stored so that the worker rejects it, and never counts as unchanged. */
  readonly isReadable: boolean;
}

/** Reads only the beginning of a text report. Only the report-worker reads the rest. */
export function readReportFacts(report: Uint8Array, receivedAt: Date): ReportFacts {
  const facts = { payloadKind: 'report', contentHash: reportContentHash(report) } as const;
  const beginning = readReportObservation(report, { receivedAt });
  if (beginning.kind === 'report_invalid') {
    return {
      ...facts,
      bootedAt: null,
      listsAt: null,
      repositories: null,
      collectedAt: null,
      isReadable: false,
    };
  }
  const { header, observation } = beginning;
  return {
    ...facts,
    bootedAt: observation.bootedAt,
    listsAt: oldestListAt(observation),
    repositories: observedRepositories(observation),
    collectedAt: header.collectedAt,
    isReadable: true,
  };
}

/** Maximum number of refreshes kept per host, and maximum length of a name; real hosts have a few dozen. */
const maxRefreshes = 500;
const maxIdLength = 512;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The stored part of an observation about the host's repositories. Its digest ignores when each was fetched, which
 * changes every hour, except the number of whole days by which one is behind the newest.
 */
export function observedRepositories({ refreshed }: Observation): ObservedRepositories {
  const kept = refreshed
    .filter(({ repositoryId }) => repositoryId.length <= maxIdLength)
    .slice(0, maxRefreshes);
  const newest = Math.max(...kept.map(({ at }) => at?.getTime() ?? 0));
  const judged = kept.map(({ repositoryId, at, publishedAt, validUntil, error }) => [
    repositoryId,
    at === null ? null : Math.floor((newest - at.getTime()) / dayMs),
    publishedAt,
    validUntil,
    error,
  ]);
  return { refreshed: kept, digest: createHash('sha256').update(JSON.stringify(judged)).digest() };
}

/**
 * When the oldest package list of a host was fetched, so that a single outdated list shows; null if the report does not
 * say. For several times of one repository the newest counts, because a package manager may keep an older copy.
 */
export function oldestListAt({ refreshed }: Observation): Date | null {
  const newest = new Map<string, Date>();
  for (const { repositoryId, at } of refreshed) {
    const other = newest.get(repositoryId);
    if (at !== null && (other === undefined || at > other)) newest.set(repositoryId, at);
  }
  return [...newest.values()].reduce<Date | null>(
    (oldest, at) => (oldest === null || at < oldest ? at : oldest),
    null,
  );
}
