/** A part of a record that could not be taken as it stands: where (RFC 6901 pointer) and why. */
export interface RecordIssue {
  readonly pointer: string;
  readonly reason: IssueReason;
}

/**
 * Why a part of a record was left out, or taken as wider than it is. The last five are widened: a statement that our
 * model cannot express is read as affected rather than as clean.
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

/** Most issues kept of one record; what a record says wrong beyond them changes nothing. */
const maxIssues = 100;

/** Collects the issues of one record. */
export class RecordIssues {
  readonly list: RecordIssue[] = [];

  /** Notes an issue, unless the record has enough of them. */
  add(pointer: string, reason: IssueReason): void {
    if (this.list.length < maxIssues) this.list.push({ pointer, reason });
  }
}
