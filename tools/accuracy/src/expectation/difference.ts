/**
 * One thing in which two answers differ. `missing`: expected, but not found (a false negative, if what is expected is
 * right). `extra`: found, but not expected. `severity`, `fix_state`: both have the line and say other things of it.
 * `count`: a number is another.
 */
export interface Difference {
  readonly kind: 'missing' | 'extra' | 'severity' | 'fix_state' | 'count';
  /** An advisory or CVE; of a count, what is counted. */
  readonly id: string;
  /** Empty for a count. */
  readonly package: string;
  /** The line, for people. */
  readonly text: string;
  /** How we came to our answer: `excluded: kernel_companion`, `fixed: 1.2-3`. */
  readonly why: string;
}

/** What a comparison came to. */
export interface Comparison {
  /** How many lines both have. */
  readonly agreed: number;
  readonly expected: number;
  /** By kind and line. */
  readonly differences: readonly Difference[];
}
