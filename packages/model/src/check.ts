/** States of a check, worst first. `unknown`: it could not be made. */
export const checkStates = ['fault', 'warning', 'unknown', 'ok'] as const;

/** The state of a check. */
export type CheckState = (typeof checkStates)[number];

/** What a check of the installation found. */
export interface Check {
  readonly name: string;
  readonly state: CheckState;
  /** What is so, or why it is not known, as sentences. */
  readonly says: string;
  /** What to do, as sentences; null: nothing. */
  readonly do: string | null;
}
