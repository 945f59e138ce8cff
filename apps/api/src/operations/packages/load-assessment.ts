import type { Assessment } from '@plimsoll/advisories';
import { type AssessmentStore, assessStoredHost, type HostHistory, type HostToAssess } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** A stored host with its assessment. */
export interface LoadedAssessment {
  readonly host: HostToAssess;
  readonly assessment: Assessment;
}

/** Assesses a host by its newest matched snapshot; null if it has none. */
export async function loadAssessment(
  assessments: AssessmentStore,
  hostId: string,
): Promise<LoadedAssessment | null> {
  const host = await assessments.load(hostId);
  return host === null ? null : { host, assessment: assessStoredHost(host) };
}

/**
 * Assesses the packages installed at a time by today's advisories. Throws `no_snapshot` for a time before the first
 * snapshot.
 */
export async function assessmentAt(
  history: HostHistory,
  hostId: string,
  at: Date,
): Promise<LoadedAssessment> {
  const then = await history.find(hostId, { kind: 'at', at });
  if (then === null) throw new AppError('no_snapshot', 'The host had no snapshot at that time.');
  return { host: then.host, assessment: assessStoredHost(then.host) };
}
