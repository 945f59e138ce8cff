import { type RoundName, roundSeconds } from '@plimsoll/model';

/** A task that is repeated. */
export interface Round {
  readonly name: RoundName;
  readonly everyMs: number;
  /** The result `not due`: nothing was done, which says nothing about whether the round works. */
  run(): Promise<unknown>;
}

/** The rounds that are repeated, by their names. */
type RepeatedName = {
  [Name in RoundName]: (typeof roundSeconds)[Name] extends number ? Name : never;
}[RoundName];

/** A round with the interval of its name. */
export function roundOf(name: RepeatedName, run: Round['run']): Round {
  return { name, everyMs: roundSeconds[name] * 1000, run };
}
