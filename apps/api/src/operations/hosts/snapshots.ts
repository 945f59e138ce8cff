import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Operations, SnapshotSummary } from '@plimsoll/contract';
import type { SnapshotRow, StoredSnapshot } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import type { AnswerTo } from '../../http/answer.ts';
import type { Handler } from '../operation-request.ts';
import type { ReadHandler } from '../read-operation.ts';
import { findHost } from './find-host.ts';
import { pageOfHost } from './page-of-host.ts';

const gunzip = promisify(zlib.gunzip);
const protobufType = 'application/x-protobuf';

/** GET /hosts/{id}/snapshot */
export const getLatestSnapshot: ReadHandler<'getLatestSnapshot'> = async (request, { stores }) => {
  await findHost(stores.hosts, request.caller.scope, request.params.id);
  const snapshot = await stores.snapshots.latest(request.params.id);
  if (snapshot === null) throw new AppError('no_snapshot', 'The host has no snapshot yet.');
  return answerSnapshot(snapshot, request.accepts);
};

/** GET /hosts/{id}/snapshots/{snapshotId} */
export const getSnapshot: ReadHandler<'getSnapshot'> = async (request, { stores }) => {
  const snapshot = await stores.snapshots.find(request.params.id, request.params.snapshotId);
  if (snapshot === null) throw new AppError('not_found', 'The host has no snapshot with this id.');
  return answerSnapshot(snapshot, request.accepts);
};

/** GET /hosts/{id}/snapshots */
export const listSnapshots: Handler<'listSnapshots'> = async (request, { stores }) => {
  const { rows, headers } = await pageOfHost(request, stores, { rows: stores.snapshots, name: 'snapshots' });
  return { kind: 'json', status: 200, headers, body: rows.map(summaryAnswer) };
};

async function answerSnapshot(
  snapshot: StoredSnapshot,
  accepts: (types: readonly string[]) => string | null,
): Promise<AnswerTo<Operations['getSnapshot']>> {
  if (snapshot.payloadGzip === null) {
    throw new AppError(
      'not_found',
      'The raw report of this snapshot was deleted: retention.payloads_days is over.',
    );
  }
  const payload = await gunzip(snapshot.payloadGzip, { maxOutputLength: Math.max(1, snapshot.payloadSize) });
  const headers = { Vary: 'Accept' };
  if (accepts(['application/json', protobufType]) === protobufType) {
    return { kind: 'bytes', status: 200, headers, type: protobufType, bytes: payload };
  }
  return {
    kind: 'json',
    status: 200,
    headers,
    body: { ...summaryAnswer(snapshot), payload: payload.toString('base64') },
  };
}

function summaryAnswer(snapshot: SnapshotRow): SnapshotSummary {
  return {
    id: snapshot.id,
    host_id: snapshot.hostId,
    source: snapshot.source,
    collected_at: snapshot.collectedAt?.toISOString() ?? null,
    received_at: snapshot.receivedAt.toISOString(),
    schema_version: snapshot.schemaVersion,
    payload_sha256: Buffer.from(snapshot.payloadSha256).toString('hex'),
    payload_size: snapshot.payloadSize,
    resolution: snapshot.resolution,
    represents_from: snapshot.representsFrom.toISOString(),
  };
}
