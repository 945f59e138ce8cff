import type { Operations } from '@plimsoll/contract';
import { AppError, type HostId, type UploadId } from '@plimsoll/model';
import { storeUpload } from '@plimsoll/pipeline/intake';
import type { ApiServices } from '../../context.ts';
import type { AnswerTo } from '../../http/answer.ts';
import { pollFor } from '../../http/poll-for.ts';
import { receiveUpload, type UploadInHand } from '../../uploads/receive-upload.ts';
import { rejectionOf } from '../../uploads/rejection.ts';
import type { Handler } from '../operation-request.ts';

type Answer = AnswerTo<Operations['uploadSnapshot']>;

/** POST /agent/snapshots */
export const uploadSnapshot: Handler<Operations['uploadSnapshot']> = async (request, services) => {
  const { hostId } = request.caller;
  const taken = await takeIn(request, services);
  if (taken.status === 'queued' && request.waitSeconds !== null) {
    const find = () => findEnd(hostId, taken.snapshot_id, services);
    const ended = await pollFor(find, request.waitSeconds, request.signal);
    if (ended !== null) return ended;
  }
  return { kind: 'json', status: 202, body: taken };
};

/** Reads and stores an upload within its host's allowance. Counts refusals. */
async function takeIn(
  { caller: { hostId }, body, signal }: Parameters<typeof uploadSnapshot>[0],
  services: ApiServices,
): Promise<Taken> {
  try {
    await services.stores.uploadAllowances.require(hostId, 'agent');
    return await receiveUpload({ sender: hostId, form: 'snapshot', body, signal }, services, (upload) =>
      take(upload, hostId, services),
    );
  } catch (error) {
    if (error instanceof AppError) await noteFailure(error, hostId, services);
    throw error;
  }
}

/**
 * Records that the host made contact, although its upload failed. Invalid uploads count as uploads; refused ones are
 * counted separately.
 */
async function noteFailure(error: AppError, hostId: HostId, services: ApiServices): Promise<void> {
  const { uploads, uploadAllowances } = services.stores;
  switch (error.code) {
    case 'unauthenticated':
      return;
    case 'rate_limited':
      services.refusalNotes.note({ hostId, door: 'agent', detail: error.message });
      return;
    case 'unavailable':
      await uploads.touch(hostId);
      return;
    default:
      // An upload on which a thread failed counts as well: it costs as much as any other.
      await uploads.touch(hostId);
      await uploadAllowances.takeFaulty(hostId, 'agent');
  }
}

interface Taken {
  readonly snapshot_id: UploadId;
  readonly status: 'queued' | 'unchanged';
}

/** Stores an upload, unless it only repeats what the host sent last. */
async function take(
  upload: UploadInHand,
  hostId: HostId,
  { stores, queue }: Pick<ApiServices, 'stores' | 'queue'>,
): Promise<Taken> {
  const { mayBeUnchanged, machineId, ...facts } = upload.understood;
  const confirmed = mayBeUnchanged
    ? await stores.uploads.confirmUnchanged({ hostId, door: 'agent', ...facts })
    : null;
  if (confirmed !== null) return { snapshot_id: confirmed, status: 'unchanged' };
  upload.requireWhole();
  const id = await storeUpload(
    { hostId, door: 'agent', facts, body: upload.stored },
    { uploads: stores.uploads, bell: queue },
  );
  if (id === null) throw new AppError('unauthenticated', 'The host was deleted.');
  return { snapshot_id: id, status: 'queued' };
}

/** The answer for a finished upload; null if it is not finished. Throws the error that it was rejected with. */
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
    case 'rejected':
      throw rejectionOf(upload);
    default:
      return upload.state satisfies never;
  }
}
