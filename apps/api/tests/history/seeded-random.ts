/** Random choices that a seed repeats. */
export interface SeededRandom {
  /** From 0 to below 1. */
  number(): number;
  chance(probability: number): boolean;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Random choices by a linear congruential generator. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const number = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(number() * (most - least + 1));
  return {
    number,
    chance: (probability) => number() < probability,
    between,
    pick(from) {
      const picked = from[between(0, from.length - 1)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}

/** The seeds to test with, from PLIMSOLL_HISTORY_SEEDS (`1,2,5`); by default one. */
export const historySeeds = (process.env['PLIMSOLL_HISTORY_SEEDS'] ?? '7').split(',').map(Number);
