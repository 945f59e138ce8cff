import { AppError, wholeFleet } from '@plimsoll/model';
import type { Handler } from '../operation-request.ts';

/** GET /agent/status */
export const getAgentStatus: Handler<'getAgentStatus'> = async ({ caller }, { stores }) => {
  const [host, packageCount, [upload]] = await Promise.all([
    stores.hosts.find(wholeFleet, caller.hostId),
    stores.hosts.packageCount(caller.hostId),
    stores.uploads.listOfHost(caller.hostId, { limit: 1, before: null }),
  ]);
  if (host === null) throw new AppError('unauthenticated', 'The host was deleted.');
  const updatesAreKnown = packageCount !== null && host.updatesState !== 'unknown';
  return {
    kind: 'json',
    status: 200,
    body: {
      host_id: host.id,
      approval_status: host.approvalStatus,
      os_name: host.osName,
      os_version: host.osVersion,
      architecture: host.architecture,
      package_count: packageCount,
      available_updates: updatesAreKnown ? host.availableUpdates : null,
      updates_state: host.updatesState,
      upload_id: upload?.id ?? null,
      upload_state: upload?.state ?? null,
      upload_error: upload?.errorCode ?? null,
    },
  };
};
