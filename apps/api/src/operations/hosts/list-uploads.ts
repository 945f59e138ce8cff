import type { Operations, Upload } from '@plimsoll/contract';
import type { UploadRow } from '@plimsoll/db';
import { decodeSequence, encodeSequence } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import type { Handler } from '../operation-request.ts';
import { findHost } from './find-host.ts';

const defaultLimit = 100;

/** GET /hosts/{id}/uploads */
export const listUploads: Handler<Operations['listUploads']> = async (
  { params, query, origin },
  { stores },
) => {
  await findHost(stores.hosts, params.id);
  const limit = query.limit ?? defaultLimit;
  const [found, total] = await Promise.all([
    stores.uploads.listOfHost(params.id, { limit: limit + 1, before: decodeSequence(query.cursor) }),
    stores.uploads.countOfHost(params.id),
  ]);
  const { rows, headers } = pageOf(found, {
    limit,
    total,
    cursorOf: ({ sequence }) => encodeSequence(sequence),
    place: { origin, path: `/api/v1/hosts/${params.id}/uploads`, query },
  });
  return { kind: 'json', status: 200, headers, body: rows.map(uploadAnswer) };
};

function uploadAnswer(upload: UploadRow): Upload {
  return {
    id: upload.id,
    door: upload.door,
    received_at: upload.receivedAt.toISOString(),
    state: upload.state,
    error_code: upload.errorCode,
    errors: [...(upload.errors ?? [])],
    notes: [...(upload.notes ?? [])],
    refusals: upload.refusals,
    snapshot_id: upload.snapshotId,
  };
}
