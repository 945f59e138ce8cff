import type { HostOverview } from '@plimsoll/db';
import type { LoadedAssessment } from '../hosts/find-host.ts';

/** A host of a comparison. */
export interface ComparedHost {
  readonly overview: HostOverview;
  /** Null: no report. */
  readonly assessed: LoadedAssessment | null;
}
