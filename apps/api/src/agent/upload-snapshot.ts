import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Operations } from '@plimsoll/contract';
import { newId } from '@plimsoll/db';
import { AppError, errorCodes, type HostId, type UploadId } from '@plimsoll/model';
import type { ApiServices } from '../context.ts';
import type { AnswerTo } from '../http/answer.ts';
import type { WholeBody } from '../http/byte-body.ts';
import type { Handler } from '../http/operation-request.ts';
import { pollFor } from '../http/prefer-wait.ts';
import { readUpload, requireSnapshot } from './read-upload.ts';

type Answer = AnswerTo<Operations['uploadSnapshot']>;

const gzip = promisify(zlib.gzip);
/** Storage is cheaper than the CPU of every upload. */
const compressionLevel = 2;
/** POST /agent/snapshots */
export const uploadSnapshot: Handler<Operations['uploadSnapshot']> = async (request, services) => {
  const { hostId } = request.caller;
  try {
    const taken = await services.uploadBudget.use(async (reserve) => {
      const body = await request.body.whole(reserve);
      return services.turns.of(body.bytes.length, () => take(body, hostId, services));
    });
    if (taken.status === 'queued' && request.waitSeconds !== null) {
      const find = () => findEnd(hostId, taken.snapshot_id, services);
      const ended = await pollFor(find, request.waitSeconds, request.signal);
      if (ended !== null) return ended;
    }
    return { kind: 'json', status: 202, body: taken };
  } catch (error) {
    // The host was heard from, though in vain.
    if (error instanceof AppError && error.code !== 'unauthenticated')
      await services.stores.uploads.touch(hostId);
    throw error;
  }
};

interface Taken {
  readonly snapshot_id: UploadId;
  readonly status: 'queued' | 'unchanged';
}

/** Makes an upload durable, unless it only says what the host said last. */
async function take(body: WholeBody, hostId: HostId, { stores, queue, clock }: ApiServices): Promise<Taken> {
  const receivedAt = clock();
  const { payloadKind, ...contact } = await readUpload(body.bytes, receivedAt);
  const confirmed = await stores.uploads.confirmUnchanged({ hostId, ...contact });
  if (confirmed !== null) return { snapshot_id: confirmed, status: 'unchanged' };
  if (payloadKind === 'protobuf') requireSnapshot(body.bytes, receivedAt);
  const id = newId<UploadId>();
  const stored = await stores.uploads.accept({
    id,
    hostId,
    door: 'agent',
    payloadKind,
    body: body.gzip ?? (await gzip(body.bytes, { level: compressionLevel })),
    ...contact,
  });
  if (!stored) throw new AppError('unauthenticated', 'The host was deleted.');
  queue.ring('report-parse', { uploadId: id });
  return { snapshot_id: id, status: 'queued' };
}

/** The answer for an upload that has reached its end; null if it has not. Throws what it was rejected with. */
async function findEnd(hostId: HostId, id: UploadId, { stores }: ApiServices): Promise<Answer | null> {
  const upload = await stores.uploads.find(hostId, id);
  if (upload === null) throw new AppError('unauthenticated', 'The host was deleted.');
  switch (upload.state) {
    case 'received':
    case 'parsed':
      return null;
    case 'matched':
    case 'superseded':
      return { kind: 'json', status: 200, body: { snapshot_id: id, status: 'done', state: upload.state } };
    case 'rejected': {
      const code = errorCodes.find((known) => known === upload.errorCode) ?? 'internal';
      throw new AppError(code, 'The upload was rejected.', { errors: upload.errors ?? [] });
    }
    default:
      return upload.state satisfies never;
  }
}
