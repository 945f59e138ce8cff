import type { NewAuditEvent } from '@plimsoll/db';
import type { HostId, UploadDoor, UploadId } from '@plimsoll/model';
import type { ReportFacts } from './report-facts.ts';
import { type IntakeServices, storeUpload, type UploadBody } from './store-upload.ts';

/** What became of a report. `unchanged`: the id is that of the upload whose content it confirms. */
export interface TakenReport {
  readonly id: UploadId;
  readonly status: 'queued' | 'unchanged';
}

/** Makes a report durable, unless it only says what the host's last upload said. As `storeUpload`. */
export async function takeReport(
  report: {
    readonly hostId: HostId;
    readonly door: UploadDoor;
    readonly facts: ReportFacts;
    readonly body: UploadBody;
    /** As `storeUpload` has it; a report that changes nothing is none. */
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
