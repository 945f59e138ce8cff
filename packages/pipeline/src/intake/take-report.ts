import type { NewAuditEvent } from '@plimsoll/db';
import type { HostId, UploadDoor, UploadId } from '@plimsoll/model';
import type { ReportFacts } from './report-facts.ts';
import { type IntakeServices, storeUpload, type UploadBody } from './store-upload.ts';

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
