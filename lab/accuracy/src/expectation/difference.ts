/**
 * One difference between two answers. `missing`: expected but not found (a false negative, if the expectation is
 * right). `extra`: found but not expected. `severity`, `fix_state`: both answers have the line with different values.
 * `count`: a number differs.
 */
export interface Difference {
  readonly kind: 'missing' | 'extra' | 'severity' | 'fix_state' | 'count';
  /** An advisory or CVE; for a count, its name. */
  readonly id: string;
  /** Empty for a count. */
  readonly package: string;
  /** The line as text. */
  readonly text: string;
  /** How our answer came about: `excluded: kernel_companion`, `fixed: 1.2-3`. */
  readonly why: string;
}

/** The result of a comparison. */
export interface Comparison {
  /** The number of lines in both answers. */
  readonly agreed: number;
  readonly expected: number;
  /** By kind and line. */
  readonly differences: readonly Difference[];
}
