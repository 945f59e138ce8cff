import type { Host } from '@plimsoll/contract';
import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, type Page } from '../../../api/client.ts';
import type { ApiQueryKey } from '../../../api/queries.ts';
import type { HostQuery } from '../host-query.ts';

/** Hosts per request. */
const windowRows = 100;
/** Shortest time between two requests while the list scrolls. */
const settleMs = 120;
/** Time after which hosts that are no longer visible leave the cache. */
const keptMs = 30_000;

function windowQuery(query: HostQuery, offset: number) {
  const showsReasons =
    query.reboot_state === 'needed' || query.reboot_state === 'unknown' || query.restart_state === 'needed';
  const reasons = showsReasons ? { include_reasons: 'true' as const } : {};
  const request = { query: { ...query, ...reasons, limit: String(windowRows), offset: String(offset) } };
  return queryOptions({
    queryKey: ['/hosts', request] satisfies ApiQueryKey as ApiQueryKey,
    queryFn: ({ signal }): Promise<Page<Host[]>> => api.page('/hosts', { ...request, signal }),
    gcTime: keptMs,
  });
}

/** A list of hosts of any length; only its visible part is read. */
export interface HostWindows {
  /** Number of hosts of the whole list; undefined before the first response. */
  readonly total: number | undefined;
  readonly hostAt: (index: number) => Host | undefined;
  /** All hosts of the list if one request has them; null otherwise, and while the shown rows belong to another list. */
  readonly whole: readonly Host[] | null;
  readonly onSeen: (first: number, last: number) => void;
  /** Whether the shown rows belong to the previous list. */
  readonly isStale: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Reads the visible windows of a list; aborts the requests of windows that were scrolled past. */
export function useHostWindows(query: HostQuery): HostWindows {
  const client = useQueryClient();
  const key = JSON.stringify(query);
  const [offsets, onSeen] = useSeenOffsets(key);
  const results = useQueries({ queries: offsets.map((offset) => windowQuery(query, offset)) });
  const [shown, setShown] = useState<{ key: string; query: HostQuery; total: number } | null>(null);
  const total = newestTotal(results);
  if (total !== undefined && (shown?.key !== key || shown.total !== total)) setShown({ key, query, total });
  const failed = results.find(({ isError, data }) => isError && data === undefined);
  return {
    total: shown?.total,
    hostAt: (index) => {
      if (shown === null) return undefined;
      const { queryKey } = windowQuery(shown.query, Math.floor(index / windowRows) * windowRows);
      return client.getQueryData<Page<Host[]>>(queryKey)?.rows[index % windowRows];
    },
    whole: wholeList(results[0]?.data),
    onSeen,
    isStale: shown !== null && shown.key !== key,
    error: failed?.error ?? null,
    retry: () => {
      for (const { isError, refetch } of results) if (isError) void refetch();
    },
  };
}

function wholeList(first: Page<Host[]> | undefined): readonly Host[] | null {
  return first !== undefined && first.total <= first.rows.length ? first.rows : null;
}

function newestTotal(
  results: readonly { readonly data: Page<Host[]> | undefined; readonly dataUpdatedAt: number }[],
): number | undefined {
  return [...results].sort((one, other) => other.dataUpdatedAt - one.dataUpdatedAt)[0]?.data?.total;
}

const start = { key: '', first: 0, last: 0 };

/** First indexes of the visible windows of the list named `key`; another list starts at its beginning. */
function useSeenOffsets(key: string): readonly [readonly number[], HostWindows['onSeen']] {
  const [seen, setSeen] = useState(start);
  const latest = useRef(start);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onSeen = useCallback(
    (first: number, last: number) => {
      latest.current = { key, first, last };
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        setSeen(latest.current);
      }, settleMs);
    },
    [key],
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  const { first, last } = seen.key === key ? seen : start;
  const begin = Math.floor(first / windowRows);
  const count = Math.floor(last / windowRows) - begin + 1;
  return [Array.from({ length: count }, (_, place) => (begin + place) * windowRows), onSeen];
}
