/** A period in words and as times. `from` inclusive, `to` exclusive, in ISO 8601; `to` null: it goes on until now. */
export interface Period {
  readonly id: string;
  readonly words: string;
  readonly from: string;
  readonly to: string | null;
}

const dayMs = 86_400_000;

/** The periods to choose from at a time, quarters and months as in UTC. */
export function periodsAt(now: Date): readonly Period[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const quarter = Math.floor(month / 3) * 3;
  const utc = (y: number, m: number) => new Date(Date.UTC(y, m, 1));
  const between = (id: string, words: string, from: Date, to: Date | null): Period => ({
    id,
    words,
    from: from.toISOString(),
    to: to?.toISOString() ?? null,
  });
  // To the minute, so that the same question has the same address in the cache.
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  const last = (days: number) =>
    between(`${days}d`, `Last ${days} days`, new Date(minute.getTime() - days * dayMs), null);
  return [
    last(30),
    last(90),
    between('this-quarter', quarterWords('This quarter', utc(year, quarter)), utc(year, quarter), null),
    between(
      'last-quarter',
      quarterWords('Last quarter', utc(year, quarter - 3)),
      utc(year, quarter - 3),
      utc(year, quarter),
    ),
    between('last-month', 'Last month', utc(year, month - 1), utc(year, month)),
    between('this-year', 'This year', utc(year, 0), null),
    between('last-year', 'Last year', utc(year - 1, 0), utc(year, 0)),
  ];
}

function quarterWords(words: string, start: Date): string {
  return `${words} (Q${start.getUTCMonth() / 3 + 1} ${start.getUTCFullYear()})`;
}

/** The period of an address: one with a name, or two days, the last one included. The last 90 days without one. */
export function periodIn(
  search: { readonly period?: string; readonly from?: string; readonly to?: string },
  now: Date,
): Period {
  const periods = periodsAt(now);
  const named = periods.find(({ id }) => id === search.period);
  if (named !== undefined) return named;
  const [from, to] = [dayIn(search.from), dayIn(search.to)];
  if (from !== null && to !== null && from <= to)
    return {
      id: 'own',
      words: 'Between two days',
      from: from.toISOString(),
      to: new Date(to.getTime() + dayMs).toISOString(),
    };
  return periods[1] as Period; // The list is constant.
}

function dayIn(text: string | undefined): Date | null {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? null : day;
}
