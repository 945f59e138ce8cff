/** One section of a report. */
export interface ReportSection {
  readonly name: string;
  /** The line of its `@NAME`. */
  readonly line: number;
  /** The exit status of the collector's command. */
  readonly exit: number;
  /** The printed lines, without the leading space. */
  readonly lines: readonly string[];
  /** The report line of each of `lines`. */
  readonly numbers: readonly number[];
  /** Error output; at most `reportLimits.saidLines` lines. */
  readonly said: readonly string[];
}
