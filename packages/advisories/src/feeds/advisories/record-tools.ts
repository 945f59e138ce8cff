import { JsonFieldReader } from '../../json-fields.ts';
import { RecordIssues } from '../../record-issues.ts';
import type { AdvisoryReading, RejectionReason } from './advisory-feed.ts';

/** What one record is read with. */
export interface RecordTools {
  readonly issues: RecordIssues;
  /** Adds what it finds wrong to `issues`. */
  readonly fields: JsonFieldReader;
  /** The reading of a record that is rejected, with the issues so far. */
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
