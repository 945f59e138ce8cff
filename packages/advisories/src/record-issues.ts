/** A part of a record that could not be read as stated: location (RFC 6901 pointer) and reason. */
export interface RecordIssue {
  readonly pointer: string;
  readonly reason: IssueReason;
}

/**
 * Why a part of a record was skipped or widened. The last five are widened: a statement that the model cannot express
 * is read as affected rather than as not affected.
 */
export type IssueReason =
  | 'wrong_type'
  | 'too_long'
  | 'too_many'
  | 'invalid_id'
  | 'invalid_time'
  | 'invalid_cvss'
  | 'invalid_package_name'
  | 'unparseable_version'
  | 'no_range'
  | 'other_release'
  | 'stream_unknown'
  | 'unknown_range_type'
  | 'no_introduced'
  | 'introduced_later'
  | 'last_affected'
  | 'limited'
  | 'versions_without_range';

/** The most issues kept per record; later ones are dropped. */
const maxIssues = 100;

/** Collects the issues of one record. */
export class RecordIssues {
  readonly list: RecordIssue[] = [];

  /** Adds an issue, up to the limit. */
  add(pointer: string, reason: IssueReason): void {
    if (this.list.length < maxIssues) this.list.push({ pointer, reason });
  }
}
