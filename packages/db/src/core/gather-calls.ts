import { isDatabaseAway } from './availability.ts';

/** How calls are gathered. */
interface Gathering<Item, Result> {
  /** Answers some calls at once, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Calls with the same key are never answered together; omitted: any calls can be. */
  keyOf?(item: Item): string;
  /** The maximum number of calls answered together. */
  readonly most: number;
  /** The maximum number of runs at a time. */
  readonly runsAtOnce: number;
  /** The minimum number of calls for which a run begins beside others, because a run for a few costs as much; omitted: 1. */
  readonly fewestBeside?: number;
}

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers calls together that arrive while earlier ones are being answered: a single call never waits for others, and
 * many calls share one statement. If a run fails for another reason than an unavailable database, its calls are halved until
 * the failing ones are alone, so that the input of one host cannot fail the calls of others.
 */
export function gatherCalls<Item, Result>(
  gathering: Gathering<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, keyOf, most, runsAtOnce, fewestBeside = 1 } = gathering;
  let waiting: Call<Item, Result>[] = [];
  let running = 0;
  let isPlanned = false;

  const answer = async (calls: readonly Call<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(calls.map(({ item }) => item));
      if (results.length !== calls.length)
        throw new RangeError(`${calls.length} calls got ${results.length} results`);
      for (const [index, call] of calls.entries()) call.resolve(results[index] as Result); // one for each call
    } catch (error) {
      const middle = calls.length >>> 1;
      if (middle === 0 || isDatabaseAway(error)) for (const call of calls) call.reject(error);
      else for (const half of [calls.slice(0, middle), calls.slice(middle)]) await answer(half);
    }
  };
  const mayBegin = (): boolean =>
    running < runsAtOnce && waiting.length >= (running === 0 ? 1 : fewestBeside);
  const next = (): void => {
    isPlanned = false;
    while (mayBegin()) {
      const { taken, left } = take(waiting, most, keyOf);
      waiting = left;
      running += 1;
      void answer(taken).then(() => {
        running -= 1;
        plan();
      });
    }
  };
  const plan = (): void => {
    if (isPlanned || !mayBegin()) return;
    isPlanned = true;
    // Calls of the requests that arrived in the same turn of the event loop join.
    setImmediate(next);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      plan();
    });
}

/** The first calls, at most `most` and each key once, and the others in their order. */
function take<Item, Result>(
  calls: readonly Call<Item, Result>[],
  most: number,
  keyOf: ((item: Item) => string) | undefined,
): { taken: Call<Item, Result>[]; left: Call<Item, Result>[] } {
  const taken: Call<Item, Result>[] = [];
  const left: Call<Item, Result>[] = [];
  const keys = new Set<string>();
  for (const call of calls) {
    const key = keyOf?.(call.item);
    const fits = taken.length < most && (key === undefined || !keys.has(key));
    if (fits && key !== undefined) keys.add(key);
    (fits ? taken : left).push(call);
  }
  return { taken, left };
}
