import type { Operations } from '@plimsoll/contract';
import type { AuthenticatedHost } from '@plimsoll/db';
import { AppError, type HostId, type UploadId } from '@plimsoll/model';
import { storeKnownUpload, storeUpload } from '@plimsoll/pipeline/intake';
import { hashSecret, newSecretToken } from '../../auth/authenticate.ts';
import type { ApiServices } from '../../context.ts';
import type { AnswerTo } from '../../http/answer.ts';
import { pollFor } from '../../http/poll-for.ts';
import { receiveUpload, type UploadInHand } from '../../uploads/receive-upload.ts';
import { rejectionOf } from '../../uploads/rejection.ts';
import type { Handler } from '../operation-request.ts';

type Ended = Extract<AnswerTo<Operations['uploadSnapshot']>, { kind: 'json'; status: 200 }>;

/** POST /agent/snapshots */
export const uploadSnapshot: Handler<'uploadSnapshot'> = async (request, services) => {
  const { hostId } = request.caller;
  const taken = await takeIn(request, services);
  const offered = await offerToken(request, services);
  if (taken.status === 'queued' && request.waitSeconds !== null) {
    const find = () => findEnd(hostId, taken.snapshot_id, services);
    const ended = await pollFor(find, request.waitSeconds, request.signal);
    if (ended !== null) return { ...ended, body: { ...ended.body, ...offered } };
  }
  return { kind: 'json', status: 202, body: { ...taken, ...offered } };
};

/** A new token for an agent that accepts one and whose token is old enough; nothing for all others. */
async function offerToken(
  { caller, headers }: Parameters<typeof uploadSnapshot>[0],
  { stores, settings }: ApiServices,
): Promise<{ readonly host_access_token?: string }> {
  const everySeconds = settings.hostTokenDays * 86_400;
  const isDue = everySeconds > 0 && caller.tokenAgeSeconds >= everySeconds;
  if (headers['plimsoll-new-token'] !== 'accepted' || !isDue) return {};
  const token = newSecretToken('plh');
  const offered = await stores.enrolments.offerToken(caller, hashSecret(token));
  return offered ? { host_access_token: token } : {};
}

/** Reads and stores an upload within its host's allowance. Counts refusals. */
async function takeIn(
  { caller, body, signal }: Parameters<typeof uploadSnapshot>[0],
  services: ApiServices,
): Promise<Taken> {
  const { hostId } = caller;
  try {
    await services.stores.uploadAllowances.requireOfAgent(caller);
    return await receiveUpload({ sender: hostId, form: 'snapshot', body, signal }, services, (upload) =>
      take(upload, caller, services),
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
  { hostId, approvalStatus }: Pick<AuthenticatedHost, 'hostId' | 'approvalStatus'>,
  { stores, queue, logger }: Pick<ApiServices, 'stores' | 'queue' | 'logger'>,
): Promise<Taken> {
  const { mayBeUnchanged, machineId, ...facts } = upload.understood;
  const confirmed = mayBeUnchanged
    ? await stores.uploads.confirmUnchanged({ hostId, door: 'agent', ...facts })
    : null;
  if (confirmed !== null) return { snapshot_id: confirmed, status: 'unchanged' };
  const whole = upload.requireWhole();
  const body = upload.stored;
  const known =
    whole === null || approvalStatus !== 'approved'
      ? null
      : await storeKnownUpload(
          { hostId, facts, body, ...whole },
          {
            ...stores,
            bell: queue,
            onFailure: (error) => logger.error({ err: error, hostId }, 'an upload is stored unparsed'),
          },
        );
  const id = known ?? (await storeUpload({ hostId, door: 'agent', facts, body }, { ...stores, bell: queue }));
  if (id === null) throw new AppError('unauthenticated', 'The host was deleted.');
  return { snapshot_id: id, status: 'queued' };
}

/** The answer for a finished upload; null if it is not finished. Throws the error that it was rejected with. */
async function findEnd(hostId: HostId, id: UploadId, { stores }: ApiServices): Promise<Ended | null> {
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
