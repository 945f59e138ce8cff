import type { Assessment } from '@plimsoll/advisories';
import type { AssessmentStore, HostToAssess } from '@plimsoll/db';
import { assessStoredHost } from '@plimsoll/posture';

/** A host as it is stored, with everything that follows from it. */
export interface LoadedAssessment {
  readonly host: HostToAssess;
  readonly assessment: Assessment;
}

/** Assesses a host by its newest matched snapshot; null where nothing of it was matched yet. */
export async function loadAssessment(
  assessments: AssessmentStore,
  hostId: string,
): Promise<LoadedAssessment | null> {
  const host = await assessments.load(hostId);
  return host === null ? null : { host, assessment: assessStoredHost(host) };
}
