import { JsonFieldReader } from '../../json-fields.ts';
import { RecordIssues } from '../../record-issues.ts';
import type { AdvisoryReading, RejectionReason } from './advisory-feed.ts';

/** The tools for reading one record. */
export interface RecordTools {
  readonly issues: RecordIssues;
  /** Adds faults to `issues`. */
  readonly fields: JsonFieldReader;
  /** Returns the reading of a rejected record, with the issues so far. */
  reject(reason: RejectionReason): AdvisoryReading;
}

/** The tools for one record, without issues yet. */
export function recordTools(): RecordTools {
  const issues = new RecordIssues();
  return {
    issues,
    fields: new JsonFieldReader(issues),
    reject: (reason) => ({ kind: 'rejected', reason, issues: issues.list }),
  };
}
