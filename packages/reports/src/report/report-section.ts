/** One section of a report. */
export interface ReportSection {
  readonly name: string;
  /** Of its `@NAME`. */
  readonly line: number;
  /** The exit status of what the collector ran. */
  readonly exit: number;
  /** What was printed, without the space in front. */
  readonly lines: readonly string[];
  /** Where each of `lines` stands in the report. */
  readonly numbers: readonly number[];
  /** What was said about failing; `reportLimits.saidLines` at most. */
  readonly said: readonly string[];
}
