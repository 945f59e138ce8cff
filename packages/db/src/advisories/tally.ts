/** Counts hosts by something that has a number, each host once for each of them. Called many millions of times. */
export interface Tally {
  readonly totals: Float64Array;
  readonly fixed: Float64Array;
  /** From here on so many hosts that are alike are counted. */
  begin(hosts: number): void;
  /**
   * From here on some of the hosts that were begun are counted, as far as none of them was yet: ends with the next call of
   * this or `begin`.
   */
  resume(hosts: number): void;
  add(place: number, fixed: boolean): void;
}

/** A tally of places from 0 to `size` - 1. */
export function createTally(size: number): Tally {
  const totals = new Float64Array(size);
  const fixed = new Float64Array(size);
  /** The hosts by which each was counted last, all of them and some of them. */
  const [seen, seenFixed] = [new Int32Array(size), new Int32Array(size)];
  const [seenBySome, seenFixedBySome] = [new Int32Array(size), new Int32Array(size)];
  let all = 0;
  let some = 0;
  let resumed = false;
  let hosts = 0;
  const isNew = (place: number, byAll: Int32Array, bySome: Int32Array): boolean => {
    if (byAll[place] === all) return false;
    if (!resumed) byAll[place] = all;
    else if (bySome[place] === some) return false;
    else bySome[place] = some;
    return true;
  };
  return {
    totals,
    fixed,
    begin(alike) {
      all += 1;
      resumed = false;
      hosts = alike;
    },
    resume(part) {
      some += 1;
      resumed = true;
      hosts = part;
    },
    add(place, isFixed) {
      if (isNew(place, seen, seenBySome)) totals[place] = (totals[place] ?? 0) + hosts;
      if (isFixed && isNew(place, seenFixed, seenFixedBySome)) fixed[place] = (fixed[place] ?? 0) + hosts;
    },
  };
}
