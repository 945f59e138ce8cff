import type { Upload } from '@plimsoll/contract';
import type { UploadRow } from '@plimsoll/db';
import type { Handler } from '../operation-request.ts';
import { pageOfHost } from './page-of-host.ts';

/** GET /hosts/{id}/uploads */
export const listUploads: Handler<'listUploads'> = async (request, { stores }) => {
  const { rows, headers } = await pageOfHost(request, stores, { rows: stores.uploads, name: 'uploads' });
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
