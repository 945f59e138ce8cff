import type { AcceptedReport, Operations } from '@plimsoll/contract';
import type { AuditActor, HostOverview } from '@plimsoll/db';
import { AppError, type HostId, type HostScope, machineKey } from '@plimsoll/model';
import { takeReport, type UploadFacts } from '@plimsoll/pipeline/intake';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { ApiServices } from '../../context.ts';
import type { AnswerTo } from '../../http/answer.ts';
import { pollFor } from '../../http/poll-for.ts';
import type { ApiStores } from '../../stores.ts';
import { receiveUpload, type UploadInHand } from '../../uploads/receive-upload.ts';
import { rejectionOf } from '../../uploads/rejection.ts';
import { findHost, hostNotFound, requireInService } from '../hosts/find-host.ts';
import type { Handler } from '../operation-request.ts';
import { reportCounts } from './report-counts.ts';

type Answer = AnswerTo<Operations['uploadReport']>;

/** POST /hosts/{id}/report */
export const uploadReport: Handler<'uploadReport'> = async (request, services) => {
  const { id } = request.params;
  const { scope } = request.caller;
  // Reports an unknown id before the body is read.
  requireInService(await findHost(services.stores.hosts, scope, id));
  const force = request.query.force ?? false;
  await services.stores.uploadAllowances.require(id as HostId, 'manual'); // A host with this id was found.
  const { body, signal } = request;
  const taken = await receiveUpload(
    { sender: `manual ${id}`, form: 'report', body, signal },
    services,
    (upload) => take(id, upload, { scope, force, by: auditActorOf(request) }, services),
  );
  if (request.waitSeconds !== null) {
    const find = () => findEnd(scope, id, taken.report_id, services.stores);
    const ended = await pollFor(find, request.waitSeconds, request.signal);
    if (ended !== null) return ended;
  }
  return { kind: 'json', status: 202, body: taken };
};

/**
 * Stores a report, unless it only repeats the host's last upload. Rejects one from another machine or an earlier time.
 */
async function take(
  hostId: string,
  upload: UploadInHand,
  { scope, force, by }: { readonly scope: HostScope; readonly force: boolean; readonly by: AuditActor },
  { stores, queue }: Pick<ApiServices, 'stores' | 'queue'>,
): Promise<AcceptedReport> {
  const { machineId, mayBeUnchanged: isReadable, ...facts } = upload.understood;
  const host = await findHost(stores.hosts, scope, hostId);
  if (!force) {
    requireSameMachine(machineId, host);
    await requireNewer(facts, host, stores);
  }
  const event = {
    action: 'report.uploaded',
    actor: by,
    target: { kind: 'host', id: host.id, name: host.displayName },
    details: { force },
  } as const;
  const taken = await takeReport(
    {
      hostId: host.id,
      door: 'manual',
      facts: { ...facts, payloadKind: 'report', isReadable },
      body: upload.stored,
      event,
    },
    { uploads: stores.uploads, bell: queue },
  );
  if (taken === null) throw hostNotFound();
  // An unchanged report is contact, too, and updates when the host was last seen.
  if (taken.status === 'unchanged')
    await stores.audit.note({ ...event, details: { force, unchanged: true } });
  return { report_id: taken.id, status: taken.status };
}

/** If one side does not name its machine, there is no contradiction. */
function requireSameMachine(machineId: string | null, host: HostOverview): void {
  if (machineId === null || host.machineId === '') return;
  if (machineKey(machineId) === machineKey(host.machineId)) return;
  throw new AppError(
    'machine_id_mismatch',
    'The report is from another machine: its machine id differs from this host. To import it anyway, add ?force=true.',
  );
}

/** Reports have whole seconds. A snapshot without a collection time was collected no later than it arrived. */
async function requireNewer(
  { collectedAt }: UploadFacts,
  host: HostOverview,
  stores: ApiStores,
): Promise<void> {
  if (collectedAt === null) return;
  const [newest] = await stores.snapshots.listOfHost(host.id, { limit: 1, before: null });
  if (newest === undefined) return;
  const current = (newest.collectedAt ?? newest.receivedAt).getTime();
  if (Math.floor(collectedAt.getTime() / 1000) >= Math.floor(current / 1000)) return;
  throw new AppError(
    'report_outdated',
    `The report was collected at ${collectedAt.toISOString()}, before the current snapshot. To import it anyway, add ?force=true.`,
  );
}

/** The answer for a finished report; null if it is not finished. Throws the error that it was rejected with. */
async function findEnd(
  scope: HostScope,
  hostId: string,
  reportId: string,
  stores: ApiStores,
): Promise<Answer | null> {
  const upload = await stores.uploads.find(hostId, reportId);
  if (upload === null) throw hostNotFound();
  switch (upload.state) {
    case 'received':
    case 'parsed':
      return null;
    case 'matched':
    case 'superseded': {
      const counts = reportCounts(await findHost(stores.hosts, scope, hostId));
      return {
        kind: 'json',
        status: 200,
        body: { report_id: upload.id, status: 'done', snapshot_id: upload.snapshotId ?? upload.id, counts },
      };
    }
    case 'rejected':
      throw rejectionOf(upload);
    default:
      return upload.state satisfies never;
  }
}
