import type { Report } from '@plimsoll/contract';
import type { UploadRow } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import type { Handler } from '../operation-request.ts';

/** GET /hosts/{id}/reports/{reportId} */
export const getReport: Handler<'getReport'> = async ({ params }, { stores }) => {
  const upload = await stores.uploads.find(params.id, params.reportId);
  if (upload === null || upload.payloadKind !== 'report') {
    throw new AppError('not_found', 'The host has no report with this id.');
  }
  return {
    kind: 'json',
    status: 200,
    body: {
      report_id: upload.id,
      status: statusOf(upload.state),
      snapshot_id: upload.snapshotId,
      errors: [...(upload.errors ?? [])],
    },
  };
};

function statusOf(state: UploadRow['state']): Report['status'] {
  switch (state) {
    case 'received':
    case 'parsed':
      return 'queued';
    case 'matched':
    case 'superseded':
      return 'done';
    case 'rejected':
      return 'rejected';
    default:
      return state satisfies never;
  }
}
