/** Counts hosts by numbered keys, each host once per key. Optimised for many millions of calls. */
export interface Tally {
  readonly totals: Float64Array;
  readonly fixed: Float64Array;
  /** Starts counting a group of this many equal hosts. */
  begin(hosts: number): void;
  /**
   * Starts counting a part of the current group, for keys that were not yet counted for the whole group. Ends at the
   * next call of `resume` or `begin`.
   */
  resume(hosts: number): void;
  add(place: number, fixed: boolean): void;
}

/** A tally of keys from 0 to `size` - 1. */
export function createTally(size: number): Tally {
  const totals = new Float64Array(size);
  const fixed = new Float64Array(size);
  /** By key: the group, or the part of a group, for which it was last counted. */
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
